package quantity

import (
	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	register("vorticity", "curl of the velocity, a vector, 1/s", "Dilts 1999", vorticityQuantity{})
}

// vorticityQuantity is the curl of the velocity field that is linear about a
// particle and fits its neighbours' velocities best, weighted by −W′(r)/r:
//
//	∇v = (Σ_j w_j Δv_j ⊗ Δx_j) (Σ_j w_j Δx_j ⊗ Δx_j)⁻¹,
//
// so that a turn as a rigid body has twice its rate to the liquid's edge, where
// a plain sum lacks neighbours. Where the neighbours are on a line or a plane,
// it is 0.
type vorticityQuantity struct{ anySolver }

func (vorticityQuantity) Numbers() int { return 3 }

func (vorticityQuantity) Of(w *sim.World, _ sim.Solver) ([]float64, []vec.Vec3) {
	curl := make([]vec.Vec3, w.Len())
	flat := w.Dim() == 2
	eachNeighbourhood(w, func(i int, near []int32) {
		var m vec.Sym3
		var x, y, z vec.Vec3 // rows of Σ w Δv ⊗ Δx
		for _, j := range near {
			dx := w.X[j].Sub(w.X[i])
			r := dx.Len()
			if r == 0 {
				continue
			}
			s := -w.Kernel.DW(r) / r
			dv := w.V[j].Sub(w.V[i]).Mul(s)
			m.AddOuter(dx, s)
			x, y, z = x.Add(dx.Mul(dv.X)), y.Add(dx.Mul(dv.Y)), z.Add(dx.Mul(dv.Z))
		}
		if flat {
			m.ZZ = (m.XX + m.YY) / 2 // nothing is known across the plane, and nothing changes there
		}
		inv, ok := invert(m)
		if !ok {
			return
		}
		x, y, z = inv.Times(x), inv.Times(y), inv.Times(z)
		curl[i] = vec.New(z.Y-y.Z, x.Z-z.X, y.X-x.Y)
	})
	return nil, curl
}
