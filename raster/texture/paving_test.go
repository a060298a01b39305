package texture

import (
	"math"
	"testing"

	"breakwater/raster/color"
)

// TestPavingIsFiltered compares the colour over an area with the mean of many points of it.
func TestPavingIsFiltered(t *testing.T) {
	for _, p := range Pavings {
		const x, z = 0.62, 0.94
		for _, f := range []float64{0.06, 0.4, 2.6} {
			const n = 400
			var sum color.RGB
			for i := range n {
				for j := range n {
					sum = sum.Add(p.Color(x+f*((float64(i)+0.5)/n-0.5), z+f*((float64(j)+0.5)/n-0.5), 0, 0))
				}
			}
			want, got := sum.Scale(1.0/(n*n)), p.Color(x, z, f, f)
			if d := math.Abs(got.G - want.G); d > 0.04*want.G { // slabs differ by 3.5 %, blotches by as much
				t.Errorf("%s over %g slabs: got %g, want %g", p, f, got.G, want.G)
			}
		}
		far, mean := p.Color(x, z, 800, 800), p.Mean()
		if d := math.Abs(far.G - mean.G); d > 0.02*mean.G {
			t.Errorf("%s from far away: got %g, want %g", p, far.G, mean.G)
		}
	}
	if j := joint(0.37, 1); math.Abs(j-jointWidth) > 1e-12 {
		t.Errorf("joints cover %g of a slab, want %g", j, jointWidth)
	}
}
