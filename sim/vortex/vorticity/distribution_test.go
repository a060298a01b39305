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
		&Ring{Axis: axis, Radius: 1, Core: 0.2, Circulation: 3}, &Ring{Axis: axis, Radius: 0.7, Core: 0.2, Circulation: 3, Waves: 5, WaveHeight: 0.1},
		&Ring{Axis: vec.New(0, -1, 0), Radius: 0.7, Core: 0.2, Circulation: 3, Waves: 2, WaveHeight: 0.2}, &JetRing{Axis: axis, Radius: 1, Thickness: 1, Circulation: 3},
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

// TestWaves checks that the vorticity of a ring with waves is largest on the wavy circle, and that a
// ring that moves to the other side has its crests at the same places.
func TestWaves(t *testing.T) {
	r := Ring{Axis: vec.New(1, 0, 0), Radius: 1, Core: 0.1, Circulation: 1, Waves: 6, WaveHeight: 0.05}
	back := r
	back.Axis = vec.New(-1, 0, 0)
	for _, x := range []struct{ turn, radius float64 }{{0, 1.05}, {30, 0.95}, {60, 1.05}, {15, 1}, {45, 1}} {
		sin, cos := math.Sincos(x.turn * math.Pi / 180)
		at := func(radius float64) vec.Vec3 { return vec.New(0, radius*cos, radius*sin) }
		peak := r.Vorticity(at(x.radius)).Dot(vec.New(0, -sin, cos))
		if want := 1 / (math.Pi * 0.01); math.Abs(peak-want) > 1e-9*want {
			t.Errorf("%g° from the top: %g 1/s around the axis, want %g", x.turn, peak, want)
		}
		if a, b := r.Vorticity(at(0.97)), back.Vorticity(at(0.97)); a.Add(b).Len() > 1e-9*a.Len() {
			t.Errorf("%g° from the top: %v, and %v in the ring that moves back", x.turn, a, b)
		}
	}
}
