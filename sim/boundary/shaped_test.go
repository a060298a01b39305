package boundary_test

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestShapedLikeClosed compares walls made of triangles with walls in closed form, in the
// liquid and as near as particles come.
func TestShapedLikeClosed(t *testing.T) {
	longtest.Only(t)
	const d = 0.1
	// Beside the edges of a block the image in closed form jumps.
	box := vec.Box{Min: vec.New(0.013, 0.002, -0.021), Max: vec.New(1.013, 1.302, 0.779)}
	ballMesh := mesh.Sphere(vec.New(0.5, 0.5, 0.5), 0.35, 96)
	tank := mesh.Sphere(vec.New(0.5, 0.5, 0.5), 0.6, 96)
	for _, c := range []struct {
		name         string
		shape        boundary.Boundary
		closed       boundary.Boundary
		share, image float64 // how far they may differ
	}{
		{"tank", walltest.Mesh(t, mesh.Cuboid(box), true), &boundary.Box{Min: box.Min, Max: box.Max, Inside: true}, 0.02, 0.03},
		{"block", walltest.Mesh(t, mesh.Cuboid(box), false), &boundary.Box{Min: box.Min, Max: box.Max}, 0.02, 0.25},
		{"ball", walltest.Mesh(t, ballMesh, false), &boundary.Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.35}, 0.02, 0.06},
		{"round tank", walltest.Mesh(t, tank, true), &boundary.Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.6, Inside: true}, 0.02, 0.05},
	} {
		for _, b := range []boundary.Boundary{c.shape, c.closed} {
			if err := b.Init(kernel.NewCubicSpline(3, 2*d)); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		var worst [4]float64
		var where [4]vec.Vec3
		walltest.Points(func(x vec.Vec3) {
			dist, _ := c.closed.Dist(x)
			if dist < 0.25*d {
				return
			}
			s, _ := c.shape.Wall(x)
			s2, _ := c.closed.Wall(x)
			m, g := c.shape.Mirror(x)
			m2, g2 := c.closed.Mirror(x)
			t, _ := c.shape.Dist(x)
			for i, e := range [4]float64{math.Abs(s - s2), math.Abs(m - m2), g.Sub(g2).Len() * d, math.Abs(t-dist) / d} {
				if e > worst[i] {
					worst[i], where[i] = e, x
				}
			}
		})
		t.Logf("%s: share %.4f at %v, image %.4f at %v, its gradient %.3f at %v, distance %.2g", c.name, worst[0], where[0], worst[1], where[1], worst[2], where[2], worst[3])
		if worst[0] > c.share || worst[1] > c.image || worst[3] > 0.01 {
			t.Errorf("%s: share off by %.4f, image by %.4f, distance by %.2g spacings", c.name, worst[0], worst[1], worst[3])
		}
	}
}
