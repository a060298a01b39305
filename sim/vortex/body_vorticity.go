package vortex

import "breakwater/sim/vec"

// blend is the share of the new vorticity that a vorton takes on in a step. With more it
// is not stable (Gourlay, part 13).
const blend = 0.1

// cancel returns the vorticity of a vorton at x of radius r that induces −v at C, for a
// flow v at right angles to d = C − x:
//
//	ω = 4π|d| d × (−v) / V.
func cancel(x, c, flow vec.Vec3, r float64) vec.Vec3 {
	d := c.Sub(x)
	return d.Cross(flow.Neg()).Mul(ballSolidAngle * d.Len() / ballVolume(r))
}

const ballSolidAngle = 12.566370614359172 // 4π

// reassign returns the vorticity of a vorton at x that meets the body at C with the flow v
// (Gourlay, part 13): a share of the vorticity that cancels the flow, turned by
//
//	Ω += (2R/r) Ω_body − ω_old/2,  Ω = ω/2,
//
// R the distance of C from the center of the body, and the rest from before.
func (b *Body) reassign(old, x, c, flow vec.Vec3, r float64) vec.Vec3 {
	turn := b.Spin.Mul(2 * c.Sub(b.X).Len() / r).Sub(old.Mul(0.5))
	w := cancel(x, c, flow, r).Add(turn.Mul(2))
	return old.Lerp(w, blend)
}
