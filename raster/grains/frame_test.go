package grains

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/raster/camera"
	"breakwater/sim/vec"
)

// TestFrame compares rays through the pixels of a frame with the same rays through the cells:
// from afar, from near, from the middle of the cloud, and with a tilted camera.
func TestFrame(t *testing.T) {
	const w, h = 63, 41 // no whole number of tiles
	for _, c := range []struct {
		name    string
		eye     vec.Vec3
		shutter float64
	}{
		{"afar", vec.Vec3{X: 0.5, Y: 0.3, Z: 2}, 0},
		{"streaks", vec.Vec3{X: 0.5, Y: 0.3, Z: 2}, 0.02},
		{"long streaks", vec.Vec3{X: 0.2, Z: 0.8}, 0.3},
		{"near", vec.Vec3{Z: 0.2}, 0.02},
		{"inside", vec.Vec3{X: 0.05}, 0.02},
	} {
		p := cloudIn(cube(0.3), 1500, 1e-3, 4e-3, 1, 2)
		for i := range p.Kind {
			if i%7 == 0 {
				p.Kind[i] = Mist
			}
		}
		lens := camera.NewLens(camera.Camera{Eye: c.eye, Target: vec.Vec3{Y: 0.02}, Focal: 60, Roll: 20}, w, h)
		v := View{Eye: c.eye, Spread: lens.PixelAngle(), Shutter: c.shutter}
		l := evenly()
		l.Sun = func(p vec.Vec3) vec.Vec3 { return vec.Vec3{X: 2 + p.X, Y: 2, Z: 2 - p.Y} }
		cells := New(p, v, l, Spray, Mist)
		v.Frame = &Frame{Width: w, Height: h}
		v.Frame.X, v.Frame.Y, v.Frame.Ahead = lens.Homography()
		frame := New(p, v, l, Spray, Mist)
		rng := rand.New(rand.NewPCG(5, 6))
		seen := 0
		for y := range h {
			for x := range w {
				d := lens.Ray(float64(x)+rng.Float64(), float64(y)+rng.Float64())
				far := 3 * rng.Float64()
				want, wantLeft := cells.Gather(c.eye, d, 0, far, 0, v.Spread)
				got, left := frame.Gather(c.eye, d, 0, far, 0, v.Spread)
				if got.Sub(want).Len() > 1e-9 || math.Abs(left-wantLeft) > 1e-9 {
					t.Fatalf("%s: pixel (%d, %d) is %v and %g is left, want %v and %g", c.name, x, y, got, left, want, wantLeft)
				}
				if left < 1 {
					seen++
				}
			}
		}
		if seen < w*h/20 {
			t.Errorf("%s: %d of %d rays meet the cloud", c.name, seen, w*h)
		}
	}
}
