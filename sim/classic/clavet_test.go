package classic

import (
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestRelaxPair has two particles relax each other and compares with the paper's
// formulas by hand: the first of them moves both, and the second sees what it has
// left.
func TestRelaxPair(t *testing.T) {
	w := sim.New(0.1, 1000)
	w.Fill(&shape.Box{Max: vec.New(0.2, 0.1, 0.1)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	s := registrytest.New(t, &sim.Solvers, "clavet").(*Clavet)
	s.RestDensity, s.Stiffness, s.Near, s.Linear, s.Quadratic = 0.1, 20, 2.5, 0, 0
	const dt = 0.01
	h, r := 0.25, w.X[0].Sub(w.X[1]).Len()
	for range 2 {
		u := 1 - r/h
		r += dt * dt * 20 * ((u*u-0.1)*u + 2.5*u*u*u*u*u)
	}
	want := (r - w.X[0].Sub(w.X[1]).Len()) / dt
	if _, err := s.Step(w, dt); err != nil {
		t.Fatal(err)
	}
	if got := w.X[0].Sub(w.X[1]).Len(); math.Abs(got-r) > 1e-14 {
		t.Errorf("two particles get to %.16g m, want %.16g", got, r)
	}
	if got := w.V[0].Sub(w.V[1]).Len(); math.Abs(got-want) > 1e-11 {
		t.Errorf("two particles part with %.16g m/s, want %.16g", got, want)
	}
}

// TestClavetColumn checks that the falling column keeps its volume, and that its front
// arrives as in the published figure at 0.73 s.
func TestClavetColumn(t *testing.T) {
	longtest.Only(t)
	w, s := column(t), registrytest.New(t, &sim.Solvers, "clavet")
	front := arrival(t, w, s, 6)
	fast := 0.
	for _, v := range w.V {
		fast = max(fast, v.Len())
	}
	t.Logf("depth %.3f m, front after %.2f s, up to %.2f m/s, paired %.3g", depth(w), front, fast, Paired(w))
	if d := depth(w); d < 0.9 || d > 1.1 {
		t.Errorf("depth %.3f m, want 0.9 to 1.1", d)
	}
	if front < 0.5 || front > 0.9 {
		t.Errorf("front after %.2f s", front)
	}
}

// TestRub checks that viscosity reduces the speed of approach, by at most all of it, and
// does not act on separating particles.
func TestRub(t *testing.T) {
	for _, dt := range []float64{1e-3, 0.1, 10} {
		for _, speed := range []float64{-2, 2} {
			w := sim.New(0.1, 1000)
			w.Fill(&shape.Box{Max: vec.New(0.2, 0.1, 0.1)}, vec.Vec3{})
			if err := w.Init(); err != nil {
				t.Fatal(err)
			}
			s := registrytest.New(t, &sim.Solvers, "clavet").(*Clavet)
			s.Linear, s.Quadratic = 5, 3
			s.prepare(w)
			s.pairs.find(w, s.law.h)
			away := w.X[1].Sub(w.X[0]).Unit()
			w.V[1] = away.Mul(speed)
			s.applyViscosity(w, dt)
			got := w.V[1].Sub(w.V[0]).Dot(away)
			u := 1 - 0.1/0.25
			want := speed
			if speed < 0 {
				want = -(2 - min(2, dt*u*(5*2+3*4)))
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("dt %g: %g m/s become %g, want %g", dt, speed, got, want)
			}
			if sum := w.V[0].Add(w.V[1]).Sub(away.Mul(speed)).Len(); sum > 1e-15 {
				t.Errorf("dt %g: momentum changes by %g", dt, sum)
			}
		}
	}
}
