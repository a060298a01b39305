package sim

import (
	"math"

	"breakwater/sim/vec"
)

// addViscosity adds the acceleration by the liquid's viscosity ν,
//
//	a_i = 2(d+2) ν Σ_j V (v_ij·x_ij)/(|x_ij|² + 0.01 h²) ∇W_ij,  d = 3
//
// (Monaghan, Smoothed particle hydrodynamics, Rep. Prog. Phys. 68, 2005, sec.
// 8, in the form of Koschier et al. 2019, eq. 102). It conserves momentum and
// angular momentum.
func (w *World) addViscosity(a []vec.Vec3, p *Pairs) {
	soft := 0.01 * w.Kernel.H() * w.Kernel.H()
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			near, grad, _ := p.Of(i)
			var sum vec.Vec3
			for n, j := range near {
				x, v := w.X[i].Sub(w.X[j]), w.V[i].Sub(w.V[j])
				g := grad[n]
				s := v.Dot(x) / (x.Dot(x) + soft)
				sum = sum.Add(vec.New(float64(g.X), float64(g.Y), float64(g.Z)).Mul(s))
			}
			a[i] = a[i].Add(sum.Mul(10 * w.Viscosity))
		}
	})
}

// viscousDt returns the longest step that explicit viscosity allows,
//
//	dt ≤ 0.1 d²/ν,
//
// (Morris, Fox and Zhu, Modeling Low Reynolds Number Incompressible Flows
// Using SPH, 1997, eq. 33, with 0.125 h² for a smoothing length of d), and
// +Inf without viscosity.
func (w *World) viscousDt() float64 {
	if w.Viscosity == 0 {
		return math.Inf(1)
	}
	return 0.1 * w.Spacing * w.Spacing / w.Viscosity
}
