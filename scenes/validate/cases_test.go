package validate

import (
	"math"
	"testing"

	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestFiniteWave compares the frequency with Rayleigh's for deep water, 1 − (ka)²/8, and checks
// the depth kH = 1.058 at which it does not depend on the amplitude (Tadjbakhsh and Keller 1960).
func TestFiniteWave(t *testing.T) {
	if got := finiteWave(20, 0.2); math.Abs(got+0.04/8) > 1e-9 {
		t.Errorf("deep water: %g, want %g", got, -0.04/8)
	}
	if got := finiteWave(1.058, 1); math.Abs(got) > 1e-3 {
		t.Errorf("at kH = 1.058: %g, want 0", got)
	}
	if finiteWave(0.5, 1) <= 0 {
		t.Error("shallow water: the frequency falls with the amplitude")
	}
}

// TestWaveAmplitude finds the amplitude of a cosine that decays, in its third period.
func TestWaveAmplitude(t *testing.T) {
	x := &waveRun{}
	for i := range 3*wavePart + 1 {
		p := float64(i) / wavePart
		x.swing.add(p, math.Exp(-p/50)*math.Cos(2*math.Pi*p+0.3)+0.1)
	}
	if got, want := x.amplitude(3), math.Exp(-2.5/50); math.Abs(got-want) > 1e-3 {
		t.Errorf("amplitude %g, want %g", got, want)
	}
	if got := x.amplitude(4); !math.IsNaN(got) {
		t.Errorf("amplitude %g of a period that is not there", got)
	}
}

// TestStoker holds the solution to the conservation of volume and momentum across the bore
// and over the whole, and to the equations' invariant in the fan.
func TestStoker(t *testing.T) {
	const high, low, g = 0.15, 0.038, 9.81
	s := newStoker(high, low, g)
	agree := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-3*math.Abs(want)) {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	agree("volume through the bore", s.bore*(s.middle-low), s.middle*s.speed)
	agree("momentum through the bore", s.bore*s.middle*s.speed, s.middle*s.speed*s.speed+g/2*(s.middle*s.middle-low*low))
	agree("invariant", s.speed+2*math.Sqrt(g*s.middle), 2*math.Sqrt(g*high))
	volume := 0.
	const step = 1e-4
	for v := -2 + step/2; v < 2; v += step {
		volume += s.depth(v) * step
	}
	agree("volume", volume, 2*(high+low))
	if !(s.low < s.middle && s.middle < s.high && s.bore > s.speed) {
		t.Errorf("%+v", s)
	}
}

// TestDepths measures the depth of two steps of water, and finds the edge between them.
func TestDepths(t *testing.T) {
	w := tank2D(0.01, 1, 1)
	w.Fill(&shape.Box{Max: vec.New(0.5, 0.3, 0)}, vec.Vec3{})
	w.Fill(&shape.Box{Min: vec.New(0.5, 0, 0), Max: vec.New(1, 0.1, 0)}, vec.Vec3{})
	s := depths(w, 1, 0.02)
	for i, x := range s.x {
		want := 0.3
		if x > 0.51 {
			want = 0.1
		}
		if math.Abs(x-0.5) > 0.015 && math.Abs(s.y[i]-want) > 1e-6 {
			t.Errorf("at %g m: depth %g, want %g", x, s.y[i], want)
		}
	}
	if got := farthestAbove(&s, 0.2); math.Abs(got-0.5) > 1e-6 {
		t.Errorf("the edge is at %g m, want 0.5", got)
	}
	if got := farthestAbove(&s, 1); got != 0 {
		t.Errorf("no depth is above 1 m, got %g", got)
	}
}

// TestAddedMassNearWall checks the series at the wall and far from it.
func TestAddedMassNearWall(t *testing.T) {
	for h, want := range map[float64]float64{1: math.Pi*math.Pi/3 - 1, 20: 1 + 1./800, 1 + 1e-8: math.Pi*math.Pi/3 - 1} {
		if got := addedMass(h); math.Abs(got-want) > 2e-3 {
			t.Errorf("at %g radii: %g, want %g", h, got, want)
		}
	}
}

// TestTravel compares the time far from the floor with that of the constant acceleration g/9.
func TestTravel(t *testing.T) {
	b := disc{density: 0.8, gap: 1e4}
	if got, want := b.travel(1, 2, 1), math.Sqrt(2*2*9/9.81); math.Abs(got/want-1) > 1e-6 {
		t.Errorf("rises 2 m in %g s, want %g", got, want)
	}
	// The floor holds a body back that leaves it.
	b.gap = 0
	if got, far := b.travel(1, 2, 1), math.Sqrt(2*2*9/9.81); got < 1.02*far || got > 1.4*far {
		t.Errorf("from the floor: %g s, far from it %g s", got, far)
	}
}

// TestCoreDensity measures a lattice as it is, and with every other row taken out.
func TestCoreDensity(t *testing.T) {
	w := tank2D(0.02, 1, 1)
	w.Fill(&shape.Box{Min: vec.New(-0.5, -0.5, 0), Max: vec.New(0.5, 0.5, 0)}, vec.Vec3{})
	for i := range w.X { // Fill leaves out what is outside the tank
		w.X[i] = w.X[i].Sub(vec.New(0.24, 0.24, 0))
	}
	if got := coreDensity(w, 0.15); math.Abs(got-1) > 0.01 {
		t.Errorf("a lattice: %g, want 1", got)
	}
	for i, x := range w.X {
		if int(math.Floor(x.Y/0.02))%2 == 0 {
			w.X[i].X += 10
		}
	}
	if got := coreDensity(w, 0.15); math.Abs(got-0.5) > 0.01 {
		t.Errorf("half a lattice: %g, want 0.5", got)
	}
}

// TestGreshoVelocity checks the speeds at the kinks and beyond the vortex.
func TestGreshoVelocity(t *testing.T) {
	for at, want := range map[float64]float64{0: 0, 0.1: 0.5, 0.2: 1, 0.3: 0.5, 0.4: 0, 0.5: 0} {
		if v := greshoVelocity(vec.New(0, at, 0)); math.Abs(v.X+want) > 1e-12 || v.Y != 0 {
			t.Errorf("at %g m: %v, want %g to the left", at, v, want)
		}
	}
}

// TestHarmonic finds the amplitude and the phase of a wave with a second harmonic and a mean.
func TestHarmonic(t *testing.T) {
	var o oscillation
	for i := range 3 * wavePart {
		p := 2 * math.Pi * float64(i+1) / wavePart
		o = append(o, 0.3*math.Cos(p-1.2)+0.1*math.Cos(2*p)+0.5)
	}
	if a, phase := o.harmonic(); math.Abs(a-0.3) > 1e-12 || math.Abs(phase-1.2) > 1e-12 {
		t.Errorf("amplitude %g with phase %g, want 0.3 with 1.2", a, phase)
	}
	if a, _ := o[:wavePart].harmonic(); !math.IsNaN(a) {
		t.Errorf("amplitude %g of one period, want none", a)
	}
}

// TestPistonGain compares a piston with the limits of theory: kH in shallow water, 2 in deep water.
func TestPistonGain(t *testing.T) {
	for q, want := range map[float64]float64{0.01: 0.01, 20: 2} {
		if got := pistonGain(q); math.Abs(got/want-1) > 1e-3 {
			t.Errorf("kH = %g: %g, want %g", q, got, want)
		}
	}
}
