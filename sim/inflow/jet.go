package inflow

import (
	"math"

	"breakwater/sim/vec"
)

// A jet that falls gets faster, and so thinner: its section is A = Q/v. The pressure in
// it, slightly below ambient, draws it together. Solvers hold the pressure at 0 or
// above, since liquid that could pull would stick to what it touches. A jet would then
// keep the width of its opening, and its layers would part.
//
// So particles of an inflow that fly freely may have a negative pressure. Its bound is
// the pressure of a round jet of radius R that gravity stretches at the rate s,
//
//	p/ρ ≥ −(R²s² + 3νs),
//
// where the inertia of a liquid that flows inward needs 3/8 R²s², and its viscosity
// νs. Without the bound, particles that pull at each other draw together in pairs
// (Swegle, Hicks and Attaway, Smoothed particle hydrodynamics stability analysis, J.
// Comput. Phys. 116, 1995).

// maxJetDeviation is the largest deviation of a jet particle's velocity from free fall,
// relative to the speed of free fall.
const maxJetDeviation = 0.5

// Suction returns how far below 0 the pressure over the density of the particle with this number
// may be at time t, m²/s². Its velocity is v, gravity is g, and the viscosity is nu, in m²/s. It is
// 0 for a particle that is not in a jet, or in one that rises.
func (b *Buffers) Suction(id uint32, t float64, v, g vec.Vec3, nu float64) float64 {
	n, c, layer := b.Column(id)
	if n == nil {
		return 0
	}
	age := t - n.Start - n.delay(c, layer)
	if age < 0 || n.distance(c, layer, t) < 0 {
		return 0
	}
	free := n.Dir.Mul(c.Speed).Add(g.Mul(age))
	v2 := free.Dot(free)
	if off := v.Sub(free); !(off.Dot(off) <= maxJetDeviation*maxJetDeviation*v2) {
		return 0
	}
	// Where a jet turns, it would be stretched without bounds.
	rate := max(0, min(g.Dot(free)/v2, math.Sqrt(v2)/n.HalfWidth)) // 1/s
	return float64(n.HalfWidth*n.HalfWidth*rate*rate) + float64(3*nu*rate)
}
