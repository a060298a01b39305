package scenes

import (
	"math"
	"slices"

	"breakwater/raster"
	"breakwater/sim"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// scenery is a wall as it is drawn.
type scenery struct {
	body *sim.Body    // what moves it, nil for none
	tank *raster.Tank // a tank, at rest
	mesh *mesh.Mesh   // or a solid

	solid raster.Solid // of mesh, where it is at rest
}

// rough is a wall for the surface, which asks it often how far it is.
type rough struct{ sim.Boundary }

func (r rough) Dist(x vec.Vec3) (float64, vec.Vec3) { return sim.RoughDist(r.Boundary, x) }

// sceneryOf returns how a wall is drawn, and the box of a container; false for
// what is not drawn. A tank that turns, or is no box, is a frame of bars.
func (s *Scene) sceneryOf(wall sim.Boundary) (x scenery, shown vec.Box, ok bool) {
	shape, body := sim.Rest(wall)
	x.body, shown = body, vec.Empty()
	switch w := shape.(type) {
	case *sim.Box:
		box := vec.Box{Min: w.Min, Max: w.Max}
		if !w.Inside {
			x.mesh = mesh.Box(box)
			return x, shown, true
		}
		box = s.rimmed(box)
		shown = box
		if body != nil && body.Motion.Turns() {
			x.mesh = mesh.Frame(boxEdges(box))
		} else {
			x.tank = &raster.Tank{Box: box}
			for i, side := range [...]string{"x-", "x+", "z-", "z+"} {
				x.tank.Open[i] = slices.Contains(w.Open, side)
			}
		}
	case *sim.Sphere:
		if w.Inside {
			return x, w.Bounds(), false
		}
		x.mesh = mesh.Sphere(w.Center, w.Radius, sphereSides)
	case *sim.Cylinder:
		if w.Inside {
			shown = w.Bounds()
			x.mesh = mesh.Frame(w.Rims(sphereSides))
		} else {
			x.mesh = mesh.Cylinder(w.Bottom, w.Top, w.Radius, sphereSides)
		}
	case interface {
		Faces() ([]vec.Vec3, [][3]int32)
		Bounds() vec.Box
	}:
		shown = w.Bounds()
		pos, tri := w.Faces()
		solid := &mesh.Mesh{Pos: pos, Tri: tri}
		if shown.IsEmpty() {
			x.mesh = solid.Creased(smooth)
		} else if x.mesh = mesh.Frame(solid.SharpEdges(sharp)); len(x.mesh.Tri) == 0 {
			return x, shown, false
		}
	default:
		return x, shown, false
	}
	return x, shown, true
}

// sharp is the angle, in degrees, from which two faces of a tank meet in an
// edge that is drawn.
const sharp = 25

// smooth is the angle, in degrees, below which two faces of a solid are drawn
// as one that is round.
const smooth = 35

// boxEdges returns the twelve edges of a box and their directions out.
func boxEdges(b vec.Box) (list []mesh.Edge) {
	c := b.Center()
	at := func(k int) vec.Vec3 {
		p := b.Min
		if k&1 != 0 {
			p.X = b.Max.X
		}
		if k&2 != 0 {
			p.Y = b.Max.Y
		}
		if k&4 != 0 {
			p.Z = b.Max.Z
		}
		return p
	}
	for k := range 8 {
		for axis := range 3 {
			if k>>axis&1 == 0 {
				e := mesh.Edge{A: at(k), B: at(k | 1<<axis)}
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

// At returns the tank and the solids of the picture where they are at
// time t.
func (b *Built) At(t float64) (tank *raster.Tank, solids []raster.Solid) {
	tank, solids = b.Tank, append(solids, b.Obstacles...)
	for _, x := range b.moving {
		x.body.Move(t)
		if x.tank != nil {
			by := x.body.Place(x.tank.Min).Sub(x.tank.Min)
			tank = &raster.Tank{Box: vec.Box{Min: x.tank.Min.Add(by), Max: x.tank.Max.Add(by)}, Open: x.tank.Open, Walls: x.tank.Walls}
			continue
		}
		m := &mesh.Mesh{Tri: x.mesh.Tri}
		for _, p := range x.mesh.Pos {
			m.Pos = append(m.Pos, x.body.Place(p))
		}
		for _, n := range x.mesh.Nrm {
			m.Nrm = append(m.Nrm, x.body.Turned(n))
		}
		s := x.solid
		s.Rest, s.Mesh = x.mesh.Pos, m
		solids = append(solids, s)
	}
	return tank, solids
}

// During returns what At does, with the mean velocities over the seconds that
// a shutter is open about time t.
func (b *Built) During(t, shutter float64) (tank *raster.Tank, solids []raster.Solid) {
	if shutter == 0 || len(b.moving) == 0 {
		return b.At(t)
	}
	first, last := max(0, t-shutter/2), t+shutter/2
	tankBefore, before := b.At(first)
	tankAfter, after := b.At(last)
	tank, solids = b.At(t)
	rate := 1 / (last - first)
	if tank != nil {
		moving := *tank
		moving.Velocity = tankAfter.Min.Sub(tankBefore.Min).Mul(rate)
		tank = &moving
	}
	for i := len(b.Obstacles); i < len(solids); i++ {
		m := solids[i].Mesh
		m.Vel = make([]vec.Vec3, len(m.Pos))
		if body := b.moving[len(b.moving)-(len(solids)-i)].body; body.Free != nil { // which At leaves where it is
			for k, x := range m.Pos {
				m.Vel[k] = body.Vel(x)
			}
			continue
		}
		for k := range m.Vel {
			m.Vel[k] = after[i].Mesh.Pos[k].Sub(before[i].Mesh.Pos[k]).Mul(rate)
		}
	}
	return tank, solids
}
