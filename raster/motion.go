package raster

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// motion is how all that is in a picture moves while the shutter is open: each
// vertex on a straight line, with the mesh of the frame itself. So nothing need
// be known of the frames before and after, whose meshes have other triangles.
type motion struct {
	middle   []vec.Vec3 // geometry.pos in the middle of the exposure
	velocity []vec.Vec3 // m/s
	tank     *Tank      // in the middle of the exposure; nil for none
}

// newMotion returns how the geometry g of v moves while the shutter is open,
// nil if nothing does.
func newMotion(v *View, g *geometry) *motion {
	if v.Shutter == 0 {
		return nil
	}
	m := &motion{tank: v.Tank}
	moves := false
	if v.Liquid != nil {
		m.velocity = stretch(append(m.velocity, v.Liquid.Vel...), len(v.Liquid.Pos))
		moves = len(v.Liquid.Vel) > 0
	}
	for _, s := range v.Solids {
		n := len(m.velocity) + len(s.Mesh.Pos)
		m.velocity = stretch(append(m.velocity, s.Mesh.Vel...), n)
		moves = moves || len(s.Mesh.Vel) > 0
	}
	for len(m.velocity) < len(g.pos) { // the tank's bars
		m.velocity = append(m.velocity, v.Tank.Velocity)
		moves = moves || v.Tank.Velocity != vec.Vec3{}
	}
	if !moves {
		return nil
	}
	m.middle = append(m.middle, g.pos...)
	return m
}

// stretch appends zeros to list until it has n elements.
func stretch(list []vec.Vec3, n int) []vec.Vec3 {
	return append(list, make([]vec.Vec3, n-len(list))...)
}

// moveTo moves all to where it is dt seconds after the middle of the exposure.
func (t *tracer) moveTo(dt float64) {
	m := t.motion
	if m == nil {
		return
	}
	wall := enclosure{near: 2 * wetting * t.size, box: vec.Box{
		Min: vec.Vec3{X: math.Inf(-1), Y: t.floor.y, Z: math.Inf(-1)}, Max: vec.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
	}}
	by, rim := vec.Vec3{}, math.Inf(-1)
	if m.tank != nil {
		by, rim = m.tank.Velocity.Mul(dt), m.tank.Max.Y
		t.tank = &Tank{Box: vec.Box{Min: m.tank.Min.Add(by), Max: m.tank.Max.Add(by)}, Open: m.tank.Open, walled: m.tank.walled}
	}
	within := wall // of what is below the rim
	if m.tank != nil {
		within.box.Min.X, within.box.Max.X = m.tank.Min.X, m.tank.Max.X
		within.box.Min.Z, within.box.Max.Z = m.tank.Min.Z, m.tank.Max.Z
		for i, side := range [4]*float64{&within.box.Min.X, &within.box.Max.X, &within.box.Min.Z, &within.box.Max.Z} {
			if m.tank.Open[i] {
				*side = math.Inf(2*(i%2) - 1)
			}
		}
	}
	wet := t.wetVertices
	par.For(len(m.middle), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := m.middle[i]
			q := p.Add(m.velocity[i].Mul(dt))
			switch {
			case i >= wet:
			case p.Y < rim:
				q = within.keep(p, q.Sub(by)).Add(by)
			default:
				q = wall.keep(p, q)
			}
			t.pos[i] = q
			t.vertex[i].pos = narrow(q)
		}
	})
	t.tree.Refit(t.pos, t.tri)
}

// enclosure is what the liquid stays in. The velocity of its surface is a mean
// over particles about, which would take it off a wall or through it.
type enclosure struct {
	box  vec.Box
	near float64 // distance from a wall at which the liquid touches it, m
}

// keep returns where what was at p and would be at q is.
func (e *enclosure) keep(p, q vec.Vec3) vec.Vec3 {
	stay := func(p, q, lo, hi float64) float64 {
		switch {
		case p < lo-e.near || p > hi+e.near: // outside
			return q
		case p < lo+e.near || p > hi-e.near:
			return p
		}
		return min(hi, max(lo, q))
	}
	return vec.Vec3{
		X: stay(p.X, q.X, e.box.Min.X, e.box.Max.X),
		Y: stay(p.Y, q.Y, e.box.Min.Y, e.box.Max.Y),
		Z: stay(p.Z, q.Z, e.box.Min.Z, e.box.Max.Z),
	}
}
