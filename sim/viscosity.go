package sim

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
// With surface tension the form of the implicit solve takes its place. That form has no
// stress at free faces, so a drop spins on. It damps ripples as short as the spacing,
// which this one leaves with fifty times as much energy.
func addViscosity(w *World, b int, a, out []Vec4, p *Pairs) {
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
		a.X += float32(f * o.X)
		a.Y += float32(f * o.Y)
		a.Z += float32(f * o.Z)
	}
}
