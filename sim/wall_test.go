package sim

import (
	"math"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/force"
	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// particled returns the wall made of particles.
func particled(b boundary.Boundary) *body.Body {
	mover := body.New(b, body.Motion{}, 0)
	mover.Particles = true
	return mover
}

const ofParticles = " of particles"

// TestFilledToTheWalls checks that a lattice half a spacing from its walls is
// at rest density everywhere: else it would leap off them at the start. A layer
// of particles is round where the tank has an edge, and adds too little there.
func TestFilledToTheWalls(t *testing.T) {
	for _, c := range []struct {
		name            string
		wall            func(boundary.Boundary) boundary.Boundary
		most, edge, low float64
	}{
		{"density map", func(b boundary.Boundary) boundary.Boundary { return b }, 1e-3, -0.01, -0.01},
		{"particles", func(b boundary.Boundary) boundary.Boundary { return particled(b) }, 5e-3, -0.05, -5e-3},
	} {
		w := New(0.1, 1000)
		w.Walls = []boundary.Boundary{c.wall(&boundary.Box{Max: vec.New(1, 1.5, 1), Inside: true})}
		w.Fill(&shape.Box{Max: vec.New(1, 1, 1)}, vec.Vec3{})
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

// filled returns a world of a mesh tank that liquid fills to the depth.
func filled(t testing.TB, wall boundary.Boundary, spacing float64, block vec.Box) *World {
	w := New(spacing, 1000)
	w.Gravity = earth
	w.Walls = []boundary.Boundary{wall}
	w.Fill(&shape.Box{Min: block.Min, Max: block.Max}, vec.Vec3{})
	mustInit(t, w)
	return w
}

// TestMeshTankFilled is TestFilledToTheWalls for a tank given as a mesh, off
// the nodes of its grid.
func TestMeshTankFilled(t *testing.T) {
	box := vec.Box{Min: vec.New(0.017, -0.033, 0.041), Max: vec.New(1.017, 1.467, 1.041)}
	w := filled(t, walltest.Mesh(t, mesh.Cuboid(box), true), 0.1, vec.Box{Min: box.Min, Max: vec.New(1.017, 0.967, 1.041)})
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
		// Without the wall the acceleration of a face's particle would be 1.02 k/d.
		if got := math.Hypot(math.Hypot(float64(v.X), float64(v.Y)), float64(v.Z)); got > 0.06/0.1 {
			t.Fatalf("particle at %v feels %g m/s² at k = 1, want almost 0", w.X[i], got)
		}
	}
}

// TestMovingWall pushes a block along a channel with a plane that moves.
func TestMovingWall(t *testing.T) {
	w := New(0.1, 1000)
	push := &piston{Plane: boundary.Plane{Normal: vec.New(1, 0, 0)}}
	w.Walls = []boundary.Boundary{push, &boundary.Box{Min: vec.New(-2, 0, 0), Max: vec.New(5, 0.5, 0.5), Inside: true}}
	w.Fill(&shape.Box{Max: vec.New(0.5, 0.5, 0.5)}, vec.Vec3{})
	mustInit(t, w)
	mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.5, nil)
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
type piston struct{ boundary.Plane }

func (p *piston) Move(t float64)        { p.Point = p.Normal.Mul(t) }
func (p *piston) Vel(vec.Vec3) vec.Vec3 { return p.Normal }

// TestParticleWalls runs a broken dam and a still tank with walls of particles, with the
// checks of density maps. No particle is lost, no energy is gained, still water stays
// still, and the walls bear its weight.
func TestParticleWalls(t *testing.T) {
	longtest.NotShort(t)
	for _, spacing := range []float64{0.05, 0.04} {
		if spacing < 0.05 && !longtest.On() {
			break
		}
		w := dam(t, spacing)
		for i, wall := range w.Walls {
			w.Walls[i] = particled(wall)
		}
		mustInit(t, w)
		n, energy := w.Len(), w.Stats().Potential
		for range 4 {
			mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), w.Time+0.15, nil)
			if s := w.Stats(); s.Kinetic+s.Potential > 1.01*energy {
				t.Errorf("energy %g J at %g s, started with %g", s.Kinetic+s.Potential, w.Time, energy)
			}
			for i, x := range w.X {
				for _, wall := range w.Walls {
					if d, _ := wall.Dist(x); w.Len() != n || !(d >= boundary.ParticleGap*spacing*0.999) {
						t.Fatalf("particle %d of %d (%d before) at %v is %g m from a wall", w.ID[i], w.Len(), n, x, d)
					}
				}
			}
		}
	}

	const d, depth = 0.05, 0.5
	w := New(d, 1000)
	w.Gravity = earth
	w.Walls = []boundary.Boundary{particled(&boundary.Box{Max: vec.New(0.5, 1, 0.4), Inside: true})}
	w.Fill(&shape.Box{Max: vec.New(0.5, depth, 0.4)}, vec.Vec3{})
	w.Forces = []force.Force{registrytest.New(t, &force.Forces, "xsph")}
	mustInit(t, w)
	start := w.Stats()
	var force, readings float64
	mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 2, func(i StepInfo) error {
		if i.Time > 1 {
			forces := NewWallForces(w)
			for k, p := range w.Carry(carryPressure) {
				grad := forces.Gradient(w.Walls[0], int32(k))
				force += min(0, grad.Y) * w.Mass() * p / w.Rho0
			}
			readings++
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
	t.Logf("depth %.4g of the initial depth, kinetic energy %.2g J, force on the floor %.4g of the weight", end.Center.Y/start.Center.Y, end.Kinetic, force/readings/weight)
	if e := force/readings/weight - 1; math.Abs(e) > 0.02 {
		t.Errorf("the floor bears %.3g of the weight", 1+e)
	}
}

// TestParticleWallFaults passes walls that cannot be made of particles.
func TestParticleWallFaults(t *testing.T) {
	for name, wall := range map[string]boundary.Boundary{
		"no extent": new(piston),
		"huge":      &boundary.Box{Max: vec.New(300, 300, 300), Inside: true},
	} {
		if err := particled(wall).Init(kernel.NewCubicSpline(3, 0.1)); err == nil {
			t.Errorf("%s: no fault is found", name)
		}
	}
	w := New2D(0.1, 1000)
	w.Walls = []boundary.Boundary{particled(&boundary.Box{Max: vec.New(1, 1, 0), Inside: true})}
	if w.Init() == nil {
		t.Error("walls of particles in two dimensions")
	}
}
