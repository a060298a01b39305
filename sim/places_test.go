package sim

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// TestPlaces compares the count of a sample with that of all places.
func TestPlaces(t *testing.T) {
	tank := &boundary.Box{Inside: true, Max: vec.New(2, 2, 2)}
	ball := &boundary.Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.3}
	for _, c := range []struct {
		name  string
		shape Shape
		walls []boundary.Boundary
		off   float64 // at most, as a share
	}{
		{"box", &BoxShape{Max: vec.New(1, 0.93, 0.87)}, []boundary.Boundary{tank}, 0},
		{"box around a ball", &BoxShape{Max: vec.New(1, 1, 1)}, []boundary.Boundary{tank, ball}, 0.02},
		{"cylinder", &CylinderShape{Bottom: vec.New(0.6, 0.1, 0.6), Top: vec.New(1, 1.2, 0.7), Radius: 0.4}, []boundary.Boundary{tank}, 0.02},
	} {
		w := New(0.02, 1000)
		w.Walls = c.walls
		for _, wall := range c.walls {
			if err := wall.Init(kernel.NewCubicSpline(3, 0.04)); err != nil {
				t.Fatal(err)
			}
		}
		few, all := w.Places(c.shape, 5000), w.Places(c.shape, math.MaxInt)
		if n := w.Fill(c.shape, vec.Vec3{}); all != n {
			t.Errorf("%s: %d places for %d particles", c.name, all, n)
		}
		if off := math.Abs(float64(few)/float64(all) - 1); off > c.off {
			t.Errorf("%s: %d places in a sample, %d in all", c.name, few, all)
		}
	}
	// What the sample misses is looked for at all places.
	w := New(0.02, 1000)
	if n := w.Places(&BoxShape{Max: vec.New(20, 20, 20)}, 1000); n != 1e9 {
		t.Errorf("%d places in a large box", n)
	}
	needle := &CylinderShape{Bottom: vec.New(0.01, 0.01, 0.01), Top: vec.New(0.61, 0.61, 0.61), Radius: 0.005}
	if n := w.Places(needle, 8); n == 0 {
		t.Error("no places in a thin cylinder")
	}
}
