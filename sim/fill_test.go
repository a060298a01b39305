package sim

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func TestFill(t *testing.T) {
	w := New(0.1, 1000)
	w.Walls = []boundary.Boundary{
		&boundary.Box{Max: vec.New(1, 1, 1), Inside: true},
		&boundary.Sphere{Center: vec.New(1, 0, 1), Radius: 0.25},
	}
	w.Carry("age")
	// 0.3/0.1 is less than 3 in floating point.
	if got := w.Fill(&shape.Box{Max: vec.New(0.3, 0.4, 0.5)}, vec.New(1, 0, 0)); got != 60 {
		t.Errorf("%d particles in a box of 3×4×5", got)
	}
	if x := w.X[0]; x.Sub(vec.New(0.05, 0.05, 0.05)).Len() > 1e-12 {
		t.Errorf("the first is at %v", x)
	}
	// The second block overlaps the first and the ball, and reaches out.
	all := w.Fill(&shape.Box{Max: vec.New(1.5, 0.4, 1)}, vec.Vec3{})
	if w.Len() != 60+all || all > 400-60 || all < 400-60-20 {
		t.Errorf("%d more, want at most 340 and some fewer for the ball", all)
	}
	w.Fill(&shape.Sphere{Center: vec.New(0.5, 0.7, 0.5), Radius: 0.2}, vec.Vec3{})
	for i, id := range w.ID {
		if int(id) != i {
			t.Fatalf("particle %d has the number %d", i, id)
		}
	}
	var g neighbor.Grid
	g.Build(w.X, 0.0749)
	for i, x := range w.X {
		if near := g.Near(nil, x); len(near) != 1 {
			t.Errorf("particle %d at %v is too close to %v", i, x, near)
		}
		if slices.ContainsFunc(w.Walls, func(b boundary.Boundary) bool { d, _ := b.Dist(x); return d < 0.0499 }) {
			t.Errorf("particle %d at %v is in a wall", i, x)
		}
	}
	if len(w.V) != w.Len() || len(w.Rho) != w.Len() || len(w.Attr[0].Data) != w.Len() {
		t.Error("quantities differ in length")
	}
}

func TestFillVolume(t *testing.T) {
	w := New(0.02, 1000)
	n := w.Fill(&shape.Sphere{Center: vec.New(3, 3, 3), Radius: 0.3}, vec.Vec3{})
	want := 4 * math.Pi / 3 * math.Pow(0.3, 3)
	if got := float64(n) * math.Pow(0.02, 3); math.Abs(got/want-1) > 0.02 {
		t.Errorf("volume %g, want %g", got, want)
	}
}

// TestFillShapes fills a slanting cylinder and a mesh, a box without its bevels
// scaled and moved: the volume is right and nothing is outside.
func TestFillShapes(t *testing.T) {
	const d = 0.02
	slant := &shape.Cylinder{Bottom: vec.New(0.1, 0, 0), Top: vec.New(0.4, 0.5, 0.2), Radius: 0.15}
	body := &shape.Mesh{Scale: 0.001, Offset: vec.New(3, 0, 0)}
	if err := body.SetMesh(mesh.Box(vec.Box{Max: vec.New(400, 300, 200)})); err != nil {
		t.Fatal(err)
	}
	if n := New(d, 1000).Fill(&shape.Mesh{Scale: 1}, vec.Vec3{}); n != 0 {
		t.Errorf("%d particles in no mesh", n)
	}
	for _, c := range []struct {
		shape  shape.Shape
		volume float64
	}{
		{slant, math.Pi * 0.15 * 0.15 * slant.Top.Sub(slant.Bottom).Len()},
		{body, 0.4 * 0.3 * 0.2},
	} {
		w := New(d, 1000)
		n := w.Fill(c.shape, vec.Vec3{})
		if got := float64(n) * d * d * d; math.Abs(got/c.volume-1) > 0.02 {
			t.Errorf("%T: volume %g, want %g", c.shape, got, c.volume)
		}
		for _, x := range w.X {
			if !c.shape.Bounds().Contains(x) {
				t.Fatalf("%T: a particle at %v is out of bounds", c.shape, x)
			}
		}
	}
}

// TestPlaces compares the count of a sample with the count of all places.
func TestPlaces(t *testing.T) {
	tank := &boundary.Box{Inside: true, Max: vec.New(2, 2, 2)}
	ball := &boundary.Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.3}
	for _, c := range []struct {
		name  string
		shape shape.Shape
		walls []boundary.Boundary
		off   float64 // at most, as a share
	}{
		{"box", &shape.Box{Max: vec.New(1, 0.93, 0.87)}, []boundary.Boundary{tank}, 0},
		{"box around a ball", &shape.Box{Max: vec.New(1, 1, 1)}, []boundary.Boundary{tank, ball}, 0.02},
		{"cylinder", &shape.Cylinder{Bottom: vec.New(0.6, 0.1, 0.6), Top: vec.New(1, 1.2, 0.7), Radius: 0.4}, []boundary.Boundary{tank}, 0.02},
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
	// Particles that the sample misses are looked for at all places.
	w := New(0.02, 1000)
	if n := w.Places(&shape.Box{Max: vec.New(20, 20, 20)}, 1000); n != 1e9 {
		t.Errorf("%d places in a large box", n)
	}
	needle := &shape.Cylinder{Bottom: vec.New(0.01, 0.01, 0.01), Top: vec.New(0.61, 0.61, 0.61), Radius: 0.005}
	if n := w.Places(needle, 8); n == 0 {
		t.Error("no places in a thin cylinder")
	}
}
