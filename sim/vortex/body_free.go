package vortex

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/classic/solids"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// NewFreeBody returns a body that the gas, gravity, walls and other bodies move. Its
// solid has the shape of free, about its center of mass.
func NewFreeBody(s *solids.Solid, free *body.Body) *Body {
	b := NewBody(s, free.Free.Start.Turn)
	b.Free = free
	b.place(free.Free.Start)
	return b
}

// SetSolids gives the free bodies of the flow the solids that they touch: walls, and the
// bodies themselves. Tolerances are parts of size, in m.
func (f *Flow) SetSolids(walls []boundary.Boundary, size float64) (err error) {
	for _, b := range f.Bodies {
		if b.Free != nil {
			walls = append(walls[:len(walls):len(walls)], b.Free)
		}
	}
	f.free, err = body.NewSystem(walls)
	f.size = size
	return err
}

// mostBodyParts is how many parts a step of the bodies has at most.
const mostBodyParts = 32

// moveBodies moves all bodies for dt, after the impulses of the gas. d is the excess of the
// density at the points of the grid, nil where the gas is the ambient one.
func (f *Flow) moveBodies(d []float64, gas *Gas, g *grid.Grid, dt float64) {
	for _, b := range f.Bodies {
		if b.Free == nil {
			b.turn(b.Spin.Mul(dt))
			b.X = b.X.Add(b.V.Mul(dt))
		}
	}
	s := &f.free
	if len(s.Bodies) == 0 {
		return
	}
	parts := min(mostBodyParts, math.Ceil(dt/s.MaxDt(gas.Gravity.Len(), f.size/4)))
	step := body.Step{Dt: dt / max(1, parts), Gravity: gas.Gravity, Spacing: f.size}
	now := f.Time
	for range int(max(1, parts)) {
		// As in a liquid, speeds below ten sizes per second do not count.
		step.Speed = max(10*f.size, s.MaxSpeed(s.All))
		f.push(step, d, gas, g, dt)
		now += step.Dt
		for _, wall := range s.Fixed {
			if b, ok := wall.(*body.Body); ok && !b.Motion.Still() {
				b.Move(now)
			}
		}
	}
}

// push moves the free bodies for a part of a step that lasts dt.
func (f *Flow) push(step body.Step, d []float64, gas *Gas, g *grid.Grid, dt float64) {
	s := &f.free
	s.Start()
	var force []body.Generalized
	for _, b := range f.Bodies {
		if b.Free == nil {
			continue
		}
		lift, torque := b.buoyancy(d, gas, g)
		wrench := body.Twist{Lin: b.Impulse.Mul(1 / dt).Add(lift), Ang: b.Twist.Mul(1 / dt).Add(torque)}
		force = append(force, s.Modes[len(force)].Of(wrench))
	}
	s.Accelerate(step, force)
	list := s.States()
	s.Move(step, list)
	f.placeFree(list)
}

// placeFree puts the free bodies where the list has them.
func (f *Flow) placeFree(list []particle.Body) {
	for _, b := range f.Bodies {
		if b.Free != nil {
			b.place(list[0])
			list = list[1:]
		}
	}
}

// place puts a free body where s says.
func (b *Body) place(s particle.Body) {
	b.X, b.V, b.Spin, b.pose = s.X, s.V, s.Spin, s.Turn
	b.Turn = b.pose.Columns()
}

// restoreFree puts the free bodies where the list has them, and forgets the impulses of
// contacts.
func (f *Flow) restoreFree(list []particle.Body) {
	f.free.Place(list)
	f.placeFree(list)
}

// buoyancy returns the force of the displaced gas, in N, and its torque about the center,
// in N m (Gourlay, part 9): −g ρV, with the density at five points. They are the center,
// and the corners of a tetrahedron at which a density that changes linearly has the same
// torque as over the whole body.
func (b *Body) buoyancy(d []float64, gas *Gas, g *grid.Grid) (force, torque vec.Vec3) {
	s := vec.New(math.Sqrt(1.25*b.second.XX), math.Sqrt(1.25*b.second.YY), math.Sqrt(1.25*b.second.ZZ))
	for _, at := range [5]vec.Vec3{{}, {X: s.X, Y: s.Y, Z: s.Z}, {X: s.X, Y: -s.Y, Z: -s.Z}, {X: -s.X, Y: s.Y, Z: -s.Z}, {X: -s.X, Y: -s.Y, Z: s.Z}} {
		arm := b.world(at)
		density := gas.Density
		if d != nil {
			density += g.FetchNumber(d, b.X.Add(arm))
		}
		f := gas.Gravity.Mul(-density * b.volume / 5)
		force, torque = force.Add(f), torque.Add(arm.Cross(f))
	}
	return force, torque
}
