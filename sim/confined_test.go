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

// TestWedge lets water rest between an upright wall and a slope of 1:2, in a box and in a polytope.
// Particles where the slope meets the upright walls, at 63°, went on moving at 0.12 and 0.2 √(gH), and
// at the waterline, where the slope leaves the water at 27°, at 0.07 √(gH).
func TestWedge(t *testing.T) {
	longtest.Only(t)
	const depth, width, d = 0.3, 0.12, 0.012
	edge := &boundary.Polytope{
		Points:  []vec.Vec3{{}, {}, {}, {Z: width}, {Y: 0.6}},
		Normals: []vec.Vec3{{X: -1}, {X: 1, Y: -2}, {Z: -1}, {Z: 1}, {Y: 1}},
		Inside:  true,
	}
	if err := edge.Build(); err != nil {
		t.Fatal(err)
	}
	walls := map[string][]boundary.Boundary{
		"box": {
			&boundary.Box{Max: vec.New(0.7, 0.6, width), Inside: true},
			&boundary.Plane{Normal: vec.New(-1, 2, 0)},
		},
		"polytope": {edge},
	}
	for name, most := range map[string]float64{"box": 0.03, "polytope": 0.08} {
		w := New(d, 1000)
		w.Gravity, w.Viscosity, w.Walls = earth, 1e-6, walls[name]
		s := registrytest.New(t, &Solvers, DefaultSolver)
		w.FillFor(s)
		w.Fill(&shape.Box{Max: vec.New(2*depth, depth, width)}, vec.Vec3{})
		mustInit(t, w)
		mustAdvance(t, w, s, 1, nil)
		fastest := 0.
		mustAdvance(t, w, s, 2, func(i StepInfo) error { fastest = max(fastest, i.MaxSpeed); return nil })
		if fastest /= math.Sqrt(9.81 * depth); fastest > most {
			t.Errorf("%s: a particle of water at rest has %.2g √(gH)", name, fastest)
		}
		t.Logf("%s: %d particles, the fastest has %.2g √(gH)", name, w.Len(), fastest)
	}
}
