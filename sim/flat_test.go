package sim

import (
	"math"
	"strings"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// pool returns a two-dimensional tank, filled up to depth.
func pool(t testing.TB, spacing, width, height, depth float64) *World {
	w := New2D(spacing, 1000)
	w.Gravity = earth
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(width, height, 0), Inside: true}}
	w.Fill(&shape.Box{Max: vec.New(width, depth, 0)}, vec.Vec3{})
	mustInit(t, w)
	return w
}

func TestFlatFilledToTheWalls(t *testing.T) {
	w := pool(t, 0.1, 1, 1.5, 1)
	if w.Len() != 100 || math.Abs(w.Mass()-10) > 1e-9 {
		t.Errorf("%d particles of %g kg, want 100 of 10", w.Len(), w.Mass())
	}
	mustArrange(t, w)
	for i, x := range w.X {
		if e := w.Rho[i]/w.Rho0 - 1; x.Y < 0.9 && (e > 3e-3 || e < -0.01) {
			t.Fatalf("at %v the density is off by %.2g", x, e)
		}
	}
}

// TestFlatWater holds for every solver that water stays at rest, and that
// nothing leaves the plane.
func TestFlatWater(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		w := pool(t, 0.04, 0.8, 1, 0.4)
		w.Viscosity = 1e-3
		mustAdvance(t, w, registrytest.New(t, &Solvers, name), 0.5, nil)
		s := w.Stats()
		if math.Abs(s.Center.Y-0.2) > 0.002 {
			t.Errorf("the middle is at %g m, want 0.2", s.Center.Y)
		}
		if limit := 0.01 * float64(w.Len()) * w.Mass() * 9.81 * w.Spacing; s.Kinetic > limit {
			t.Errorf("kinetic energy %g J, want less than %g", s.Kinetic, limit)
		}
		for i, x := range w.X {
			if x.Z != 0 || w.V[i].Z != 0 {
				t.Fatalf("a particle is at %v and moves at %v", x, w.V[i])
			}
		}
	})
}

// TestDeepWater checks that the weight of many layers does not burst the lowest.
func TestDeepWater(t *testing.T) {
	longtest.NotShort(t)
	for _, w := range []*World{
		pool(t, 0.0125, 0.1, 1.5, 1),
		tank(t, 0.0125, vec.New(0.1, 1.5, 0.05), 1),
	} {
		worst := 0.
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.2, func(i StepInfo) error {
			worst = max(worst, i.DensityError)
			return nil
		})
		s := w.Stats()
		if limit := 1e-3 * float64(w.Len()) * w.Mass() * 9.81; worst > 1e-3 || s.Kinetic > 2*limit || math.Abs(s.Center.Y-0.5) > 0.003 {
			t.Errorf("in %d dimensions the density is off by %.2g, the middle is at %g m, and %g J move: want 1e-3, 0.5 and %g",
				w.Dim(), worst, s.Center.Y, s.Kinetic, 2*limit)
		}
	}
}

func TestFlatFaults(t *testing.T) {
	for want, change := range map[string]func(w *World){
		"not supported in two dimensions": func(w *World) { w.Walls = []boundary.Boundary{struct{ boundary.Boundary }{w.Walls[0]}} },
		"min or max has z = 1":            func(w *World) { w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1, 1, 1)}} },
		"axis must be along z":            func(w *World) { w.Walls[0] = body.New(w.Walls[0], body.Motion{Turn: 1, Axis: vec.New(1, 0, 0)}, 0) },
		"its motion has z = 4":            func(w *World) { w.Walls[0] = body.New(w.Walls[0], body.Motion{Velocity: vec.New(0, 0, 4)}, 0) },
		"center has z = 2":                func(w *World) { w.Walls = []boundary.Boundary{&boundary.Sphere{Center: vec.New(0, 0, 2), Radius: 1}} },
		"normal has z = 3":                func(w *World) { w.Walls = []boundary.Boundary{&boundary.Plane{Normal: vec.New(0, 1, 3)}} },
		"gravity":                         func(w *World) { w.Gravity.Z = 1 },
		"particle 0":                      func(w *World) { w.V[0].Z = 1 },
	} {
		w := pool(t, 0.1, 1, 1, 0.5)
		change(w)
		if err := w.Init(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a fault with %q", err, want)
		}
	}
}
