package validate

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
)

// TestWavemaker compares waves long after the start with a steady train, and the front with
// what it is known for: an overshoot, and nothing ahead of it.
func TestWavemaker(t *testing.T) {
	longtest.Only(t) // some seconds
	x, _ := flumeTheory(20, 16, 1, 4)
	near, far, ratio, phase := x.gauged()
	t.Logf("near %.5f m, far %.5f m, ratio %.4f, phase %.2f°", near, far, ratio, phase)
	if e := math.Abs(near/flumeHeight - 1); e > 1e-3 {
		t.Errorf("amplitude off by %.2g a wavelength from the piston", e)
	}
	if math.Abs(ratio-1) > 0.005 || math.Abs(phase) > 0.5 {
		t.Errorf("ratio %.4f and phase %.2f° after three wavelengths, want 1 and 0", ratio, phase)
	}
	x, surface := flumeTheory(20, 3, 1, 4)
	if _, far, _, _ = x.gauged(); far > 0.005*flumeHeight {
		t.Errorf("amplitude %g m ahead of the front", far)
	}
	// What the piston displaced stands in the waves.
	volume := 0.
	for i := 1; i < len(surface.x); i++ {
		volume += (surface.x[i] - surface.x[i-1]) * (surface.y[i] + surface.y[i-1]) / 2
	}
	motion := flumePiston()
	moved, _ := motion.Oscillation(3 * 2 * math.Pi / flumeFrequency())
	if want := moved * motion.Amplitude.X * flumeDepth; math.Abs(volume-want) > 1e-4*flumeHeight*flumeLength {
		t.Errorf("the waves hold %g m², want %g", volume, want)
	}
}
