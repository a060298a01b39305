package filter

import (
	"math"
	"testing"

	"breakwater/raster/color"
	"breakwater/sim/num"
)

// TestStreaksAreSmoothedAlone smooths a grainy streak across a picture, in front of a
// line at rest. The streak must become even and keep its light. The line must stay sharp.
func TestStreaksAreSmoothedAlone(t *testing.T) {
	const w, h, cover = 60, 3, 0.25
	sum, streaks, ways := make([]color.RGB, w*h), make([]Streak, w*h), make([]Displacement, w*h)
	behind := func(x int) float64 {
		if x == 30 {
			return 0
		}
		return 1
	}
	light := 0.0
	for x := range w {
		i := w + x // of the middle row, the only one with a streak
		grain := 4 * cover * 2 * num.Hash(x, 0)
		light += grain / w
		streaks[i] = Streak{color.RGB{G: grain}, cover}
		ways[i] = Displacement{X: 60}
		for y := range h {
			sum[y*w+x] = color.RGB{G: behind(x)}
		}
		sum[i] = color.RGB{G: grain + (1-cover)*behind(x)}
	}
	got := smoothStreaks(sum, streaks, ways, w, h)
	mean, rough, before := 0.0, 0.0, 0.0
	for x := range w {
		if got[x] != sum[x] || got[2*w+x] != sum[2*w+x] {
			t.Fatalf("%d pixels along, a pixel beside the streak has changed", x)
		}
		was, is := streaks[w+x].light.G, got[w+x].G-(1-cover)*behind(x)
		mean += is / w
		rough, before = rough+(is-light)*(is-light)/w, before+(was-light)*(was-light)/w
	}
	if math.Abs(mean-light) > 0.05*light {
		t.Errorf("a streak of %g has %g of light", light, mean)
	}
	if rough > before/5 {
		t.Errorf("grain of %g is left of %g", math.Sqrt(rough), math.Sqrt(before))
	}
}
