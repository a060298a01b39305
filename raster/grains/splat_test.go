package grains

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestSplats compares a cloud splatted on a screen with the cloud gathered along rays, pixel
// by pixel in the mean, and looks for grains behind what hides them.
func TestSplats(t *testing.T) {
	const pixels, size = 48, 0.4
	p := cloudIn(cube(0.3), 3000, 3e-4, 2e-3, 1, 12)
	v := View{Eye: vec.Vec3{Z: 2}, Spread: size / 2 / pixels}
	s := &Screen{
		Width: pixels, Height: pixels, Depth: make([]float32, pixels*pixels),
		Project: func(x vec.Vec3) (px, py, depth float64) {
			depth = v.Eye.Z - x.Z
			return (x.X/depth/v.Spread + pixels/2), (x.Y/depth/v.Spread + pixels/2), depth
		},
		Color: func(Kind, vec.Vec3) vec.Vec3 { return vec.Vec3{X: 1, Y: 1, Z: 1} },
	}
	for i := range s.Depth {
		s.Depth[i] = 100
		if i >= pixels*pixels/2 {
			s.Depth[i] = 1
		}
	}
	got := p.Splat(v, s, Spray)
	_, left := picture(New(p, v, evenly(), Spray), v, size, pixels, 0)
	sum, want, rms := 0.0, 0.0, 0.0
	for i, c := range got.Cover {
		if math.Abs(got.Light[i].X-float64(c)) > 1e-5 {
			t.Fatalf("pixel %d has the light %g of white grains that cover %g", i, got.Light[i].X, c)
		}
		if i >= pixels*pixels/2 {
			if c != 0 {
				t.Fatalf("pixel %d shows grains behind what hides them", i)
			}
			continue
		}
		d := float64(c) - 1 + left[i]
		sum, want, rms = sum+float64(c), want+1-left[i], rms+d*d
	}
	if math.Abs(sum-want) > 0.02*want || math.Sqrt(rms/(pixels*pixels/2)) > 0.02 {
		t.Errorf("splats cover %.1f pixels, rays %.1f; r.m.s. %.3f", sum, want, math.Sqrt(rms/(pixels*pixels/2)))
	}
}
