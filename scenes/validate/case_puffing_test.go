package validate

import (
	"math"
	"testing"
)

// TestRisesThroughMean: a wave of the period 1 with ripples rises through its mean once per period.
func TestRisesThroughMean(t *testing.T) {
	var s series
	for k := range 401 {
		x := float64(k) / 100
		s.add(x, 3-math.Cos(2*math.Pi*x)+0.1*math.Sin(50*x))
	}
	at := s.risesThroughMean()
	if len(at) != 4 {
		t.Fatalf("rises at %v, want 4", at)
	}
	for k, x := range at {
		if want := float64(k) + 0.25; math.Abs(x-want) > 0.03 {
			t.Errorf("rise %d at %g, want %g", k, x, want)
		}
	}
}
