package sim

import "math"

// addViscosity adds the acceleration by the liquid's viscosity ν of the
// particles of block b to a,
//
//	a_i = 2ν Σ_j V (x_ij·∇W_ij)/|x_ij|² v_ij
//
// (Morris, Fox and Zhu, Modeling Low Reynolds Number Incompressible Flows
// Using SPH, J. Comput. Phys. 136, 1997, eq. 22). It conserves momentum. The
// form along the line of centres (Monaghan 2005) would conserve angular
// momentum too, but with so few neighbours it finds a third too little
// viscosity in a lattice's shear.
//
// Where surface tension rules, the form of the implicit solve takes its place:
// its free faces are free, so that a drop spins on, and it calms ripples as
// short as the spacing, which this one leaves fifty times as much energy.
func (w *World) addViscosity(b int, a, out []Vec4, p *Pairs) {
	if w.SurfaceTension > 0 {
		p.strain(b, out, p.V)
		add(a, out, float32(w.viscosity()))
		return
	}
	blk := &p.blocks[b]
	blk.Diffusion(out, p.V)
	add(a, out, float32(2*w.viscosity())/(p.h*p.h))
}

// add adds f times out to a.
func add(a, out []Vec4, f float32) {
	for i := range a {
		a, o := &a[i], &out[i]
		a.X += f * o.X
		a.Y += f * o.Y
		a.Z += f * o.Z
	}
}

// viscousDt returns the longest step that explicit viscosity allows,
//
//	dt ≤ 0.125 d²/ν,
//
// (Morris, Fox and Zhu 1997, eq. 33, for a smoothing length of d),
// and +Inf without viscosity.
func (w *World) viscousDt() float64 {
	if w.viscosity() == 0 {
		return math.Inf(1)
	}
	return 0.125 * w.Spacing * w.Spacing / w.viscosity()
}
