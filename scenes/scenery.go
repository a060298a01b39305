package scenes

import (
	"math"
	"slices"

	"breakwater/raster"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// Scenery is a wall as it is drawn.
type Scenery struct {
	Body   *body.Body     // what moves it, nil for none
	Tank   *raster.Tank   // an upright tank, at rest
	Vessel *raster.Vessel // or one that turns or has another shape, at rest
	Mesh   *mesh.Mesh     // or a solid

	Solid raster.Solid // of mesh, where it is at rest
}

// rough is a wall whose exact distance takes long, for the surface, which asks for it
// often.
type rough struct {
	boundary.Boundary
	near float64 // how near the distance is exact, m
}

// Dist is exact where the mesh may touch the wall, so that it meets it in the
// sharp edges that the wall has, and rough elsewhere.
func (r rough) Dist(x vec.Vec3) (float64, vec.Vec3) {
	d, n := boundary.RoughDist(r.Boundary, x)
	if math.Abs(d) < r.near {
		return r.Boundary.Dist(x)
	}
	return d, n
}

// solid returns a wall for the surface.
func (s *Scene) solid(wall boundary.Boundary) surface.Wall {
	if shape, _ := body.Unwrap(wall); !boundary.IsRough(shape) {
		return wall
	}
	return rough{wall, s.Spacing()}
}

// sceneryOf returns how a wall is drawn; false for an endless plane, which [Scene.planes]
// draws.
func (s *Scene) sceneryOf(wall boundary.Boundary) (x Scenery, ok bool) {
	shape, mover := body.Unwrap(wall)
	x.Body = mover
	shown := vec.Empty() // the box of a container at rest
	switch w := shape.(type) {
	case *boundary.Box:
		box := s.deep(vec.Box{Min: w.Min, Max: w.Max})
		if !w.Inside {
			x.Mesh = mesh.Box(box)
			break
		}
		shown = s.rimmed(box)
		if mover != nil && mover.Motion.Turns() {
			x.Vessel = s.boxVessel(w, true)
			break
		}
		x.Tank = &raster.Tank{Box: shown}
		for i, side := range [...]string{"x-", "x+", "z-", "z+"} {
			x.Tank.Open[i] = slices.Contains(w.Open, side)
		}
	case *boundary.Sphere:
		shown, x.Mesh = w.Bounds(), mesh.Sphere(w.Center, w.Radius, sphereSides)
		if s.Flat() { // a disc
			half := vec.New(0, 0, s.Liquid.Spacing/2)
			x.Mesh = mesh.Cylinder(w.Center.Sub(half), w.Center.Add(half), w.Radius, sphereSides)
		}
	case *boundary.Profile:
		shown, x.Mesh = s.deep(w.Bounds()), mesh.Extrusion(w.Outlines(), s.Liquid.Spacing)
	case *boundary.Cylinder:
		shown, x.Mesh = w.Bounds(), mesh.Cylinder(w.Bottom, w.Top, w.Radius, sphereSides)
		if w.Inside {
			x.Vessel = s.cylinderVessel(w, mover)
			shown = x.Vessel.Panes.Bounds()
		}
	case interface {
		Faces() ([]vec.Vec3, [][3]int32)
		Bounds() vec.Box
	}:
		pos, tri := w.Faces()
		faces := &mesh.Mesh{Pos: pos, Tri: tri}
		shown, x.Mesh = w.Bounds(), faces.Creased(smooth)
		if !shown.IsEmpty() {
			x.Vessel = &raster.Vessel{Panes: x.Mesh, Edges: faces.SharpEdges(sharp)}
		}
	default:
		return x, false
	}
	if !shown.IsEmpty() && x.Tank == nil {
		if x.Vessel == nil {
			x.Vessel = &raster.Vessel{Panes: x.Mesh}
		}
		x.Mesh = nil
	}
	return x, true
}

// deep returns a box as it is drawn: in two dimensions a spacing deep.
func (s *Scene) deep(b vec.Box) vec.Box {
	if s.Flat() {
		b.Min.Z, b.Max.Z = -s.Liquid.Spacing/2, s.Liquid.Spacing/2
	}
	return b
}

// cylinderVessel returns a round tank. One that stands has no lid in the
// picture and ends at the rim, as a box does.
func (s *Scene) cylinderVessel(w *boundary.Cylinder, mover *body.Body) *raster.Vessel {
	c := *w
	if c.Bottom.Y > c.Top.Y {
		c.Bottom, c.Top = c.Top, c.Bottom
	}
	up := c.Top.Sub(c.Bottom)
	stands := up.Unit().Y > 0.999 && (mover == nil || !mover.Motion.Turns())
	if rim := s.Picture.Rim; stands && rim > 0 && rim < up.Len() {
		c.Top = c.Bottom.Add(up.Unit().Mul(rim))
	}
	x := &raster.Vessel{Panes: mesh.Cylinder(c.Bottom, c.Top, c.Radius, sphereSides), Edges: c.Rims(sphereSides)}
	if stands {
		lid := int32(len(x.Panes.Pos) - 1) // its middle
		x.Panes.Tri = slices.DeleteFunc(x.Panes.Tri, func(t [3]int32) bool { return slices.Contains(t[:], lid) })
	}
	return x
}

// boxVessel returns the sides and the bottom of a box, and its lid if it turns
// and has one.
func (s *Scene) boxVessel(w *boundary.Box, turns bool) *raster.Vessel {
	whole := s.deep(vec.Box{Min: w.Min, Max: w.Max})
	box := s.rimmed(whole)
	x := &raster.Vessel{Panes: &mesh.Mesh{}}
	there := func(side string) bool {
		return !slices.Contains(w.Open, side) && (side != "y+" || turns && box == whole)
	}
	faces := mesh.Faces(box)
	for i, side := range [...]string{"x-", "x+", "y-", "y+", "z-", "z+"} {
		if !there(side) {
			continue
		}
		k, n := int32(len(x.Panes.Pos)), mesh.FaceNormals[i]
		x.Panes.Pos = append(x.Panes.Pos, faces[i][:]...)
		x.Panes.Nrm = append(x.Panes.Nrm, n, n, n, n)
		x.Panes.Tri = append(x.Panes.Tri, [3]int32{k, k + 1, k + 2}, [3]int32{k, k + 2, k + 3})
	}
	for _, e := range boxEdges(box) {
		of := func(side float64, axis string) bool { // whether the edge has a side that is there
			return side < -0.5 && there(axis+"-") || side > 0.5 && there(axis+"+")
		}
		if of(e.Out.X, "x") || of(e.Out.Y, "y") || of(e.Out.Z, "z") {
			x.Edges = append(x.Edges, e)
		}
	}
	return x
}

// sharp is the angle, in degrees, from which two faces of a tank meet in an
// edge that is drawn.
const sharp = 25

// smooth is the angle, in degrees, below which two faces of a solid are drawn
// as one that is round.
const smooth = 35

// boxEdges returns the twelve edges of a box and their directions out.
func boxEdges(b vec.Box) (list []mesh.Edge) {
	c, at := b.Center(), b.Corners()
	for k := range 8 {
		for axis := range 3 {
			if k>>axis&1 == 0 {
				e := mesh.Edge{A: at[k], B: at[k|1<<axis]}
				out := e.A.Lerp(e.B, 0.5).Sub(c)
				e.Out = vec.New(math.Copysign(1, out.X), math.Copysign(1, out.Y), math.Copysign(1, out.Z))
				along := e.B.Sub(e.A).Unit()
				e.Out = e.Out.Sub(along.Mul(along.Dot(e.Out))).Unit()
				list = append(list, e)
			}
		}
	}
	return list
}

// At returns the tank, the vessels and the solids of the picture where they are
// at time t.
func (b *Built) At(t float64) (tank *raster.Tank, vessels []raster.Vessel, solids []raster.Solid) {
	tank, vessels, solids = b.Tank, append(vessels, b.Vessels...), append(solids, b.Obstacles...)
	for _, x := range b.Moving {
		x.Body.Move(t)
		switch {
		case x.Tank != nil:
			by := x.Body.Place(x.Tank.Min).Sub(x.Tank.Min)
			tank = &raster.Tank{Box: vec.Box{Min: x.Tank.Min.Add(by), Max: x.Tank.Max.Add(by)}, Open: x.Tank.Open, Walls: x.Tank.Walls}
		case x.Vessel != nil:
			v := *x.Vessel
			v.Rest, v.Panes, v.Edges = x.Vessel.Panes.Pos, x.placed(x.Vessel.Panes), nil
			for _, e := range x.Vessel.Edges {
				v.Edges = append(v.Edges, mesh.Edge{A: x.Body.Place(e.A), B: x.Body.Place(e.B), Out: x.Body.Rotated(e.Out)})
			}
			if v.Block != nil {
				block := *v.Block
				block.Rest, block.Mesh = v.Block.Mesh.Pos, x.placed(v.Block.Mesh)
				v.Block = &block
			}
			vessels = append(vessels, v)
		default:
			s := x.Solid
			s.Rest, s.Mesh = x.Mesh.Pos, x.placed(x.Mesh)
			solids = append(solids, s)
		}
	}
	return tank, vessels, solids
}

// placed returns m where the body of x is.
func (x *Scenery) placed(m *mesh.Mesh) *mesh.Mesh {
	o := &mesh.Mesh{Tri: m.Tri}
	for _, p := range m.Pos {
		o.Pos = append(o.Pos, x.Body.Place(p))
	}
	for _, n := range m.Nrm {
		o.Nrm = append(o.Nrm, x.Body.Rotated(n))
	}
	return o
}

// During returns the result of At, with the mean velocities over the seconds that a
// shutter is open about time t. Vessels have their velocities at t.
func (b *Built) During(t, shutter float64) (tank *raster.Tank, vessels []raster.Vessel, solids []raster.Solid) {
	if shutter == 0 || len(b.Moving) == 0 {
		return b.At(t)
	}
	first, last := max(0, t-float64(shutter/2)), t+float64(shutter/2)
	tankBefore, _, before := b.At(first)
	tankAfter, _, after := b.At(last)
	tank, vessels, solids = b.At(t)
	rate := 1 / (last - first)
	if tank != nil {
		moving := *tank
		moving.Velocity = tankAfter.Min.Sub(tankBefore.Min).Mul(rate)
		tank = &moving
	}
	vessel, solid := len(b.Vessels), len(b.Obstacles) // those that stand come first
	for _, x := range b.Moving {
		switch {
		case x.Tank != nil:
		case x.Vessel != nil:
			v := &vessels[vessel]
			v.Velocity = x.Body.Vel
			if v.Block != nil {
				for _, p := range v.Block.Mesh.Pos {
					v.Block.Mesh.Vel = append(v.Block.Mesh.Vel, x.Body.Vel(p))
				}
			}
			vessel++
		default:
			m := solids[solid].Mesh
			m.Vel = make([]vec.Vec3, len(m.Pos))
			for k := range m.Vel {
				if x.Body.Free != nil { // which At leaves where it is
					m.Vel[k] = x.Body.Vel(m.Pos[k])
				} else {
					m.Vel[k] = after[solid].Mesh.Pos[k].Sub(before[solid].Mesh.Pos[k]).Mul(rate)
				}
			}
			solid++
		}
	}
	return tank, vessels, solids
}
