package sim

import (
	"math"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// boxMesh returns a closed, outward box of 12 triangles.
func boxMesh(b vec.Box) *mesh.Mesh {
	m := &mesh.Mesh{}
	for c := range 8 {
		p := b.Min
		if c&1 != 0 {
			p.X = b.Max.X
		}
		if c&2 != 0 {
			p.Y = b.Max.Y
		}
		if c&4 != 0 {
			p.Z = b.Max.Z
		}
		m.Pos = append(m.Pos, p)
	}
	for _, q := range [][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		m.Tri = append(m.Tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

func meshWall(t testing.TB, m *mesh.Mesh, inside bool) *MeshWall {
	t.Helper()
	w := &MeshWall{Scale: 1, Inside: inside}
	if err := w.SetMesh(m); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestNear checks the integral over faces of the kernel's share: beside a
// plane, and where an eighth of space is solid.
func TestNear(t *testing.T) {
	const h = 0.2
	n := newVolumeMap(newLayers(kernel.NewCubicSpline(3, h)))
	for _, p := range []float64{0, 0.01, 0.05, 0.1, 0.17} {
		want := 0. // ∫ of the kernel's marginal beyond p
		const steps = 20000
		for i := range steps {
			z := p + (float64(i)+0.5)*(h-p)/steps
			want += n.layers.k.Marginal(z) * (h - p) / steps
		}
		if got := n.plane(p); math.Abs(got-want) > 1e-5 {
			t.Errorf("beyond a plane at %g: %g, want %g", p, got, want)
		}
	}
	f := newFacets(boxMesh(vec.Box{Max: vec.New(1, 1, 1)}).Pos, boxMesh(vec.Box{}).Tri, false)
	share := func(x vec.Vec3) (s float64) {
		for _, i := range f.within(nil, x, h) {
			p := x.Sub(f.pos[f.tri[i][0]]).Dot(f.normal[i])
			if math.Abs(p) < h {
				s += n.face(f, i, x, p)
			}
		}
		return s
	}
	e := 1e-9
	for _, c := range []struct {
		x    vec.Vec3
		want float64
	}{{vec.New(-e, 0.5, 0.4), 0.5}, {vec.New(-e, -e, 0.4), 0.25}, {vec.New(-e, -e, -e), 0.125}, {vec.New(-0.05, 0.5, 0.3), n.plane(0.05)}} {
		if got := share(c.x); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("share at %v: %g, want %g", c.x, got, c.want)
		}
	}
}

// TestShapedLikeClosed compares walls made of triangles with those in closed
// form, in the liquid and as near as particles come.
func TestShapedLikeClosed(t *testing.T) {
	longtest.Only(t)
	const d = 0.1
	// Beside the edges of a block the image in closed form jumps.
	box := vec.Box{Min: vec.New(0.013, 0.002, -0.021), Max: vec.New(1.013, 1.302, 0.779)}
	ballMesh := mesh.Sphere(vec.New(0.5, 0.5, 0.5), 0.35, 96)
	tank := mesh.Sphere(vec.New(0.5, 0.5, 0.5), 0.6, 96)
	for _, c := range []struct {
		name         string
		shape        Boundary
		closed       Boundary
		share, image float64 // how far they may differ
	}{
		{"tank", meshWall(t, boxMesh(box), true), &Box{Min: box.Min, Max: box.Max, Inside: true}, 0.02, 0.03},
		{"block", meshWall(t, boxMesh(box), false), &Box{Min: box.Min, Max: box.Max}, 0.02, 0.25},
		{"ball", meshWall(t, ballMesh, false), &Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.35}, 0.02, 0.06},
		{"round tank", meshWall(t, tank, true), &Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.6, Inside: true}, 0.02, 0.05},
	} {
		for _, b := range []Boundary{c.shape, c.closed} {
			if err := b.Init(kernel.NewCubicSpline(3, 2*d)); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		var worst [4]float64
		var where [4]vec.Vec3
		points(func(x vec.Vec3) {
			dist, _ := c.closed.Dist(x)
			if dist < contact*d {
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

// filled returns a world of a mesh tank that liquid fills to the depth.
func filled(t testing.TB, wall Boundary, spacing float64, block vec.Box) *World {
	w := New(spacing, 1000)
	w.Gravity = earth
	w.Walls = []Boundary{wall}
	w.Fill(&BoxShape{Min: block.Min, Max: block.Max}, vec.Vec3{})
	mustInit(t, w)
	return w
}

// TestMeshTankFilled is TestFilledToTheWalls for a tank given as a mesh, off
// the nodes of its grid.
func TestMeshTankFilled(t *testing.T) {
	box := vec.Box{Min: vec.New(0.017, -0.033, 0.041), Max: vec.New(1.017, 1.467, 1.041)}
	w := filled(t, meshWall(t, boxMesh(box), true), 0.1, vec.Box{Min: box.Min, Max: vec.New(1.017, 0.967, 1.041)})
	if w.Len() != 1000 {
		t.Errorf("%d particles in a mesh tank, want 1000", w.Len())
	}
	mustArrange(t, w)
	for i, x := range w.X {
		if x.Y > 0.86 {
			continue // the surface
		}
		if e := w.Rho[i]/w.Rho0 - 1; e > 0.017 || e < -0.015 {
			t.Errorf("at %v the density is off by %.2g", x, e)
		}
	}
}
