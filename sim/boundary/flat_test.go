package boundary_test

import (
	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
	"math"
	"testing"
)

func TestFlatWalls(t *testing.T) {
	const d = 0.1
	for name, b := range map[string]boundary.Boundary{
		"plane":      &boundary.Plane{Point: vec.New(0.3, 0.2, 0.1), Normal: vec.New(1, 2, 0)},
		"tank":       &boundary.Box{Max: vec.New(1, 1.3, 0), Inside: true},
		"block":      &boundary.Box{Max: vec.New(0.5, 0.4, 0)},
		"disc":       &boundary.Sphere{Center: vec.New(0.5, 0.5, 0), Radius: 0.35},
		"round tank": &boundary.Sphere{Center: vec.New(0.5, 0.5, 0), Radius: 0.6, Inside: true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := boundary.CheckFlat(b); err != nil {
				t.Fatal(err)
			}
			if err := b.Init(kernel.NewCubicSpline(2, 2*d)); err != nil {
				t.Fatal(err)
			}
			walltest.Points(func(x vec.Vec3) {
				x.Z = 0
				dist, n := b.Dist(x)
				if n.Z != 0 || math.Abs(n.Len()-1) > 1e-12 {
					t.Fatalf("normal %v at %v", n, x)
				}
				share, grad := b.Wall(x)
				image, push := b.Mirror(x)
				if dist > 2*d && (share != 0 || image != 0) {
					t.Fatalf("at %v, %g m off, the share is %g and the image %g", x, dist, share, image)
				}
				if dist < 0 {
					return // the checks below are for places where the liquid may be
				}
				for what, g := range map[string][2]vec.Vec3{
					"share": {grad, walltest.Slope(func(x vec.Vec3) float64 { s, _ := b.Wall(x); return s }, x)},
					"image": {push, walltest.Slope(func(x vec.Vec3) float64 { s, _ := b.Mirror(x); return s }, x)},
				} {
					if g[0].Sub(g[1]).Len() > 1e-4/d && dist > 1e-5 {
						t.Fatalf("gradient of the %s at %v, %g m off: %v, differences give %v", what, x, dist, g[0], g[1])
					}
				}
			})
		})
	}
}
