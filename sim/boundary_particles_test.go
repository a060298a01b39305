package sim

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestScatter checks the particles of walls: half a spacing behind the surface,
// neither crowded nor with a hole between them, of the volume of a layer one
// spacing thick, and the same on any number of threads.
func TestScatter(t *testing.T) {
	longtest.Only(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
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
		{"mesh ball", meshWall(t, mesh.Sphere(vec.New(0.2, 0, 0.1), 0.6, 64), false), ball},
		{"column", &Cylinder{Top: vec.New(0.3, 0.8, 0), Radius: 0.3}, 2*math.Pi*0.25*(math.Hypot(0.3, 0.8)-d) + 2*math.Pi*0.25*0.25},
	} {
		if err := c.wall.Init(k); err != nil {
			t.Fatal(err)
		}
		var s *scattered
		for _, threads := range []int{1, 2, 3, 8} {
			runtime.GOMAXPROCS(threads)
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

// TestEvenLayer checks how much a flat layer's share varies along it, where the
// first layer of the liquid lies: a wall that rose and fell would ripple it and
// hold it.
func TestEvenLayer(t *testing.T) {
	longtest.Only(t)
	const d = 0.1
	k := kernel.NewCubicSpline(3, 2*d)
	l := newLayers(k)
	want, _ := l.mirror(d / 2)
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
		{"mesh", meshWall(t, boxMesh(vec.Box{Min: vec.New(-1.01, 0, -0.99), Max: vec.New(1.02, 2, 1)}), true), vec.Vec3{}, up, 3e-3},
		{"slope", slope, vec.New(1.1, 1, 0), vec.New(-1, 1.1, 0).Unit(), 5e-3},
	} {
		wall := particled(c.wall)
		if err := wall.Init(k); err != nil {
			t.Fatal(err)
		}
		u, v := across(c.n)
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

// TestParticleWalls runs a broken dam and a still tank with walls of particles.
// What holds for density maps holds for them: nothing is lost, no energy comes
// from nowhere, still water stays still, and the walls bear its weight.
func TestParticleWalls(t *testing.T) {
	for _, spacing := range []float64{0.05, 0.04} {
		w := dam(t, spacing)
		for i, wall := range w.Walls {
			w.Walls[i] = particled(wall)
		}
		mustInit(t, w)
		n, energy := w.Len(), w.Stats().Potential
		for range 4 {
			mustAdvance(t, w, newOf(t, &Solvers, "iisph"), w.Time+0.15, nil)
			if s := w.Stats(); s.Kinetic+s.Potential > 1.01*energy {
				t.Errorf("energy %g J at %g s, started with %g", s.Kinetic+s.Potential, w.Time, energy)
			}
			for i, x := range w.X {
				for _, wall := range w.Walls {
					if d, _ := wall.Dist(x); w.Len() != n || !(d >= contact*spacing*0.999) {
						t.Fatalf("particle %d of %d (%d before) at %v is %g m from a wall", w.ID[i], w.Len(), n, x, d)
					}
				}
			}
		}
	}

	const d, depth = 0.05, 0.5
	w := New(d, 1000)
	w.Gravity = earth
	w.Walls = []Boundary{particled(&Box{Max: vec.New(0.5, 1, 0.4), Inside: true})}
	w.Fill(&BoxShape{Max: vec.New(0.5, depth, 0.4)}, vec.Vec3{})
	w.Forces = []Force{newOf(t, &Forces, "xsph")}
	mustInit(t, w)
	start := w.Stats()
	floor := &ForceOn{Wall: 1, Side: "y-"}
	var force, readings float64
	mustAdvance(t, w, newOf(t, &Solvers, "iisph"), 2, func(i StepInfo) error {
		if i.Time > 1 {
			force, readings = force+floor.Read(nil, w, w.Carry(carryPressure))[1], readings+1
		}
		return nil
	})
	end := w.Stats()
	if change := math.Abs(end.Center.Y-start.Center.Y) / (depth / 2); change > 0.015 {
		t.Errorf("the depth changed by %.2g of itself", change)
	}
	if limit := float64(w.Len()) * w.Mass() * 9.81 * d / 10; end.Kinetic > limit {
		t.Errorf("kinetic energy %g J, want less than %g", end.Kinetic, limit)
	}
	weight := -float64(w.Len()) * w.Mass() * 9.81
	t.Logf("depth %.4g of what it was, kinetic energy %.2g J, weight on the floor %.4g of what it is", end.Center.Y/start.Center.Y, end.Kinetic, force/readings/weight)
	if e := force/readings/weight - 1; math.Abs(e) > 0.02 {
		t.Errorf("the floor bears %.3g of the weight", 1+e)
	}
}

// TestParticleWallFaults checks what cannot be made of particles.
func TestParticleWallFaults(t *testing.T) {
	for name, wall := range map[string]Boundary{
		"no extent": new(piston),
		"huge":      &Box{Max: vec.New(300, 300, 300), Inside: true},
	} {
		if err := particled(wall).Init(kernel.NewCubicSpline(3, 0.1)); err == nil {
			t.Errorf("%s: no fault is found", name)
		}
	}
	w := New2D(0.1, 1000)
	w.Walls = []Boundary{particled(&Box{Max: vec.New(1, 1, 0), Inside: true})}
	if w.Init() == nil {
		t.Error("walls of particles in two dimensions")
	}
}
