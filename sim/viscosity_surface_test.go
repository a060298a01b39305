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

// TestCubeAtRest has isph hold a cube of water for 2 s: with full layers of particles, where
// single ones in the corners were the fastest, and with a last layer that is not full. Without
// the viscosity of the surface the latter had 0.028 √(gH). From 17 to 25 full layers the highest
// speed falls.
func TestCubeAtRest(t *testing.T) {
	const deep = 0.3
	last := math.Inf(1)
	layers := []float64{16.95, 17}
	if longtest.On() {
		layers = []float64{16.95, 17, 25}
	}
	for _, n := range layers {
		w := New(deep/n, 1000)
		w.Gravity, w.Viscosity = earth, 1e-6
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(deep, 1.5*deep, deep), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(deep, deep, deep)}, vec.Vec3{})
		mustInit(t, w)
		mustAdvance(t, w, registrytest.New(t, &Solvers, "isph"), 2, nil)
		unit := math.Sqrt(9.81 * deep)
		mean := math.Sqrt(2*w.Stats().Kinetic/(float64(w.Len())*w.Mass())) / unit
		most := maxSpeed(w.V) / unit
		t.Logf("%g layers: v_rms %.5f and v_max %.5f √(gH)", n, mean, most)
		if mean > 0.002 || most > 0.01 {
			t.Errorf("%g layers: v_rms %.5f and v_max %.5f √(gH), want 0.002 and 0.01", n, mean, most)
		}
		if n == math.Round(n) {
			if most > last {
				t.Errorf("%g layers: v_max %.5f √(gH), %.5f with fewer layers", n, most, last)
			}
			last = most
		}
	}
}
