package inflow

import (
	"math"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// TestTank checks that a side with openings is a wall where it has none, and that the
// gradient of its share is right.
func TestTank(t *testing.T) {
	const d = 0.04
	tank := &boundary.Box{Max: vec.New(1, 1, 1), Inside: true}
	in := []Inflow{
		{Opening: &Rectangle{Width: 0.3, Height: 0.2}, Position: vec.New(0, 0.1, 0.5), Direction: vec.New(1, 0, 0), Speed: 1, Stop: 9},
		{Opening: &Disc{Radius: 0.1}, Position: vec.New(0, 0.6, 0.4), Direction: vec.New(2, 0, 0), Speed: 1, Stop: 9},
		{Opening: &Disc{Radius: 0.1}, Position: vec.New(0.5, 1, 0.5), Direction: vec.New(0, -1, 0), Speed: 1, Stop: 9},
	}
	var wall boundary.Boundary = tank
	for k := range in {
		n, err := in[k].Nozzle(d)
		if err != nil {
			t.Fatal(err)
		}
		if got := in[k].Host([]boundary.Boundary{tank}, d); got != 0 {
			t.Fatalf("inflow %d is in wall %d", k, got)
		}
		wall = addInlet(wall, &in[k], n, d)
	}
	if err := wall.Init(kernel.NewCubicSpline(3, 2*d)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    vec.Vec3
		wall bool
	}{
		{vec.New(d/2, 0.1, 0.5), false},  // before the slot
		{vec.New(d/2, 0.02, 0.5), false}, // where it reaches the floor: the floor's term alone
		{vec.New(d/2, 0.6, 0.4), false},
		{vec.New(0.5, 1-d/2, 0.5), false},
		{vec.New(d/2, 0.35, 0.5), true},
		{vec.New(d/2, 0.6, 0.7), true},
		{vec.New(0.2, 1-d/2, 0.5), true},
	} {
		share, _ := wall.Mirror(c.x)
		closed, _ := tank.Mirror(c.x)
		floor, _ := tank.Mirror(vec.New(0.5, c.x.Y, 0.5))
		if c.x.Y > 0.9 {
			floor = 0
		}
		want := floor
		if c.wall {
			want = closed
		}
		if math.Abs(share-want) > 1e-3 {
			t.Errorf("the share at %v is %.4f, want %.4f", c.x, share, want)
		}
	}
	for i := range 4000 { // a regular scatter near the sides
		f := func(k float64) float64 { return math.Mod(float64(i)*k, 1) }
		x := vec.New(2*d*f(0.6180339887), f(0.7548776662), f(0.5698402910))
		if i%3 == 0 {
			x = vec.New(x.Y, 1-x.X, x.Z)
		}
		for _, share := range []func(vec.Vec3) (float64, vec.Vec3){wall.Mirror, wall.Wall} {
			const e = 1e-6
			s, grad := share(x)
			for _, n := range []vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
				up, _ := share(x.Add(n.Mul(e)))
				down, _ := share(x.Sub(n.Mul(e)))
				if got := (up - down) / (2 * e); math.Abs(got-grad.Dot(n)) > 0.02/d && s > 1e-9 {
					t.Fatalf("the gradient at %v is %v, and %g along %v by differences", x, grad, got, n)
				}
			}
		}
		if dist, _ := wall.Dist(x); dist < -1e-12 || math.IsNaN(dist) {
			t.Fatalf("%v is %g m in the wall", x, -dist)
		}
	}
	for _, bad := range []Inflow{
		{Opening: &Disc{Radius: 0.1}, Position: vec.New(0.01, 0.6, 0.4), Direction: vec.New(1, 0, 0)},             // before the side
		{Opening: &Disc{Radius: 0.1}, Position: vec.New(0, 0.6, 0.4), Direction: vec.New(1, 0.1, 0)},              // askew
		{Opening: &Disc{Radius: 0.1}, Position: vec.New(0, 0.6, 0.4), Direction: vec.New(-1, 0, 0)},               // outward
		{Opening: &Disc{Radius: 0.1}, Position: vec.New(0, 0.95, 0.4), Direction: vec.New(1, 0, 0)},               // over the edge
		{Opening: &Disc{Radius: 0.1}, Position: vec.New(0.5, 0.5, 0.5), Direction: vec.New(0, 0, 1)},              // inside
		{Opening: &Rectangle{Width: 1.1, Height: 1}, Position: vec.New(0, 0.5, 0.5), Direction: vec.New(1, 0, 0)}, // too wide
	} {
		if k := bad.Host([]boundary.Boundary{tank}, d); k >= 0 {
			t.Errorf("an opening at %v towards %v is in wall %d", bad.Position, bad.Direction, k)
		}
	}
	moving := body.New(tank, body.Motion{Velocity: vec.New(1, 0, 0)}, 0)
	if k := in[0].Host([]boundary.Boundary{moving}, d); k >= 0 {
		t.Error("an opening is in a wall that moves")
	}
}
