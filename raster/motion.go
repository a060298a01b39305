package raster

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// motion describes how everything in a picture moves while the shutter is open. Each
// vertex of the frame's mesh moves on a straight line, or along the solid that it
// touches. So nothing need be known of the frames before and after, whose meshes have
// other triangles.
type motion struct {
	middle       []vec.Vec3 // geometry.pos in the middle of the exposure
	velocity     []vec.Vec3 // m/s
	trajectoryOf []int32    // index in trajectories of each of the liquid's vertices; -1 for a straight line
	trajectories []trajectory
	end          []vec.Vec3 // room: where all goes from geometry.pos
	tank         *Tank      // in the middle of the exposure; nil for none
}

// newMotion returns how all in w moves while the shutter is open, nil if nothing
// does.
func newMotion(w *scene) *motion {
	v := w.view
	if v.Shutter == 0 {
		return nil
	}
	m := &motion{tank: v.Tank}
	moves := false
	if v.Liquid != nil {
		m.velocity = padded(append(m.velocity, v.Liquid.Vel...), len(v.Liquid.Pos))
		moves = len(v.Liquid.Vel) > 0
	}
	for _, s := range v.Solids {
		n := len(m.velocity) + len(s.Mesh.Pos)
		m.velocity = padded(append(m.velocity, s.Mesh.Vel...), n)
		moves = moves || len(s.Mesh.Vel) > 0
	}
	for _, u := range w.barVel {
		m.velocity = append(m.velocity, u)
		moves = moves || u != vec.Vec3{}
	}
	if !moves {
		return nil
	}
	m.middle = append(m.middle, w.pos...)
	m.slideAlongSolids(w)
	return m
}

// padded appends zeros to list until it has n elements.
func padded(list []vec.Vec3, n int) []vec.Vec3 { return append(list, make([]vec.Vec3, n-len(list))...) }

// moveTo moves all to where it is dt seconds after the middle of the exposure.
func (t *tracer) moveTo(dt float64) {
	if t.motion == nil {
		return
	}
	t.move(dt, dt)
	t.tree.Refit(t.pos, t.tri)
}

// moveOver lets all go from where it is one time after the middle of the
// exposure to where it is at another, each ray at its own time, see ray.when.
// Tank and normals are those in the middle of this.
func (t *tracer) moveOver(from, to float64) {
	t.move(from, to)
	t.tree.Move(t.pos, t.motion.end, t.tri)
}

// move is moveOver but for the tree.
func (t *tracer) move(from, to float64) {
	m := t.motion
	m.end = slices.Grow(m.end[:0], len(m.middle))[:len(m.middle)]
	wall := enclosure{near: float64(2 * wetGap * t.size), box: vec.Box{
		Min: vec.Vec3{X: math.Inf(-1), Y: t.floor.Y, Z: math.Inf(-1)}, Max: vec.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
	}}
	carried, rim := vec.Vec3{}, math.Inf(-1) // the tank's velocity, and its height
	within := wall                           // the part below the rim
	if m.tank != nil {
		carried, rim = m.tank.Velocity, m.tank.Max.Y
		by := carried.Mul(float64((from + to) / 2))
		t.tank = &Tank{Box: vec.Box{Min: m.tank.Min.Add(by), Max: m.tank.Max.Add(by)}, Open: m.tank.Open, walled: m.tank.walled}
		t.tankMotion = carried.Mul(to - from)
		within.box.Min.X, within.box.Max.X = m.tank.Min.X, m.tank.Max.X
		within.box.Min.Z, within.box.Max.Z = m.tank.Min.Z, m.tank.Max.Z
		for i, side := range [4]*float64{&within.box.Min.X, &within.box.Max.X, &within.box.Min.Z, &within.box.Max.Z} {
			if m.tank.Open[i] {
				*side = math.Inf(2*(i%2) - 1)
			}
		}
	}
	at := func(i int, dt float64) vec.Vec3 {
		p := m.middle[i]
		q := p.Add(m.velocity[i].Mul(dt))
		if i < len(m.trajectoryOf) && m.trajectoryOf[i] >= 0 {
			q = m.trajectories[m.trajectoryOf[i]].at(dt/t.view.Shutter + 0.5)
		}
		switch by := carried.Mul(dt); {
		case i >= t.liquidVertices:
			return q
		case p.Y < rim:
			return within.clamp(p, q.Sub(by)).Add(by)
		}
		return wall.clamp(p, q)
	}
	par.For(len(m.middle), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := at(i, from)
			q := p
			if to != from {
				q = at(i, to)
			}
			t.pos[i], m.end[i] = p, q
			t.vertex[i].pos = narrow(p.Lerp(q, 0.5))
		}
	})
}

// enclosure is the tank of the liquid with its solids. The velocity of the liquid's
// surface is a mean over particles about, which would take it off a wall or through it.
type enclosure struct {
	box  vec.Box
	near float64 // distance from a wall at which the liquid touches it, m
}

// clamp returns the position inside of a point that moves from p to q.
func (e *enclosure) clamp(p, q vec.Vec3) vec.Vec3 {
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
