package sim

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// held are liquids in walls, of particles or density maps, that try to lose them:
// all, or those named.
func held(t testing.TB, spacing float64, particles bool, names ...string) map[string]*World {
	box := func() *boundary.Box { return &boundary.Box{Max: vec.New(0.6, 0.5, 0.3), Inside: true} }
	center := vec.New(0.3, 0.25, 0.15)
	shell := mesh.Sphere(vec.New(0.3, 0.3, 0.3), 0.3, 32)
	inner := mesh.Sphere(vec.New(0.3, 0.3, 0.3), 0.3-2.2*spacing, 32) // a wall as thin as may be
	for _, tri := range inner.Tri {
		n := int32(len(shell.Pos))
		shell.Tri = append(shell.Tri, [3]int32{n + tri[0], n + tri[2], n + tri[1]})
	}
	shell.Pos = append(shell.Pos, inner.Pos...)
	shakes := body.Motion{Amplitude: vec.New(0.05, 0, 0), Frequency: math.Sqrt(3*9.81/0.05) / (2 * math.Pi)} // 3 g
	all := map[string]struct {
		wall   boundary.Boundary
		liquid vec.Box
	}{
		"shaken box":   {body.New(box(), shakes, 0), vec.Box{Max: vec.New(0.6, 0.2, 0.3)}},
		"rotating box": {body.New(box(), body.Motion{Axis: vec.New(0, 0, 1), Center: center, Turn: 360}, 0), vec.Box{Max: vec.New(0.6, 0.2, 0.3)}},
		"rotating mesh": {body.New(walltest.Mesh(t, mesh.Cuboid(vec.Box{Max: vec.New(0.6, 0.5, 0.3)}), true),
			body.Motion{Axis: vec.New(1, 0, 1), Center: center, Turn: 250}, 0.5), vec.Box{Max: vec.New(0.6, 0.2, 0.3)}},
		"wedge": {body.New(walltest.Wedge(t, true), body.Motion{Amplitude: vec.New(0.03, 0, 0.02), Frequency: 3}, 0), vec.Box{Max: vec.New(0.6, 0.4, 0.4)}},
		"drum": {body.New(&boundary.Cylinder{Bottom: vec.New(0, 0, 0), Top: vec.New(0, 0.5, 0), Radius: 0.3, Inside: true},
			body.Motion{Axis: vec.New(1, 0, 0), Swing: 40, Frequency: 1}, 0), vec.Box{Min: vec.New(-0.2, 0.0, -0.2), Max: vec.New(0.2, 0.4, 0.2)}},
		"thin shell": {body.New(walltest.Mesh(t, shell, false), body.Motion{Amplitude: vec.New(0, 0.05, 0), Frequency: 2}, 0), vec.Box{Min: vec.New(0.15, 0.15, 0.15), Max: vec.New(0.45, 0.45, 0.45)}},
		"paddle":     {&boundary.Box{Min: vec.New(-1, 0, 0), Max: vec.New(1.5, 1, 0.3), Inside: true}, vec.Box{Max: vec.New(0.9, 0.3, 0.3)}},
	}
	worlds := map[string]*World{}
	for name, c := range all {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		w := New(spacing, 1000)
		w.Gravity = earth
		w.Walls = []boundary.Boundary{c.wall}
		if name == "paddle" {
			m := body.Motion{Axis: vec.New(0, 0, 1), Center: vec.New(1, 0, 0), Times: []float64{0, 0.3, 0.8}, Angles: []float64{0, 25, 0}, Positions: []vec.Vec3{{}, {X: -0.2}, {}}}
			w.Walls = append(w.Walls, body.New(&boundary.Plane{Point: vec.New(1, 0, 0), Normal: vec.New(-1, 0, 0)}, m, 0))
		}
		w.Fill(&shape.Box{Min: c.liquid.Min, Max: c.liquid.Max}, vec.Vec3{})
		if particles {
			for i, wall := range w.Walls {
				b, ok := wall.(*body.Body)
				if !ok {
					b = body.New(wall, body.Motion{}, 0)
				}
				b.Particles = true
				w.Walls[i] = b
			}
		}
		mustInit(t, w)
		worlds[name] = w
	}
	return worlds
}

var fullSweep = flag.Bool("sweep", false, "run the containment test in full, which takes some ten minutes of one core")

// TestContained checks that no wall loses a particle, whatever its shape, its
// motion, its kind and the spacing. With -sweep it runs longer and finer.
func TestContained(t *testing.T) {
	longtest.NotShort(t)
	cells := []struct{ spacing, until, particles float64 }{{0.042, 0.6, 0.6}, {0.03, 0.6, 0.3}, {0.021, 0.3, 0}}
	switch {
	case *fullSweep:
		cells = []struct{ spacing, until, particles float64 }{{0.042, 3, 3}, {0.03, 3, 3}, {0.021, 2, 2}, {0.015, 1, 0.5}}
	case testing.Short(): // for the race detector, which needs each wall but no time
		cells = []struct{ spacing, until, particles float64 }{{0.05, 0.02, 0.02}}
	case !longtest.On():
		cells = []struct{ spacing, until, particles float64 }{{0.05, 0.3, 0.2}}
	}
	for _, c := range cells {
		run := func(name string, w *World, until float64) {
			t.Run(fmt.Sprintf("%s/%g", name, c.spacing), func(t *testing.T) { containing(t, w, until) })
		}
		maps := held(t, c.spacing, false)
		if c.particles > 0 { // while the grids of distances are there
			for name, w := range held(t, c.spacing, true) {
				run(name+ofParticles, w, c.particles)
			}
		}
		for name, w := range maps {
			run(name, w, c.until)
		}
	}
}

func containing(t *testing.T, w *World, until float64) {
	n, spacing := w.Len(), w.Spacing
	if n < 70 {
		t.Fatalf("%d particles", n)
	}
	solver := registrytest.New(t, &Solvers, "iisph")
	steps, most := 0, 0.
	for w.Time < until-1e-9 {
		mustAdvance(t, w, solver, min(until, w.Time+0.1), func(i StepInfo) error {
			steps++
			most = max(most, i.Dt*wallSpeed(w, 0)/spacing)
			return nil
		})
		seen := make([]bool, n)
		for i, x := range w.X {
			seen[w.ID[i]] = true
			for k, wall := range w.Walls {
				if d, _ := wall.Dist(x); !(d > 0.15*spacing) || !x.Finite() {
					t.Errorf("%g s: particle %d at %v is %g spacings from wall %d", w.Time, w.ID[i], x, d/spacing, k)
				}
			}
		}
		if w.Len() != n || len(seen) != n {
			t.Fatalf("%d particles of %d are left", w.Len(), n)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if most > 0.4*outlierCFL*1.01 {
		t.Errorf("a wall moved %g spacings in a step", most)
	}
	t.Logf("%d particles, %d steps, at most %.2g spacings of wall in one", n, steps, most)
}

// TestMovingWallsSame checks that moving walls give the same bytes for any
// number of threads, and to a run that was stopped.
func TestMovingWallsSame(t *testing.T) {
	for name, particles := range map[string]bool{"rotating mesh": false, "paddle": false, "drum": true, "thin shell": true} {
		var want uint64
		for threads := range longtest.OnThreads() {
			w := held(t, 0.04, particles, name)[name]
			w.Viscosity = 1e-4
			for frame := 1; frame <= 3; frame++ {
				mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), float64(frame)/30, nil)
				if frame == 2 && threads == 8 { // go on as from a file
					var saved particle.Set
					copySet(&saved, &w.Set)
					fresh := held(t, 0.04, particles, name)[name]
					fresh.Viscosity = 1e-4
					fresh.Set, fresh.Time, fresh.Dt, fresh.Surplus = saved, w.Time, w.Dt, w.Surplus
					w = fresh
				}
			}
			if got := sum(w); want == 0 {
				want = got
			} else if got != want {
				t.Errorf("%s: %d threads, resumed, give %x, one gives %x", name, threads, got, want)
			}
		}
	}
}
