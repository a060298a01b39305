package boundary_test

import (
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// A wall that never meets a liquid is not made ready for a kernel. Its rough distance is
// then the exact one.
func TestRoughDistBeforeInit(t *testing.T) {
	for _, b := range []boundary.Boundary{
		&boundary.Cylinder{Bottom: vec.New(0, 0, 0), Top: vec.New(0, 2, 0), Radius: 0.5},
		&boundary.Cylinder{Bottom: vec.New(0, 0, 0), Top: vec.New(0, 2, 0), Radius: 0.5, Inside: true},
		&boundary.Capsule{Bottom: vec.New(0, 0, 0), Top: vec.New(0, 2, 0), Radius: 0.5},
		&boundary.Sphere{Radius: 1},
		&boundary.Box{Max: vec.New(1, 1, 1)},
	} {
		for _, x := range []vec.Vec3{{X: 2, Y: 1}, {X: 0.1, Y: 1.2}, {Y: 5}} {
			want, normal := b.Dist(x)
			if got, n := boundary.RoughDist(b, x); got != want || n != normal {
				t.Errorf("%T: %g m along %v from %v, want %g along %v", b, got, n, x, want, normal)
			}
		}
	}
}
