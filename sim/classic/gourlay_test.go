package classic

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// depth returns twice the mean height of the particles: the depth of liquid of
// even density on a floor at 0.
func depth(w *sim.World) float64 {
	return 2 * total(w, func(i int) vec.Vec3 { return w.X[i] }).Y / float64(w.Len())
}

// TestColumn runs the scene of the article's figure 1 till it rests. As published the
// liquid is compressed to about a third of its depth of 1 m, and reaches the other wall
// after 0.73 s. With the law balanced for the spacing it keeps nine tenths of the depth.
// It arrives as soon as water, which takes about 0.45 s by Martin and Moyce 1952.
func TestColumn(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		name        string
		lo, hi      float64 // of the depth, m
		first, last float64 // arrival, s
	}{{"gourlay-default", 0.25, 0.42, 0.65, 0.85}, {"gourlay-calibrated", 0.9, 1.05, 0.4, 0.5}} {
		w, s := column(t), registrytest.New(t, &sim.Solvers, c.name)
		front := arrival(t, w, s, 8)
		t.Logf("%s: depth %.3f m, front arrives after %.2f s", c.name, depth(w), front)
		if d := depth(w); d < c.lo || d > c.hi {
			t.Errorf("%s: depth %.3f m, want %g to %g", c.name, d, c.lo, c.hi)
		}
		if front < c.first || front > c.last {
			t.Errorf("%s: front arrives after %.2f s, want %g to %g", c.name, front, c.first, c.last)
		}
	}
}

// TestRestNumber checks that a lattice at its spacing rests if the rest number is
// derived, and that the stiffness gives the requested speed of sound.
func TestRestNumber(t *testing.T) {
	for k, support := range []float64{2.5, 3, 4, 5, 2.5, 3, 4, 5} {
		s := registrytest.New(t, &sim.Solvers, "gourlay-calibrated").(*Gourlay)
		s.Support, s.SoundSpeed, s.Near, s.Pull = support, 20, 2, k < 4
		w := sim.New(0.1, 1000)
		w.Fill(&shape.Box{Max: vec.New(1.1, 1.1, 1.1)}, vec.Vec3{})
		if err := w.Init(); err != nil {
			t.Fatal(err)
		}
		s.prepare(w)
		if p := s.virial(3, w.Spacing, 1); math.Abs(p) > 1e-12 {
			t.Errorf("support %g: pressure %g at rest", support, p)
		}
		const e = 1e-3
		if p, want := s.law.k*s.virial(3, w.Spacing, math.Cbrt(1/(1+e))), e*20*20; math.Abs(p/want-1) > 0.02 {
			t.Errorf("support %g: P/ρ of %g m²/s² at %g more than the rest density, want %g", support, p, e, want)
		}
		s.RadialRange, s.Dissipation = 0, 0
		dt := s.MaxDt(w)
		if _, err := s.Step(w, dt); err != nil {
			t.Fatal(err)
		}
		for i, x := range w.X { // away from the surface
			if m := math.Max(math.Abs(x.X-0.55), math.Max(math.Abs(x.Y-0.55), math.Abs(x.Z-0.55))); m < 0.05 && w.V[i].Len() > 1e-9 {
				t.Errorf("support %g: a particle of a lattice at rest moves at %v", support, w.V[i])
			}
		}
	}
}

// TestShock checks that shock viscosity acts only on approaching particles, conserves
// their momentum, and brings them at most to a common velocity.
func TestShock(t *testing.T) {
	s := vec.New(1, 0, 0) // from B to A
	a, b := vec.New(-2, 1, 0), vec.New(1, 0, 3)
	for _, dt := range []float64{0.01, 0.1, 1, 10} {
		p, q := shock(a, b, s, dt, 3, 0)
		if sum := p.Add(q).Sub(a).Sub(b); sum.Len() > 1e-15 {
			t.Errorf("dt %g: momentum changes by %v", dt, sum)
		}
		if was, is := a.X-b.X, p.X-q.X; is < was || is > 1e-15 {
			t.Errorf("dt %g: approach at %g becomes %g", dt, was, is)
		}
		if p.Y != a.Y || q.Z != b.Z {
			t.Errorf("dt %g: changes velocity across the line", dt)
		}
		if p, q := shock(b, a, s, dt, 3, 3); p != b || q != a {
			t.Errorf("dt %g: acts on particles that part", dt)
		}
		if p, q := shock(a, b, s, dt, 0, 3); math.Abs(p.X-a.X) > 1e-15 || (p.Sub(q)).Len() > (a.Sub(b)).Len() {
			t.Errorf("dt %g: tangential viscosity gives %v, %v", dt, p, q)
		}
	}
	for _, part := range []float64{0, 0.1, 0.5, 3} {
		p, q := exchange(a, b, part)
		if sum := p.Add(q).Sub(a).Sub(b); sum.Len() > 1e-15 || p.Sub(q).Dot(a.Sub(b)) < -1e-15 {
			t.Errorf("exchange of %g gives %v and %v", part, p, q)
		}
	}
}

// TestHeat checks that the energy lost to viscosity becomes heat.
func TestHeat(t *testing.T) {
	w := cluster(t)
	s := registrytest.New(t, &sim.Solvers, "gourlay-default").(*Gourlay)
	s.Heat, s.Stiffness, s.Diffusion, s.Dissipation, s.SpeedLimit = true, 1e-300, 20, 1, 0
	energy := func() (sum float64) {
		for i, v := range w.V {
			sum += v.Dot(v)/2 + w.Carry("heat")[i]
		}
		return sum
	}
	before := energy()
	for range 10 {
		if _, err := s.Step(w, 0.01); err != nil {
			t.Fatal(err)
		}
	}
	heat := 0.
	for _, q := range w.Carry("heat") {
		heat += q
	}
	if after := energy(); math.Abs(after/before-1) > 1e-12 || heat < 0.2*before {
		t.Errorf("%g J/kg of motion become %g with %g of heat", before, after, heat)
	}
}

// TestBuoyancy checks that a liquid as dense as its surroundings hovers.
func TestBuoyancy(t *testing.T) {
	for ambient, want := range map[float64]float64{0: -10, 500: -5, 1000: 0, 2000: 10} {
		w := sim.New(0.1, 1000)
		w.Gravity = vec.New(0, -10, 0)
		w.Fill(&shape.Box{Max: vec.New(0.1, 0.1, 0.1)}, vec.Vec3{})
		if err := w.Init(); err != nil {
			t.Fatal(err)
		}
		s := registrytest.New(t, &sim.Solvers, "gourlay-default").(*Gourlay)
		s.Ambient, s.Dissipation = ambient, 0
		advance(t, w, s, 0.1)
		if got := w.V[0].Y / 0.1; math.Abs(got-want) > 1e-6 {
			t.Errorf("in %g kg/m³ it falls with %g m/s², want %g", ambient, got, want)
		}
	}
}

// TestJiggle checks that coincident particles separate in opposite directions.
func TestJiggle(t *testing.T) {
	if a, b := pairDirection(3, 7, 0.5), pairDirection(7, 3, 0.5); a.Add(b).Len() != 0 || math.Abs(a.Len()-1) > 1e-12 {
		t.Errorf("%v and %v", a, b)
	}
	if pairDirection(3, 7, 0.5) == pairDirection(3, 7, 0.6) || pairDirection(3, 7, 0.5) == pairDirection(3, 8, 0.5) {
		t.Error("the direction is always the same")
	}
	w := sim.New(0.1, 1000)
	w.Fill(&shape.Box{Max: vec.New(0.2, 0.1, 0.1)}, vec.Vec3{})
	w.X[1] = w.X[0]
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	advance(t, w, registrytest.New(t, &sim.Solvers, "gourlay-default"), 0.2)
	if d := w.X[0].Sub(w.X[1]).Len(); !(d > 0.01) {
		t.Errorf("two particles at one place are %g m apart after 0.2 s", d)
	}
}

// arrival advances the column to end, and returns when its front comes to the far side, s: 0 for
// never.
func arrival(t *testing.T, w *sim.World, s sim.Solver, end float64) (front float64) {
	t.Helper()
	if err := w.Advance(s, end, func(info sim.StepInfo) error {
		if front == 0 && slices.ContainsFunc(w.X, func(x vec.Vec3) bool { return x.X < 0.1 }) {
			front = info.Time
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return front
}
