package sim

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestCornerBelowDisc lets deep water rest around a disc that is 0.05 m deep in the floor: in the
// corners below it, of 41°, particles burst with steps as long as the rest of the water allows,
// at 1.2 m/s with 60 spacings of depth.
func TestCornerBelowDisc(t *testing.T) {
	longtest.NotShort(t)
	first := 0.
	for _, d := range []float64{0.02, 0.01, 0.005} {
		if d < 0.02 && !longtest.On() {
			break
		}
		w := New2D(d, 1000)
		w.Gravity, w.Viscosity = earth, 1e-6
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1.2, 1.2, 0), Inside: true}, &boundary.Sphere{Center: vec.New(0.6, 0.15, 0), Radius: 0.2}}
		s := registrytest.New(t, &Solvers, DefaultSolver)
		w.FillFor(s)
		w.Fill(&shape.Box{Max: vec.New(1.2, 0.6, 0)}, vec.Vec3{})
		mustInit(t, w)
		mustAdvance(t, w, s, 0.25, nil)
		sum, fastest, n := 0., 0., 0.
		mustAdvance(t, w, s, 0.5, func(i StepInfo) error {
			for _, v := range w.V {
				sum += v.Dot(v)
			}
			fastest, n = max(fastest, i.MaxSpeed), n+float64(w.Len())
			return nil
		})
		rms := math.Sqrt(sum / n)
		t.Logf("d = %g m: rms %.2g m/s, most %.2g m/s", d, rms, fastest)
		if fastest > 0.1*math.Sqrt(9.81*0.6) {
			t.Errorf("d = %g m: a particle gets %.2g m/s", d, fastest)
		}
		if first == 0 {
			first = rms
		}
		if d < 0.01 && rms > first/2 {
			t.Errorf("d = %g m: an rms speed of %.2g m/s, after %.2g m/s with four times the spacing", d, rms, first)
		}
	}
}
