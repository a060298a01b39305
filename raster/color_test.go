package raster

import (
	"math"
	"testing"
)

// fromSRGB is the inverse of toSRGB on [0, 1] (IEC 61966-2-1).
func fromSRGB(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

func TestSRGB(t *testing.T) {
	for i := range 256 {
		c := float64(i) / 255
		if got := toSRGB(fromSRGB(c)); math.Abs(got-c) > 1e-9 {
			t.Errorf("%d comes back as %g", i, 255*got)
		}
	}
	if got := fromSRGB(0.5); math.Abs(got-0.21404114) > 1e-8 { // IEC 61966-2-1
		t.Errorf("half grey is %g, want 0.21404114", got)
	}
}

func TestDecay(t *testing.T) {
	for x := 0.0; x < 690; x = 1.01*x + 1e-3 {
		if got, want := decay(x), math.Exp(-x); math.Abs(got-want) > 1e-8*want {
			t.Errorf("decay(%g) = %g, want %g", x, got, want)
		}
	}
	if decay(0) != 1 || decay(1e9) != 0 || decay(math.Inf(1)) != 0 {
		t.Errorf("at 0 and far out: %g, %g, %g", decay(0), decay(1e9), decay(math.Inf(1)))
	}
}
