package quantity

import (
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func mustInit(t testing.TB, w *sim.World) {
	t.Helper()
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
}

// Every quantity has a finite value per particle, for no particles and for a few too.
func TestQuantities(t *testing.T) {
	for _, name := range Quantities.Names() {
		q := registrytest.New(t, &Quantities, name)
		for _, n := range []int{0, 1, 2, 3, 5} {
			w := sim.New(0.1, 1000)
			for i := range n {
				w.Add(vec.New(0.1*float64(i), 0, 0), vec.New(0, float64(i), 0), 1000, uint32(i))
			}
			mustInit(t, w)
			scalar, vector := q.Of(w, registrytest.New(t, &sim.Solvers, "iisph"))
			if (scalar == nil) == (vector == nil) || len(scalar)+len(vector) != n || (vector != nil) != (q.Numbers() == 3) {
				t.Fatalf("%s: %d numbers and %d vectors for %d particles", name, len(scalar), len(vector), n)
			}
			for i := range n {
				if scalar != nil && !vec.New(scalar[i], 0, 0).Finite() || vector != nil && !vector[i].Finite() {
					t.Errorf("%s: particle %d of %d has no finite value", name, i, n)
				}
			}
		}
	}
}

// A block that turns as a rigid body has twice its rate for a vorticity, at its
// corners as in its midst; one that moves along or stretches has none.
func TestVorticity(t *testing.T) {
	omega := vec.New(1, -2, 0.5)
	for name, velocity := range map[string]func(x vec.Vec3) (v, curl vec.Vec3){
		"turning":    func(x vec.Vec3) (v, curl vec.Vec3) { return omega.Cross(x), omega.Mul(2) },
		"stretching": func(x vec.Vec3) (v, curl vec.Vec3) { return vec.New(3*x.X+7, -x.Y, -2*x.Z), vec.Vec3{} },
		"shear":      func(x vec.Vec3) (v, curl vec.Vec3) { return vec.New(4*x.Y, 0, 0), vec.New(0, 0, -4) },
	} {
		w := sim.New(0.1, 1000)
		for i := range 6 * 6 * 6 {
			x := vec.New(float64(i%6), float64(i/6%6), float64(i/36)).Mul(0.1).Add(vec.New(0.01*math.Sin(float64(i)), 0.01*math.Cos(3*float64(i)), 0))
			v, _ := velocity(x)
			w.Add(x, v, 1000, uint32(i))
		}
		_, got := vorticityQuantity{}.Of(w, nil)
		for i, x := range w.X {
			if _, want := velocity(x); got[i].Sub(want).Len() > 1e-9 {
				t.Errorf("%s: %v at %v, want %v", name, got[i], x, want)
				break
			}
		}
	}
	// In two dimensions it is across the plane.
	w := sim.New2D(0.1, 1000)
	for i := range 25 {
		x := vec.New(float64(i%5), float64(i/5), 0).Mul(0.1)
		w.Add(x, vec.New(0, 0, 3).Cross(x), 1000, uint32(i))
	}
	_, got := vorticityQuantity{}.Of(w, nil)
	for i, x := range w.X {
		if got[i].Sub(vec.New(0, 0, 6)).Len() > 1e-9 {
			t.Errorf("%v at %v of a plane", got[i], x)
		}
	}
}

// TestAge checks the age of a particle that is there at the start.
func TestAge(t *testing.T) {
	w := sim.New(0.1, 1000)
	w.Add(vec.Vec3{}, vec.Vec3{}, 1000, 7)
	mustInit(t, w)
	w.Time = 2.5
	if age, _ := (ageQuantity{}).Of(w, nil); age[0] != 2.5 {
		t.Errorf("a particle from the start is %g s old at 2.5 s", age[0])
	}
}

// Particles of still water have their height above the floor, and the pressure of the
// water above them.
func TestQuantitiesAtRest(t *testing.T) {
	const d, depth = 0.05, 0.3
	for _, name := range []string{"iisph", "dfsph", "wcsph"} {
		w := sim.New(d, 1000)
		w.Gravity = vec.New(0, -9.81, 0)
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(0.4, 1, 0.4), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(0.4, depth, 0.4)}, vec.Vec3{})
		mustInit(t, w)
		s := registrytest.New(t, &sim.Solvers, name)
		q := pressureQuantity{}
		if err := q.Suits(s); err != nil {
			t.Error(err)
		}
		if p, _ := q.Of(w, s); len(p) != w.Len() || p[0] != 0 {
			t.Errorf("%s: %g Pa before the first step", name, p[0])
		}
		if err := w.Advance(s, 0.3, nil); err != nil {
			t.Fatal(err)
		}
		p, _ := q.Of(w, s)
		wall, _ := wallQuantity{}.Of(w, s)
		var mean, want float64
		for i, x := range w.X {
			if depth-x.Y > 2*d { // at the surface wcsph has less than none
				mean += p[i]
				want += 1000 * 9.81 * (depth - x.Y)
			}
			if side := min(x.X, 0.4-x.X, x.Y, 1-x.Y, x.Z, 0.4-x.Z); math.Abs(side-wall[i]) > 1e-9 {
				t.Fatalf("%s: %g m from the nearest wall at %v", name, wall[i], x)
			}
		}
		if math.Abs(mean/want-1) > 0.2 {
			t.Errorf("%s: a pressure of %.2f times what it should be", name, mean/want)
		}
	}
	if err := (pressureQuantity{}).Suits(nil); err == nil {
		t.Error("a solver that keeps no pressure passes")
	}
}
