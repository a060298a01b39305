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

// sectionOf returns the section of a wall by the plane z = 0, prepared for particles d apart.
func sectionOf(t *testing.T, b boundary.Boundary, d float64) boundary.Boundary {
	t.Helper()
	flat, err := boundary.Section(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := flat.Init(kernel.NewCubicSpline(2, 2*d)); err != nil {
		t.Fatal(err)
	}
	return flat
}

// meshWall returns a wall of a mesh.
func meshWall(t *testing.T, m *mesh.Mesh, inside bool) *boundary.Mesh {
	t.Helper()
	w := &boundary.Mesh{Scale: 1, Inside: inside}
	if err := w.SetMesh(m); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestProfile compares sections of meshes with the same walls in closed form: distance, density map
// and mirror image.
func TestProfile(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.05
	block := vec.Box{Min: vec.New(0.2, 0.1, -0.3), Max: vec.New(0.7, 0.6, 0.5)}
	ball := mesh.Sphere(vec.New(0.5, 0.5, 0), 0.35, 64)
	for name, c := range map[string]struct {
		cut, want  boundary.Boundary
		dist, sums float64
	}{
		"block": {meshWall(t, mesh.Box(block), false), &boundary.Box{Min: block.Min, Max: block.Max}, 0.05 * d, 0.02}, // whose mesh is bevelled
		"tank":  {meshWall(t, mesh.Box(block), true), &boundary.Box{Min: block.Min, Max: block.Max, Inside: true}, 1e-3 * d, 0.02},
		"disc":  {meshWall(t, ball, false), &boundary.Sphere{Center: vec.New(0.5, 0.5, 0), Radius: 0.35}, 0.02 * d, 0.02},
		"bowl":  {meshWall(t, ball, true), &boundary.Sphere{Center: vec.New(0.5, 0.5, 0), Radius: 0.35, Inside: true}, 0.01 * d, 0.02},
		"capsule": {&boundary.Capsule{Bottom: vec.New(0.5, 0.5, 0), Top: vec.New(0.5, 0.5, 1), Radius: 0.35},
			&boundary.Sphere{Center: vec.New(0.5, 0.5, 0), Radius: 0.35}, 0.01 * d, 0.02},
		"lying cylinder": {&boundary.Cylinder{Bottom: vec.New(0.2, 0.4, 0), Top: vec.New(0.8, 0.4, 0), Radius: 0.15},
			&boundary.Box{Min: vec.New(0.2, 0.25, 0), Max: vec.New(0.8, 0.55, 0)}, 0.05 * d, 0.02},
		"wedge": {&boundary.Polytope{
			Points:  []vec.Vec3{{X: 0.2}, {X: 0.7}, {Y: 0.1}, {Y: 0.6}, {Z: -1}, {Z: 1}},
			Normals: []vec.Vec3{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}},
		}, &boundary.Box{Min: vec.New(0.2, 0.1, 0), Max: vec.New(0.7, 0.6, 0)}, 1e-3 * d, 0.02},
	} {
		t.Run(name, func(t *testing.T) {
			cut, want := sectionOf(t, c.cut, d), sectionOf(t, c.want, d)
			var dist, wall, mirror float64
			count := 0
			walltest.Points(func(x vec.Vec3) {
				if count++; count%8 != 0 {
					return
				}
				x.Z = 0
				a, n := cut.Dist(x)
				b, m := want.Dist(x)
				if b < 0 {
					return
				}
				dist = max(dist, math.Abs(a-b))
				if n.Z != 0 || b > 0.25*d && n.Dot(m) < 0.99 {
					t.Errorf("at %v the normal is %v, want %v", x, n, m)
				}
				s, g := cut.Wall(x)
				o, _ := want.Wall(x)
				wall = max(wall, math.Abs(s-o))
				if g.Z != 0 {
					t.Errorf("at %v the gradient is %v", x, g)
				}
				s, _ = cut.Mirror(x)
				o, _ = want.Mirror(x)
				if b > 0.5*d { // where particles are; beside a corner it is a plane's or a product of planes'
					mirror = max(mirror, math.Abs(s-o))
				}
			})
			t.Logf("distance off by %.2g d, wall by %.3f, image by %.3f", dist/d, wall, mirror)
			if dist > c.dist || wall > c.sums || mirror > c.sums {
				t.Errorf("distance off by %g d, wall by %g, image by %g", dist/d, wall, mirror)
			}
			area := 0.
			for _, line := range boundary.Outlines(cut) {
				for k, p := range line {
					q := line[(k+1)%len(line)]
					area += (p.X*q.Y - p.Y*q.X) / 2
				}
			}
			var full float64
			for _, line := range boundary.Outlines(want) {
				for k, p := range line {
					q := line[(k+1)%len(line)]
					full += (p.X*q.Y - p.Y*q.X) / 2
				}
			}
			if math.Abs(area/full-1) > 2e-3 {
				t.Errorf("the outline encloses %g m², want %g", area, full)
			}
		})
	}
}

// TestSectionOfRing cuts a mesh with two outlines, one of which is a hole.
func TestSectionOfRing(t *testing.T) {
	m := torus(vec.New(0.5, 0.5, 0), 0.3, 0.12, 64)
	flat, err := boundary.Section(meshWall(t, m, false))
	if err != nil {
		t.Fatal(err)
	}
	if lines := boundary.Outlines(flat); len(lines) != 2 {
		t.Fatalf("%d outlines, want 2", len(lines))
	}
	for _, c := range []struct{ r, dist float64 }{{0, 0.18}, {0.3, -0.12}, {0.5, 0.08}} {
		if d, _ := flat.Dist(vec.New(0.5+c.r, 0.5, 0)); math.Abs(d-c.dist) > 2e-3 {
			t.Errorf("%g m from the middle the distance is %g, want %g", c.r, d, c.dist)
		}
	}
	m = torus(vec.New(0.5, 0.5, 1), 0.3, 0.12, 64)
	if _, err := boundary.Section(meshWall(t, m, false)); err == nil {
		t.Error("a mesh off the plane has a section")
	}
}

// torus returns a torus about z with n sides around each of its circles.
func torus(c vec.Vec3, ring, tube float64, n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		for k := range n {
			up, out := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			r := ring + tube*out
			m.Pos = append(m.Pos, c.Add(vec.New(r*cos, r*sin, tube*up)))
			at := func(i, k int) int32 { return int32(i%n*n + k%n) }
			m.Tri = append(m.Tri, [3]int32{at(i, k), at(i+1, k), at(i+1, k+1)}, [3]int32{at(i, k), at(i+1, k+1), at(i, k+1)})
		}
	}
	return m
}
