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
// single ones in the corners are the fastest, and with a last layer that is not full. Without
// the viscosity of the surface the latter had 0.028 √(gH).
func TestCubeAtRest(t *testing.T) {
	longtest.Only(t) // TestSurfaceAtRest has two dimensions, and TestWaterAtRest fewer layers
	const deep = 0.3
	for _, n := range []float64{16.95, 17, 25, 35} {
		w := New(deep/n, 1000)
		w.Gravity, w.Viscosity = earth, 1e-6
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(deep, 1.5*deep, deep), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(deep, deep, deep)}, vec.Vec3{})
		mustInit(t, w)
		mustAdvance(t, w, registrytest.New(t, &Solvers, "isph"), 2, nil)
		unit := math.Sqrt(9.81 * deep)
		mean := math.Sqrt(2*w.Stats().Kinetic/(float64(w.Len())*w.Mass())) / unit
		most, limit := maxSpeed(w.V)/unit, 0.001
		if n != math.Round(n) {
			limit = 0.01
		}
		t.Logf("%g layers: v_rms %.5f and v_max %.5f √(gH)", n, mean, most)
		if mean > limit/5 || most > limit {
			t.Errorf("%g layers: v_rms %.5f and v_max %.5f √(gH), want %g and %g", n, mean, most, limit/5, limit)
		}
	}
}

// TestSurfaceAtRest has isph hold water in a plane tank for 3 s. Rows of particles at the surface
// slid over each other, faster and faster, until they buckled: with 50 and 100 layers the highest
// speed was 0.0029 and 0.0022 √(gH).
func TestSurfaceAtRest(t *testing.T) {
	longtest.NotShort(t)
	const deep = 0.3
	layers := []float64{25}
	if longtest.On() {
		layers = []float64{25, 50, 100}
	}
	for _, n := range layers {
		w := New2D(deep/n, 1000)
		w.Gravity, w.Viscosity = earth, 1e-6
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(deep, 1.5*deep, 0), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(deep, deep, 0)}, vec.Vec3{})
		mustInit(t, w)
		most := 0.
		for _, at := range []float64{2, 2.5, 3} {
			mustAdvance(t, w, registrytest.New(t, &Solvers, "isph"), at, nil)
			most = max(most, maxSpeed(w.V)/math.Sqrt(9.81*deep))
		}
		t.Logf("%g layers: v_max %.5f √(gH)", n, most)
		if most > 0.001 {
			t.Errorf("%g layers: v_max %.5f √(gH), want 0.001", n, most)
		}
	}
}

// TestSlopeAtRest has isph hold water on slopes of 1:1 and 1:2 that meet. The particles of the wedge
// at the waterline of the flatter one went round in it, at 0.01 √(gH) with 50 layers and at 0.02 with
// 100. They still are the fastest.
func TestSlopeAtRest(t *testing.T) {
	longtest.NotShort(t)
	const deep = 0.3
	layers := []float64{50}
	if longtest.On() {
		layers = []float64{50, 100}
	}
	for _, n := range layers {
		w := New2D(deep/n, 1000)
		w.Gravity, w.Viscosity = earth, 1e-6
		w.Walls = []boundary.Boundary{&boundary.Plane{Normal: vec.New(1, 1, 0)}, &boundary.Plane{Normal: vec.New(-1, 2, 0)}}
		s := registrytest.New(t, &Solvers, "isph")
		w.FillFor(s)
		w.Fill(&shape.Box{Min: vec.New(-deep, 0, 0), Max: vec.New(2*deep, deep, 0)}, vec.Vec3{})
		mustInit(t, w)
		mean, samples := 0., 0.
		for at := 1.; at <= 2; at += 0.1 {
			mustAdvance(t, w, s, at, nil)
			mean += maxSpeed(w.V) / math.Sqrt(9.81*deep)
			samples++
		}
		mean /= samples
		t.Logf("%g layers: the fastest particle has %.4f √(gH) in the mean from 1 to 2 s", n, mean)
		if mean > 0.008 {
			t.Errorf("%g layers: the fastest particle has %.4f √(gH) in the mean from 1 to 2 s, want 0.008", n, mean)
		}
	}
}
