package boundary_test

import (
	"math"
	"strings"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// walls returns walls of every kind for spacing 0.1, and where the liquid is.
func walls(t *testing.T) map[string]boundary.Boundary {
	m := map[string]boundary.Boundary{
		"plane":        &boundary.Plane{Point: vec.New(0.3, 0.2, 0.1), Normal: vec.New(1, 2, -0.5)},
		"tank":         &boundary.Box{Max: vec.New(1, 1.3, 0.8), Inside: true},
		"block":        &boundary.Box{Max: vec.New(0.5, 0.4, 0.6)},
		"ball":         &boundary.Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.35},
		"small ball":   &boundary.Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.2},
		"round tank":   &boundary.Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.6, Inside: true},
		"narrow trunk": &boundary.Box{Max: vec.New(0.2, 1, 0.25), Inside: true},
		"column":       &boundary.Cylinder{Bottom: vec.New(0.5, -0.1, 0.4), Top: vec.New(0.6, 0.8, 0.5), Radius: 0.25},
		"bolster":      &boundary.Capsule{Bottom: vec.New(0.4, 0.3, 0.4), Top: vec.New(0.6, 0.6, 0.5), Radius: 0.25},
		"drum":         &boundary.Cylinder{Bottom: vec.New(0.5, 0.1, 0.5), Top: vec.New(0.5, 1.1, 0.5), Radius: 0.6, Inside: true},
		"wedge":        walltest.Wedge(t, true),
		"ramp":         walltest.Wedge(t, false),
		"mesh tank":    walltest.Mesh(t, mesh.Cuboid(vec.Box{Max: vec.New(1, 1.3, 0.8)}), true),
		"mesh ball":    walltest.Mesh(t, mesh.Sphere(vec.New(0.5, 0.5, 0.5), 0.35, 48), false),
	}
	for _, name := range []string{"plane", "tank", "block", "ball", "round tank", "narrow trunk", "column", "bolster", "drum", "wedge", "ramp", "mesh tank", "mesh ball"} {
		m[name+" of particles"] = madeOfParticles(m[name])
	}
	for name, b := range m {
		if err := b.Init(kernel.NewCubicSpline(3, 0.2)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b.Move(0)
	}
	return m
}

func TestWalls(t *testing.T) {
	longtest.Only(t)
	const d = 0.1
	for name, b := range walls(t) {
		t.Run(name, func(t *testing.T) {
			walltest.Points(func(x vec.Vec3) {
				dist, n := b.Dist(x)
				share, grad := b.Wall(x)
				image, push := b.Mirror(x)
				if math.Abs(n.Len()-1) > 1e-12 {
					t.Fatalf("normal %v at %v", n, x)
				}
				if share < 0 || share > 1 {
					t.Fatalf("share %g at %v, %g m off", share, x, dist)
				}
				if dist > 2*d && (share != 0 || image != 0 || grad.Add(push) != (vec.Vec3{})) {
					t.Fatalf("at %v, %g m off, the share is %g and the image %g", x, dist, share, image)
				}
				if dist < 0 {
					return // the checks below are for places where the liquid may be
				}
				if g := walltest.Slope(func(x vec.Vec3) float64 { s, _ := b.Wall(x); return s }, x); g.Sub(grad).Len() > 1e-4/d {
					t.Fatalf("gradient of the share at %v, %g m off: %v, differences give %v", x, dist, grad, g)
				}
				if g := walltest.Slope(func(x vec.Vec3) float64 { s, _ := b.Mirror(x); return s }, x); g.Sub(push).Len() > 1e-4/d && dist > 1e-5 {
					t.Fatalf("gradient of the image at %v, %g m off: %v, differences give %v", x, dist, push, g)
				}
				// Away from edges, the nearest wall is where the push comes from.
				if dist < 0.9*d && dist > 0.25*d && push.Dot(n) > 1e-9 {
					t.Fatalf("pressure at %v, %g m off, pulls into the wall: %v along %v", x, dist, push, n)
				}
				// Where a particle rests, the image is the solid.
				if math.Abs(image-share) > 0.02 && math.Abs(dist-d/2) < 0.01*d && strings.HasPrefix(name, "plane") {
					t.Fatalf("at %v the image adds %g, the solid %g", x, image, share)
				}
			})
		})
	}
}

// TestFlatFaces compares solids before the middle of a flat face with a plane.
func TestFlatFaces(t *testing.T) {
	const d = 0.1
	plane := &boundary.Plane{Point: vec.New(0, 0.8, 0), Normal: vec.New(0, 1, 0)}
	block := &boundary.Box{Max: vec.New(0.8, 0.8, 0.8)}
	of := walltest.Mesh(t, mesh.Cuboid(vec.Box{Max: vec.New(0.8, 0.8, 0.8)}), false)
	for _, b := range []boundary.Boundary{plane, block, of} {
		if err := b.Init(kernel.NewCubicSpline(3, 2*d)); err != nil {
			t.Fatal(err)
		}
	}
	for off := 0.25 * d; off < 2*d; off += 0.1 * d {
		x := vec.New(0.4, 0.8+off, 0.4)
		share, grad := plane.Mirror(x)
		for name, b := range map[string]boundary.Boundary{"box": block, "mesh": of} {
			if s, g := b.Mirror(x); math.Abs(s-share) > 1e-3 || g.Sub(grad).Len() > 1e-2*d*5/d {
				t.Errorf("%s: %g m off the image adds %g with the gradient %v, a plane's %g with %v", name, off, s, g, share, grad)
			}
		}
	}
}

// TestDeepInside checks that the share distinguishes a wall's inside from its outside.
func TestDeepInside(t *testing.T) {
	longtest.Only(t)
	for name, b := range walls(t) {
		walltest.Points(func(x vec.Vec3) {
			d, _ := b.Dist(x)
			if s, _ := b.Wall(x); d < -0.2 && s < 0.9 && name != "small ball" {
				t.Fatalf("%s: %g m deep at %v the share is %g", name, -d, x, s)
			}
		})
	}
}

// layered is a wall made of particles.
type layered struct {
	boundary.Boundary
	layer boundary.ParticleLayer
}

func madeOfParticles(b boundary.Boundary) *layered { return &layered{Boundary: b} }

func (l *layered) Init(k kernel.Kernel) error {
	if err := l.Boundary.Init(k); err != nil {
		return err
	}
	l.layer = boundary.NewParticleLayer(l.Boundary, k)
	return boundary.CheckParticles(l.Boundary, k)
}

func (l *layered) Mirror(x vec.Vec3) (float64, vec.Vec3) { return l.layer.Mirror(x) }
