package body

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestReach turns tanks of all shapes: the box around a tank is the box of its points,
// and not of the corners of its box at rest.
func TestReach(t *testing.T) {
	axis := vec.New(0.3, 1, -0.4)
	motion := Motion{Center: vec.New(0.2, -0.1, 0.5), Axis: axis, Turn: 37, Velocity: vec.New(0.1, 0.2, 0.3)}
	wall := &boundary.Mesh{Scale: 1, Inside: true}
	round := mesh.Cylinder(vec.New(0, 0, 0), vec.New(0.2, 0.3, 0.6), 0.5, 24)
	if err := wall.SetMesh(round); err != nil {
		t.Fatal(err)
	}
	drum := &boundary.Cylinder{Bottom: vec.New(0.1, 0, 0), Top: vec.New(0.2, 0.3, 0.6), Radius: 0.5, Inside: true}
	ball := &boundary.Sphere{Center: vec.New(1, 2, 3), Radius: 0.4, Inside: true}
	for _, c := range []struct {
		name   string
		shape  boundary.Boundary
		points []vec.Vec3
	}{
		{"box", &boundary.Box{Max: vec.New(1, 2, 0.5), Inside: true}, mesh.Box(vec.Box{Max: vec.New(1, 2, 0.5)}).Pos},
		{"cylinder", drum, mesh.Cylinder(drum.Bottom, drum.Top, drum.Radius, 3000).Pos},
		{"sphere", ball, mesh.Sphere(ball.Center, ball.Radius, 600).Pos},
		{"mesh", wall, round.Pos},
	} {
		body := New(c.shape, motion, 0)
		for _, at := range []float64{0, 1, 2.5} {
			body.Move(at)
			want := vec.Empty()
			for _, p := range c.points {
				want = want.Include(body.Place(p))
			}
			got := body.Bounds()
			// The points of box and cylinder are on bevelled edges.
			if slack := 0.006; got.Min.Sub(want.Min).Len() > slack || got.Max.Sub(want.Max).Len() > slack {
				t.Errorf("%s at %g s: from %v to %v, want %v to %v", c.name, at, got.Min, got.Max, want.Min, want.Max)
			}
		}
	}
	turning := New(&boundary.Cylinder{Top: vec.New(0, 0, 0.6), Radius: 0.5, Inside: true}, Motion{Axis: vec.New(0, 0, 1), Turn: 180}, 0)
	for k := range 12 {
		turning.Move(float64(k) / 12)
		if y := turning.Bounds().Min.Y; math.Abs(y+0.5) > 1e-12 {
			t.Errorf("a drum about its axis reaches down to %g, want -0.5", y)
		}
	}
}
