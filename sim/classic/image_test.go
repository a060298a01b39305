package classic

import (
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestImage checks that a lattice that fills a box is as dense along its walls as inside.
// A pressure that is the same everywhere must move none of it. In edges and corners,
// where the walls' shares have another shape than the law's, this holds only
// approximately.
func TestImage(t *testing.T) {
	for _, dim := range []int{2, 3} {
		const d = 0.1
		w := sim.New(d, 1000)
		top := vec.New(8*d, 8*d, 8*d)
		if dim == 2 {
			w = sim.New2D(d, 1000)
			top.Z = 0
		}
		w.Walls = []boundary.Boundary{&boundary.Box{Max: top, Inside: true}}
		w.Fill(&shape.Box{Max: top}, vec.Vec3{})
		if err := w.Init(); err != nil {
			t.Fatal(err)
		}
		s := registrytest.New(t, &sim.Solvers, "gourlay-calibrated").(*Gourlay)
		s.SoundSpeed, s.Pull = 10, true // so that less than the rest number shows too
		s.RestNumber, _, _, _ = s.lattice(dim, 1)
		s.prepare(w)
		s.pairs.find(w, s.law.h)
		s.densities(w)
		// touches counts the walls in contact with a particle.
		touches := func(x vec.Vec3) (n int) {
			for k, c := range []float64{x.X, x.Y, x.Z} {
				if k < dim && (c < d || c > 7*d) {
					n++
				}
			}
			return n
		}
		scale := s.law.k * (s.law.rest - 1) // of all that neighbours add
		for i, p := range s.n {
			if most := []float64{1e-9, 0.001, 0.05, 0.08}[touches(w.X[i])] * scale; p < -most || p > most {
				t.Errorf("%d dimensions: N at %v is off by %.1f %%", dim, w.X[i], 100*p/scale)
			}
		}
		for i := range s.n {
			s.n[i], s.m[i] = 1, 1
		}
		s.pressures(w, 1)
		// The push of one neighbour.
		u := 1 - d/s.law.h
		one := 2 * (u*u + u*u*u)
		for i, v := range w.V {
			if most := []float64{1e-9, 0.001, 0.25, 0.5}[touches(w.X[i])] * one; v.Len() > most {
				t.Errorf("%d dimensions: an even pressure moves the particle at %v by %.1f %% of a neighbour's push", dim, w.X[i], 100*v.Len()/one)
			}
		}
	}
}
