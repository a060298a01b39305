package color

import (
	"math"
	"testing"
)

func TestQuantize(t *testing.T) {
	for x := 0.0; x < 1.2; x += 1e-4 {
		if got, want := quantize(x, 0.5), uint8(255*SRGB(x)+0.5); got != want && math.Abs(math.Mod(255*SRGB(x)+0.5, 1)) > 1e-3 {
			t.Errorf("%g: got %d, want %d", x, got, want)
		}
	}
}

func TestFilmRises(t *testing.T) {
	last := -1.0
	for x := 0.0; x < 20; x += 0.01 {
		c := film(RGB{x, x, x})
		if c.G < last-1e-12 || c.G > 1 {
			t.Fatalf("film(%g) = %g after %g", x, c.G, last)
		}
		if math.Abs(c.R-c.B) > 1e-12 {
			t.Fatalf("grey %g gets a tint: %v", x, c)
		}
		last = c.G
	}
}

// TestDitherIsFair checks that a shade between two levels comes out right in
// the mean of a small area.
func TestDitherIsFair(t *testing.T) {
	for _, x := range []float64{0.2, 0.21, 0.213} {
		sum := 0.0
		for i := range 32 * 32 {
			sum += float64(quantize(x, Dither(i%32, i/32)))
		}
		if got, want := sum/1024, 255*SRGB(x); math.Abs(got-want) > 0.05 {
			t.Errorf("mean level %g, want %g", got, want)
		}
	}
}
