package classic

import (
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestPairing checks that particles pair where pressure acts alone. They must not pair
// where a near pressure keeps them apart, and hardly with a kernel that is steepest at
// the centre.
func TestPairing(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		name   string
		solver func(near bool) sim.Solver
		most   float64
	}{
		{"near pressure", func(near bool) sim.Solver {
			s := registrytest.New(t, &sim.Solvers, "clavet").(*Clavet)
			if !near {
				s.Near = 0
			}
			return s
		}, 0.02},
		{"spiky kernel", func(near bool) sim.Solver {
			s := registrytest.New(t, &sim.Solvers, "textbook").(*Textbook)
			if s.Support = 2; !near {
				s.PressureKernel = "poly6"
			}
			return s
		}, 0.3},
	} {
		var paired [2]float64
		for k, near := range []bool{false, true} {
			w := sim.New(0.1, 1000)
			w.Gravity = vec.New(0, -10, 0)
			w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(0.6, 2, 0.6), Inside: true}}
			w.Fill(&shape.Box{Max: vec.New(0.6, 1, 0.6)}, vec.Vec3{})
			if err := w.Init(); err != nil {
				t.Fatal(err)
			}
			advance(t, w, c.solver(near), 1)
			paired[k] = Paired(w)
		}
		t.Logf("%s: %.2f paired without, %.2f with", c.name, paired[0], paired[1])
		if paired[0] < 0.3 || paired[1] > min(c.most, paired[0]/2) {
			t.Errorf("%s: %.2f paired without, %.2f with it", c.name, paired[0], paired[1])
		}
	}
}
