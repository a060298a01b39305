package main

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
)

// TestSpectral checks that the energy falls by what is dissipated, and that both begin as is exact.
func TestSpectral(t *testing.T) {
	const nu, dt = 0.01, 0.05
	s := newSpectral(16)
	s.start()
	e0, w := s.squares()
	if math.Abs(e0-0.25) > 1e-12 || math.Abs(w-0.75) > 1e-12 {
		t.Fatalf("the means of squares are %g and %g, want 1/4 and 3/4", e0, w)
	}
	lost := 0. // by Simpson's rule
	for _, weight := range []float64{4, 1} {
		lost += float64(nu * w * dt / 3)
		s.step(nu, dt)
		_, w = s.squares()
		lost += float64(weight * nu * w * dt / 3)
		if weight == 4 {
			w = 0 // the first value has the weight 1
		}
	}
	e, _ := s.squares()
	if got := (e0 - e) / 2; math.Abs(got/lost-1) > 1e-6 {
		t.Errorf("the energy falls by %.9g, and %.9g are dissipated", got, lost)
	}
}

// TestPolar checks the drag by friction soon after the start, when the layer at the wall is thin: 2 √(2π/(Re T)) to the
// first order. The drag follows from the impulse of the vorticity, too, and the slip at the wall is small beside 2, without the layer.
func TestPolar(t *testing.T) {
	longtest.Only(t)
	c := newPolar(400, 96, 2./550)
	impulse := func() (sum float64) {
		for j, w := range c.omega[1] {
			weight := 1.
			if j == 0 {
				weight = 0.5
			}
			sum += float64(weight * c.h * c.square[j] * math.Sqrt(c.square[j]) * w)
		}
		return math.Pi * sum
	}
	var impulses, drags []float64
	for k, time := range []float64{0.05, 0.18, 0.2} {
		for c.time < time-1e-9 {
			c.step(time)
		}
		all, friction := c.drag()
		if want := 2 * math.Sqrt(2*math.Pi/(550*time)); k == 0 && math.Abs(friction/want-1) > 0.04 {
			t.Errorf("the friction at T = %g is %g, want about %g", time, friction, want)
		}
		impulses, drags = append(impulses, impulse()), append(drags, all)
	}
	if got, want := (impulses[1]-impulses[2])/0.02, (drags[1]+drags[2])/2; math.Abs(got/want-1) > 0.02 {
		t.Errorf("the drag is %g by the impulse, and %g at the wall", got, want)
	}
	for n := 1; n < 8; n++ {
		if slip := c.slope(c.psi[n], 0); math.Abs(slip) > 0.02 {
			t.Errorf("wave %d slips by %g", n, slip)
		}
	}
}
