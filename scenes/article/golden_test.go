package article

import (
	"testing"

	"breakwater/raster/golden"
	"breakwater/sim/longtest"
)

// TestGolden compares small prints of the drawings with those kept in testdata, and at full
// length the figures of articles B and C that simulate and show no times of this machine.
func TestGolden(t *testing.T) {
	plots := figures(t, !longtest.On())
	list := []string{"amd-sort", "article-kernels", "distances", "gradients", "interpolation", "jerk-event", "ring-speed", "rounding", "shock-viscosity", "stencils", "vorton-profile"}
	if longtest.On() {
		list = append(list, "airfoil-wake", "jerk-scales", "jerk-techniques", "jerky-paths", "plate-flames", "plate-wake", "ring-boundaries", "vorton-paths")
	}
	for _, name := range list {
		got, err := plots[name].Draw(60)
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, name, got, golden.Tolerance{Mean: 0.5, Far: 1})
	}
}
