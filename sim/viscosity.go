package sim

import (
	"math"

	"breakwater/sim/vec"
)

// addViscosity adds the acceleration by the liquid's viscosity ν,
//
//	a_i = 2ν Σ_j V (x_ij·∇W_ij)/(|x_ij|² + 0.01 s²) v_ij,  s = h/2
//
// (Morris, Fox and Zhu, Modeling Low Reynolds Number Incompressible Flows
// Using SPH, J. Comput. Phys. 136, 1997, eq. 22). It conserves momentum. The
// form along the line of centres (Monaghan 2005) would conserve angular
// momentum too, but with so few neighbours it finds a third too little
// viscosity in a lattice's shear.
func (w *World) addViscosity(a []vec.Vec3, p *Pairs) {
	s := w.Kernel.H() / 2
	soft := 0.01 * s * s
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			near, grad, _ := p.Of(i)
			var sum vec.Vec3
			for n, j := range near {
				x := w.X[i].Sub(w.X[j])
				sum = sum.Add(w.V[i].Sub(w.V[j]).Mul(x.Dot(grad[n].vec()) / (x.Dot(x) + soft)))
			}
			a[i] = a[i].Add(sum.Mul(2 * w.Viscosity))
		}
	})
}

// viscousDt returns the longest step that explicit viscosity allows,
//
//	dt ≤ 0.1 d²/ν,
//
// (Morris, Fox and Zhu 1997, eq. 33, has 0.125 for a smoothing length of d),
// and +Inf without viscosity.
func (w *World) viscousDt() float64 {
	if w.Viscosity == 0 {
		return math.Inf(1)
	}
	return 0.1 * w.Spacing * w.Spacing / w.Viscosity
}
