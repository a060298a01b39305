package sim

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// walls returns walls of every kind for spacing 0.1, and where the liquid is.
func walls(t *testing.T) map[string]Boundary {
	m := map[string]Boundary{
		"plane":        &Plane{Point: vec.New(0.3, 0.2, 0.1), Normal: vec.New(1, 2, -0.5)},
		"tank":         &Box{Max: vec.New(1, 1.3, 0.8), Inside: true},
		"block":        &Box{Max: vec.New(0.5, 0.4, 0.6)},
		"ball":         &Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.35},
		"small ball":   &Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.2},
		"round tank":   &Sphere{Center: vec.New(0.5, 0.5, 0.5), Radius: 0.6, Inside: true},
		"narrow trunk": &Box{Max: vec.New(0.2, 1, 0.25), Inside: true},
		"column":       &Cylinder{Bottom: vec.New(0.5, -0.1, 0.4), Top: vec.New(0.6, 0.8, 0.5), Radius: 0.25},
		"bolster":      &Capsule{Bottom: vec.New(0.4, 0.3, 0.4), Top: vec.New(0.6, 0.6, 0.5), Radius: 0.25},
		"drum":         &Cylinder{Bottom: vec.New(0.5, 0.1, 0.5), Top: vec.New(0.5, 1.1, 0.5), Radius: 0.6, Inside: true},
		"wedge":        wedge(t, true),
		"ramp":         wedge(t, false),
		"mesh tank":    meshWall(t, boxMesh(vec.Box{Max: vec.New(1, 1.3, 0.8)}), true),
		"mesh ball":    meshWall(t, mesh.Sphere(vec.New(0.5, 0.5, 0.5), 0.35, 48), false),
	}
	for _, name := range []string{"plane", "tank", "block", "ball", "round tank", "narrow trunk", "column", "bolster", "drum", "wedge", "ramp", "mesh tank", "mesh ball"} {
		m[name+ofParticles] = particled(m[name])
	}
	for name, b := range m {
		if err := b.Init(kernel.NewCubicSpline(3, 0.2)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b.Move(0)
	}
	return m
}

// wedge returns a body with a triangle for its ground, 0.8 m long in z.
func wedge(t testing.TB, inside bool) *Polytope {
	t.Helper()
	p := &Polytope{
		Points:  []vec.Vec3{{X: 0, Y: 0, Z: 0}, {X: 0, Y: 0, Z: 0}, {X: 1.2, Y: 0, Z: 0}, {X: 0, Y: 0, Z: 0}, {X: 0, Y: 0, Z: 0.8}},
		Normals: []vec.Vec3{{Y: -1}, {X: -1}, {X: 1, Y: 1.1}, {Z: -1}, {Z: 1}},
		Inside:  inside,
	}
	if err := p.build(); err != nil {
		t.Fatal(err)
	}
	return p
}

const ofParticles = " of particles"

// particled returns the wall made of particles.
func particled(b Boundary) *Body {
	body := NewBody(b, Motion{}, 0)
	body.Particles = true
	return body
}

func points(f func(x vec.Vec3)) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 4000 {
		f(vec.New(1.4*rng.Float64()-0.2, 1.6*rng.Float64()-0.15, 1.4*rng.Float64()-0.2))
	}
}

// slope returns the gradient of f at x by central differences.
func slope(f func(x vec.Vec3) float64, x vec.Vec3) vec.Vec3 {
	const e = 1e-6
	d := func(u vec.Vec3) float64 { return (f(x.Add(u)) - f(x.Sub(u))) / (2 * e) }
	return vec.New(d(vec.New(e, 0, 0)), d(vec.New(0, e, 0)), d(vec.New(0, 0, e)))
}

func TestWalls(t *testing.T) {
	longtest.Only(t)
	const d = 0.1
	for name, b := range walls(t) {
		t.Run(name, func(t *testing.T) {
			points(func(x vec.Vec3) {
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
					return // what follows is for where the liquid may be
				}
				if g := slope(func(x vec.Vec3) float64 { s, _ := b.Wall(x); return s }, x); g.Sub(grad).Len() > 1e-4/d {
					t.Fatalf("gradient of the share at %v, %g m off: %v, differences give %v", x, dist, grad, g)
				}
				if g := slope(func(x vec.Vec3) float64 { s, _ := b.Mirror(x); return s }, x); g.Sub(push).Len() > 1e-4/d && dist > 1e-5 {
					t.Fatalf("gradient of the image at %v, %g m off: %v, differences give %v", x, dist, push, g)
				}
				// Away from edges, the nearest wall is where the push comes from.
				if dist < 0.9*d && dist > contact*d && push.Dot(n) > 1e-9 {
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
	plane := &Plane{Point: vec.New(0, 0.8, 0), Normal: vec.New(0, 1, 0)}
	block := &Box{Max: vec.New(0.8, 0.8, 0.8)}
	of := meshWall(t, boxMesh(vec.Box{Max: vec.New(0.8, 0.8, 0.8)}), false)
	for _, b := range []Boundary{plane, block, of} {
		if err := b.Init(kernel.NewCubicSpline(3, 2*d)); err != nil {
			t.Fatal(err)
		}
	}
	for off := 0.25 * d; off < 2*d; off += 0.1 * d {
		x := vec.New(0.4, 0.8+off, 0.4)
		share, grad := plane.Mirror(x)
		for name, b := range map[string]Boundary{"box": block, "mesh": of} {
			if s, g := b.Mirror(x); math.Abs(s-share) > 1e-3 || g.Sub(grad).Len() > 1e-2*d*5/d {
				t.Errorf("%s: %g m off the image adds %g with the gradient %v, a plane's %g with %v", name, off, s, g, share, grad)
			}
		}
	}
}

// TestFilledToTheWalls checks that a lattice half a spacing from its walls is
// at rest density everywhere: else it would leap off them at the start. A layer
// of particles is round where the tank has an edge, and adds too little there.
func TestFilledToTheWalls(t *testing.T) {
	for _, c := range []struct {
		name            string
		wall            func(Boundary) Boundary
		most, edge, low float64
	}{
		{"density map", func(b Boundary) Boundary { return b }, 1e-3, -0.01, -0.01},
		{"particles", func(b Boundary) Boundary { return particled(b) }, 5e-3, -0.05, -5e-3},
	} {
		w := New(0.1, 1000)
		w.Walls = []Boundary{c.wall(&Box{Max: vec.New(1, 1.5, 1), Inside: true})}
		w.Fill(&BoxShape{Max: vec.New(1, 1, 1)}, vec.Vec3{})
		mustInit(t, w)
		mustArrange(t, w)
		for i, x := range w.X {
			if x.Y > 0.9 {
				continue // the surface
			}
			low, walls := c.low, 0
			for _, near := range []float64{x.X, 1 - x.X, x.Y, x.Z, 1 - x.Z} {
				if near < 0.1 {
					walls++
				}
			}
			if walls > 1 {
				low = c.edge
			}
			if e := w.Rho[i]/w.Rho0 - 1; e > c.most || e < low {
				t.Fatalf("%s: at %v the density is off by %.2g", c.name, x, e)
			}
		}
	}
}

// TestBalanceAtWall checks that a constant pressure moves nothing beside a
// wall.
func TestBalanceAtWall(t *testing.T) {
	w := tank(t, 0.1, vec.New(1, 1, 1), 1)
	p := mustArrange(t, w)
	for i := range p.At {
		p.At[i].S = 1
	}
	a := make([]Vec4, w.Len())
	p.each(func(b, _, _ int) { p.pressureAccel(b, a) })
	for i, v := range a {
		// Without the wall a face's particle would feel 1.02 k/d.
		if got := math.Hypot(math.Hypot(float64(v.X), float64(v.Y)), float64(v.Z)); got > 0.06/0.1 {
			t.Fatalf("particle at %v feels %g m/s² at k = 1, want almost 0", w.X[i], got)
		}
	}
}

// TestShell compares the closed form of a layer on a sphere with a sum over
// points of the sphere.
func TestShell(t *testing.T) {
	l := newLayers(kernel.NewCubicSpline(3, 0.2))
	for _, c := range []struct{ rho, D float64 }{{0.3, 0.35}, {0.3, 0.2}, {0.05, 0.12}, {0.5, 0.5}} {
		var sum float64
		const n = 50_000 // rings
		for i := range n {
			cos := -1 + (2*float64(i)+1)/n
			r := math.Sqrt(c.rho*c.rho + c.D*c.D - 2*c.rho*c.D*cos)
			sum += l.area * l.k.W(r) * 2 * math.Pi * c.rho * c.rho * 2 / n
		}
		got, byD, byRho := l.shell(c.rho, c.D)
		if math.Abs(got-sum) > 1e-4 {
			t.Errorf("shell %v adds %g, want %g", c, got, sum)
		}
		const e = 1e-6
		at := func(rho, D float64) float64 { s, _, _ := l.shell(rho, D); return s }
		if want := (at(c.rho, c.D+e) - at(c.rho, c.D-e)) / (2 * e); math.Abs(byD-want) > 1e-5 {
			t.Errorf("shell %v: derivative by D %g, want %g", c, byD, want)
		}
		if want := (at(c.rho+e, c.D) - at(c.rho-e, c.D)) / (2 * e); math.Abs(byRho-want) > 1e-5 {
			t.Errorf("shell %v: derivative by rho %g, want %g", c, byRho, want)
		}
	}
}

// TestDeepInside checks that the share tells a wall's inside from its outside.
func TestDeepInside(t *testing.T) {
	longtest.Only(t)
	for name, b := range walls(t) {
		points(func(x vec.Vec3) {
			d, _ := b.Dist(x)
			if s, _ := b.Wall(x); d < -0.2 && s < 0.9 && name != "small ball" {
				t.Fatalf("%s: %g m deep at %v the share is %g", name, -d, x, s)
			}
		})
	}
}

// TestMovingWall pushes a block along a channel with a plane that moves.
func TestMovingWall(t *testing.T) {
	w := New(0.1, 1000)
	push := &piston{Plane: Plane{Normal: vec.New(1, 0, 0)}}
	w.Walls = []Boundary{push, &Box{Min: vec.New(-2, 0, 0), Max: vec.New(5, 0.5, 0.5), Inside: true}}
	w.Fill(&BoxShape{Max: vec.New(0.5, 0.5, 0.5)}, vec.Vec3{})
	mustInit(t, w)
	mustAdvance(t, w, newOf(t, &Solvers, "iisph"), 0.5, nil)
	// The first step, in which the piston jumps by 0.4 spacings, throws the
	// liquid ahead of it a little.
	if x := w.Stats().Center.X; math.Abs(x-0.75) > 0.07 {
		t.Errorf("pushed to %g m on the average, want 0.75", x)
	}
	for i, x := range w.X {
		if d, _ := push.Dist(x); d < 0.02 || math.Abs(w.V[i].X-1) > 0.5 {
			t.Fatalf("%v is %g m from the piston and moves at %g m/s", x, d, w.V[i].X)
		}
	}
}

// piston is a plane that moves along its normal at 1 m/s.
type piston struct{ Plane }

func (p *piston) Move(t float64)        { p.Point = p.Normal.Mul(t) }
func (p *piston) Vel(vec.Vec3) vec.Vec3 { return p.Normal }
