// Package scenery has the walls and bodies of a scene as they are drawn.
//
//	piece.go     a wall or a body: a tank, a vessel or a solid
//	planes.go    endless planes, of which a part is drawn
//	layout.go    the region of the picture, and its floor
//	set.go       all pieces, at any time
//	finish.go    their appearance
//	material.go  materials for other programs
package scenery

import (
	"math"
	"slices"

	"breakwater/raster"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Piece is a wall or a body as it is drawn.
type Piece struct {
	Body   *body.Body     // what moves it, nil for none
	Tank   *raster.Tank   // an upright tank, at rest
	Vessel *raster.Vessel // or one that turns or has another shape, at rest
	Mesh   *mesh.Mesh     // or a solid

	Solid raster.Solid // of mesh, where it is at rest
}

// Style is how solids are drawn.
type Style struct {
	Flat    bool    // in two dimensions, where they are a spacing deep
	Spacing float64 // m
	Rim     float64 // height of the rim of tanks above their floor, m; 0 for their own
}

// Of returns how a wall is drawn; false for an endless plane, which [Layout.Plane] draws.
func (s Style) Of(wall boundary.Boundary) (x Piece, ok bool) {
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
		shown = s.Rimmed(box)
		if mover != nil && mover.Motion.Turns() {
			x.Vessel = s.BoxVessel(w, true)
			break
		}
		x.Tank = &raster.Tank{Box: shown}
		for i, side := range [...]string{"x-", "x+", "z-", "z+"} {
			x.Tank.Open[i] = slices.Contains(w.Open, side)
		}
	case *boundary.Sphere:
		shown, x.Mesh = w.Bounds(), mesh.Sphere(w.Center, w.Radius, SphereSides)
		if s.Flat { // a disc
			half := vec.New(0, 0, s.Spacing/2)
			x.Mesh = mesh.Cylinder(w.Center.Sub(half), w.Center.Add(half), w.Radius, SphereSides)
		}
	case *boundary.Profile:
		shown, x.Mesh = s.deep(w.Bounds()), mesh.Extrusion(w.Outlines(), s.Spacing)
	case *boundary.Cylinder:
		shown, x.Mesh = w.Bounds(), mesh.Cylinder(w.Bottom, w.Top, w.Radius, SphereSides)
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
func (s Style) deep(b vec.Box) vec.Box {
	if s.Flat {
		b.Min.Z, b.Max.Z = -s.Spacing/2, s.Spacing/2
	}
	return b
}

// cylinderVessel returns a round tank. One that stands has no lid in the
// picture and ends at the rim, as a box does.
func (s Style) cylinderVessel(w *boundary.Cylinder, mover *body.Body) *raster.Vessel {
	c := *w
	if c.Bottom.Y > c.Top.Y {
		c.Bottom, c.Top = c.Top, c.Bottom
	}
	up := c.Top.Sub(c.Bottom)
	stands := up.Unit().Y > 0.999 && (mover == nil || !mover.Motion.Turns())
	if rim := s.Rim; stands && rim > 0 && rim < up.Len() {
		c.Top = c.Bottom.Add(up.Unit().Mul(rim))
	}
	x := &raster.Vessel{Panes: mesh.Cylinder(c.Bottom, c.Top, c.Radius, SphereSides), Edges: c.Rims(SphereSides)}
	if stands {
		lid := int32(len(x.Panes.Pos) - 1) // its middle
		x.Panes.Tri = slices.DeleteFunc(x.Panes.Tri, func(t [3]int32) bool { return slices.Contains(t[:], lid) })
	}
	return x
}

// BoxVessel returns the sides and the bottom of a box, and its lid if it turns
// and has one.
func (s Style) BoxVessel(w *boundary.Box, turns bool) *raster.Vessel {
	whole := s.deep(vec.Box{Min: w.Min, Max: w.Max})
	box := s.Rimmed(whole)
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

// placed returns m where the body of x is.
func (x *Piece) placed(m *mesh.Mesh) *mesh.Mesh {
	o := &mesh.Mesh{Tri: m.Tri}
	for _, p := range m.Pos {
		o.Pos = append(o.Pos, x.Body.Place(p))
	}
	for _, n := range m.Nrm {
		o.Nrm = append(o.Nrm, x.Body.Rotated(n))
	}
	return o
}

// Rimmed returns the visible part of the tank t.
func (s Style) Rimmed(t vec.Box) vec.Box {
	if rim := t.Min.Y + s.Rim; s.Rim > 0 && rim < t.Max.Y {
		t.Max.Y = rim
	}
	return t
}

// SphereSides is how finely a ball is drawn: its edges are then off the circle
// by 1/2000 of its radius.
const SphereSides = 96
