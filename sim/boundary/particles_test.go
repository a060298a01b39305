package boundary

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestScatter checks the particles of walls. They lie half a spacing behind the surface,
// without crowds or holes, and have the volume of a layer one spacing thick. They are the
// same on any number of threads.
func TestScatter(t *testing.T) {
	longtest.Only(t)
	const d = 0.1
	k := kernel.NewCubicSpline(3, 2*d)
	ball := 4 * math.Pi * (0.6 - d/2) * (0.6 - d/2)
	for _, c := range []struct {
		name string
		wall Boundary
		area float64 // of the layer, m²
	}{
		{"block", &Box{Max: vec.New(0.5, 0.7, 0.6)}, 2 * (0.4*0.6 + 0.6*0.5 + 0.5*0.4)},
		// The layer of a tank is round at its edges and corners.
		{"tank", &Box{Max: vec.New(0.5, 0.7, 0.6), Inside: true}, 2*(0.5*0.7+0.7*0.6+0.6*0.5) + math.Pi/2*d/2*4*(0.5+0.7+0.6) + math.Pi*d*d},
		{"ball", &Sphere{Center: vec.New(0.2, 0, 0.1), Radius: 0.6}, ball},
		{"mesh ball", fromMesh(t, mesh.Sphere(vec.New(0.2, 0, 0.1), 0.6, 64), false), ball},
		{"column", &Cylinder{Top: vec.New(0.3, 0.8, 0), Radius: 0.3}, 2*math.Pi*0.25*(math.Hypot(0.3, 0.8)-d) + 2*math.Pi*0.25*0.25},
	} {
		if err := c.wall.Init(k); err != nil {
			t.Fatal(err)
		}
		var s *scattered
		for threads := range longtest.OnThreads(1, 2, 3, 8) {
			o := newScattered(c.wall, k)
			if s != nil && !slices.Equal(o.part, s.part) {
				t.Errorf("%s: the particles are others on %d threads", c.name, threads)
			}
			s = o
		}
		volume, nearest, farthest := 0., math.Inf(1), 0.
		for i, p := range s.part {
			if off, n := c.wall.Dist(p.x); math.Abs(off+d/2) > 1e-3*d || n != p.n {
				t.Fatalf("%s: a particle at %v is %g m from the surface", c.name, p.x, off)
			}
			volume += p.volume
			near := math.Inf(1)
			for j, q := range s.part {
				if j != i {
					near = min(near, p.x.Sub(q.x).Len())
				}
			}
			nearest, farthest = min(nearest, near), max(farthest, near)
		}
		t.Logf("%s: %d particles, each %.2f to %.2f spacings from the next, %.3f of the volume", c.name, len(s.part), nearest/d, farthest/d, volume/(c.area*d))
		if nearest < 0.3*d || farthest > 0.75*d {
			t.Errorf("%s: particles are %.2f to %.2f spacings apart", c.name, nearest/d, farthest/d)
		}
		if math.Abs(volume/(c.area*d)-1) > 0.1 {
			t.Errorf("%s: the particles have %.3f of the volume of a layer", c.name, volume/(c.area*d))
		}
	}
}

// TestEvenLayer checks how much a flat layer's share varies along it at the first layer
// of the liquid. A rough wall would ripple that layer and hold it.
func TestEvenLayer(t *testing.T) {
	longtest.Only(t)
	const d = 0.1
	k := kernel.NewCubicSpline(3, 2*d)
	l := NewLayers(k)
	want, _ := l.Mirror(d / 2)
	slope := &Polytope{ // a cube on its edge
		Points:  []vec.Vec3{{Y: 0}, {Y: 0}, {X: 3, Y: 3}, {X: -3, Y: 3}, {Z: -1.5}, {Z: 1.5}},
		Normals: []vec.Vec3{{X: 1, Y: -1.1}, {X: -1, Y: -1.1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {Z: -1}, {Z: 1}},
		Inside:  true,
	}
	up := vec.New(0, 1, 0)
	for _, c := range []struct {
		name  string
		wall  Boundary
		at, n vec.Vec3 // a point of a flat part, and its normal
		most  float64
	}{
		{"plane", &Plane{Normal: up}, vec.Vec3{}, up, 2e-4},
		{"box", &Box{Min: vec.New(-1, 0, -1), Max: vec.New(1, 2, 1), Inside: true}, vec.Vec3{}, up, 3e-3},
		{"mesh", fromMesh(t, mesh.Cuboid(vec.Box{Min: vec.New(-1.01, 0, -0.99), Max: vec.New(1.02, 2, 1)}), true), vec.Vec3{}, up, 3e-3},
		{"slope", slope, vec.New(1.1, 1, 0), vec.New(-1, 1.1, 0).Unit(), 5e-3},
	} {
		if err := c.wall.Init(k); err != nil {
			t.Fatal(err)
		}
		wall := NewParticleLayer(c.wall, k)
		u, v := c.n.Basis()
		worst, tilt := 0., 0.
		for i := -20.; i <= 20; i++ {
			for j := -20.; j <= 20; j++ {
				share, grad := wall.Mirror(c.at.Add(c.n.Mul(d / 2)).Add(u.Mul(0.0131 * i)).Add(v.Mul(0.0117 * j)))
				worst = max(worst, math.Abs(share-want))
				tilt = max(tilt, math.Hypot(grad.Dot(u), grad.Dot(v))/math.Abs(grad.Dot(c.n)))
			}
		}
		t.Logf("%s: off by %.2g of the rest density at most, pushes along itself with %.2g of its push", c.name, worst, tilt)
		if worst > c.most || tilt > 0.015 {
			t.Errorf("%s: off by %.2g of the rest density, pushes along itself with %.2g of its push", c.name, worst, tilt)
		}
	}
}

// fromMesh returns a wall of a triangle mesh.
func fromMesh(t testing.TB, m *mesh.Mesh, inside bool) *Mesh {
	t.Helper()
	w := &Mesh{Scale: 1, Inside: inside}
	if err := w.SetMesh(m); err != nil {
		t.Fatal(err)
	}
	return w
}
