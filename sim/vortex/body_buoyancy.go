package vortex

import (
	"math"

	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

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
