package raster

import (
	"testing"
)

// TestShortenedScaleBar holds that a scale bar never leaves the picture: one that
// is too long is drawn as the longest round one that fits.
func TestShortenedScaleBar(t *testing.T) {
	v := testView(4, 640, 360, Draft)
	for _, c := range []struct{ want, scale float64 }{{0.5, 0.5}, {1, 1}, {2, 5}, {2, 10}, {2, 1e9}, {2, 1e300}, {1e-4, 1e-4}} {
		o := Overlay{Scale: c.scale}
		if o.Scale = o.shortened(v); o.Scale != c.want {
			t.Errorf("a bar of %g m is drawn as %g, want %g", c.scale, o.Scale, c.want)
		}
		a, b, err := o.bar(v)
		if err != nil || a[0] < 0 || b[0] > 640 {
			t.Errorf("%g m: from %v to %v, %v", c.scale, a, b, err)
		}
	}
}

// TestUnwritten looks for characters that the font lacks.
func TestUnwritten(t *testing.T) {
	for text, want := range map[string]string{
		"Dam break, ρ = 1000 kg/m³ – é Ж": "", "水 and 水 🌊": "水🌊", "two\nlines": "\n",
	} {
		if got := string(Unwritten(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
