package vorticity

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestDivergence checks that vortex lines do not end within the distributions.
func TestDivergence(t *testing.T) {
	axis := vec.New(1, 2, 2)
	for _, d := range []Distribution{
		&Ring{Axis: axis, Radius: 1, Core: 0.2, Circulation: 3}, &JetRing{Axis: axis, Radius: 1, Thickness: 1, Circulation: 3},
		&Ball{Axis: axis, Radius: 2, Circulation: 3}, &Tube{Axis: axis, Length: 3, Core: 0.8, Variation: 0.3, Circulation: 3},
		&Sheet{Normal: axis, Along: vec.New(1, 0, 0), Length: 4, Width: 3, Thickness: 0.5, Variation: 0.5, Jump: 3},
	} {
		for _, x := range []vec.Vec3{{X: 0.3, Y: 0.4, Z: 0.2}, {X: -0.7, Y: 0.5, Z: 0.4}, {X: 0.6, Y: -0.4, Z: 0.6}} {
			const e = 1e-4
			var div, size float64
			for _, s := range []vec.Vec3{{X: e}, {Y: e}, {Z: e}} {
				slope := d.Vorticity(x.Add(s)).Sub(d.Vorticity(x.Sub(s))).Mul(1 / (2 * e))
				div, size = div+slope.Dot(s)/e, size+slope.Len()
			}
			if !(math.Abs(div) <= 1e-5*(1+size)) {
				t.Errorf("%T: divergence %.3g at %v, want 0", d, div, x)
			}
		}
	}
}
