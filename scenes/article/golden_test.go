package article

import (
	"testing"

	"breakwater/raster/golden"
)

// TestGolden compares small prints of the drawings with those kept in testdata.
func TestGolden(t *testing.T) {
	plots := figures(t, true)
	for _, name := range []string{"amd-sort", "article-kernels", "distances", "gradients", "interpolation", "shock-viscosity", "stencils"} {
		got, err := plots[name].Draw(60)
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, name, got, golden.Tolerance{Mean: 0.5, Far: 1})
	}
}
