package vortex

import (
	"math/rand/v2"
	"testing"

	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// TestDrift compares the motion of tracers in one pass with its parts, to the bit: velocities
// and temperatures of the grid, also outside of it, and a step of Euler's.
func TestDrift(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	gas := Gas{Density: 1.2, Temperature: 300, Wind: vec.New(0.3, -0.1, 0.2)}
	s := &Gourlay{grid: grid.Grid{Min: vec.New(-1, 0, 2), Edge: vec.New(0.3, 0.2, 0.5), N: [3]int{4, 8, 2}}}
	number := func() float64 { return r.NormFloat64() }
	for range s.grid.Points() {
		s.field = append(s.field, vec.New(number(), number(), number()))
		s.density = append(s.density, number())
	}
	f := &Flow{}
	const n, dt = 1000, 0.01
	for range n {
		f.AddTracer(vec.New(-0.4+number(), 0.8+number(), 2.5+number()), 0, Blend{})
	}
	f.AddTracer(s.grid.Min, 0, Blend{})
	f.AddTracer(s.grid.Min.Add(s.grid.Size()), 0, Blend{})
	want := &Flow{}
	for _, x := range f.Tracers.X {
		want.AddTracer(x, 0, Blend{})
	}
	w := &want.Tracers
	s.fetch(w.V, w.X)
	assign(w, &gas, &s.grid, s.density)
	advect(w.X, w.V, gas.Wind, dt)
	s.drift(&f.Tracers, &gas, dt)
	for i := range w.X {
		if got := &f.Tracers; got.X[i] != w.X[i] || got.V[i] != w.V[i] || got.Temperature[i] != w.Temperature[i] {
			t.Fatalf("tracer %d: %v, %v m/s and %g K, want %v, %v m/s and %g K", i, got.X[i], got.V[i], got.Temperature[i], w.X[i], w.V[i], w.Temperature[i])
		}
	}
}
