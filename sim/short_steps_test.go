package sim

import (
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestShortSteps lets a column begin to fall in frames that are much shorter than a step,
// as in slow motion. No particle gets faster than the correction of its density in steps
// of the usual length.
func TestShortSteps(t *testing.T) {
	for _, name := range []string{"iisph", "dfsph"} {
		for _, every := range []float64{1e-5, 1e-7, 1e-9} {
			w := New(0.08, 1000)
			w.Gravity = earth
			w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1.2, 1.2, 0.8), Inside: true}}
			w.Fill(&shape.Box{Max: vec.New(0.56, 0.56, 0.8)}, vec.Vec3{})
			mustInit(t, w)
			s := registrytest.New(t, &Solvers, name)
			for k := range 30 {
				mustAdvance(t, w, s, every*float64(k+1), nil)
			}
			if v := maxSpeed(w.V); v > 0.2 {
				t.Errorf("%s, frames %g s apart: at %g s something moves at %g m/s", name, every, w.Time, v)
			}
		}
	}
}
