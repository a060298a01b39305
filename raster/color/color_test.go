package color

import (
	"math"
	"testing"
)

func TestSRGB(t *testing.T) {
	for i := range 256 {
		c := float64(i) / 255
		if got := SRGB(Linear(c)); math.Abs(got-c) > 1e-9 {
			t.Errorf("%d comes back as %g", i, 255*got)
		}
	}
	if got := Linear(0.5); math.Abs(got-0.21404114) > 1e-8 { // IEC 61966-2-1
		t.Errorf("half grey is %g, want 0.21404114", got)
	}
}
