package sim

import (
	"math"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestLight floods bodies that are lighter than a single particle: they are
// carried along, no faster than the liquid can throw them.
func TestLight(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.08
	box := func(x vec.Vec3, edge float64) boundary.Boundary {
		return &boundary.Box{Min: x, Max: x.Add(vec.New(edge, edge, edge))}
	}
	for name, c := range map[string]struct {
		solver   string
		shape    boundary.Boundary
		density  float64
		friction float64
	}{
		"box":                  {"iisph", box(vec.New(0.62, 0.1, 0.2), 0.3), 1, 0},
		"rough box":            {"iisph", box(vec.New(0.62, 0.1, 0.2), 0.3), 1, 1},
		"beach ball":           {"iisph", &boundary.Sphere{Center: vec.New(0.8, 0.25, 0.35), Radius: 0.17}, 10, 1},
		"little box in it":     {"iisph", box(vec.New(0.2, 0.1, 0.2), 0.17), 1, 0},
		"rough little box":     {"iisph", box(vec.New(0.2, 0.1, 0.2), 0.17), 1, 1},
		"ball of air, dfsph":   {"dfsph", &boundary.Sphere{Center: vec.New(0.3, 0.25, 0.35), Radius: 0.17}, 1, 1},
		"ball of 0.1":          {"iisph", &boundary.Sphere{Center: vec.New(0.8, 0.25, 0.35), Radius: 0.17}, 0.1, 0},
		"beach ball and wcsph": {"wcsph", &boundary.Sphere{Center: vec.New(0.3, 0.25, 0.35), Radius: 0.17}, 20, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := body.NewRigid(c.shape, c.density, 0, c.friction)
			if err != nil {
				t.Fatal(err)
			}
			w := New(d, 1000)
			w.Gravity = earth
			w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1.2, 1.2, 0.8), Inside: true}, b}
			w.Fill(&shape.Box{Max: vec.New(0.56, 0.56, 0.8)}, vec.Vec3{})
			mustInit(t, w)
			// Three times the speed of a fall from the tank's top.
			most := 3 * math.Sqrt(2*9.81*1.2)
			until := 1.
			if c.solver == "wcsph" {
				longtest.Only(t)
				until = 0.4 // its steps are short
			}
			mustAdvance(t, w, registrytest.New(t, &Solvers, c.solver), until, func(i StepInfo) error {
				if v := w.Set.Bodies[0].V.Len(); !(v <= most) {
					t.Fatalf("at %g s it goes at %g m/s", i.Time, v)
				}
				return nil
			})
		})
	}
}

// TestLightUnderWater lets light balls rise from deep in water with isph, whose force on bodies is
// not the adjoint of their motion: balls of 0.5 to 2 kg/m³ burst the liquid.
func TestLightUnderWater(t *testing.T) {
	longtest.NotShort(t)
	densities := []float64{0.5, 20}
	if longtest.On() {
		densities = []float64{0.5, 1, 2, 5, 20}
	}
	for _, density := range densities {
		b, err := body.NewRigid(&boundary.Sphere{Center: vec.New(0.75, 0.3, 0.4), Radius: 0.18}, density, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		w := New(0.08, 1000)
		w.Gravity = earth
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1.2, 1.2, 0.8), Inside: true}, b}
		w.Fill(&shape.Box{Max: vec.New(1.2, 0.56, 0.8)}, vec.Vec3{})
		mustInit(t, w)
		mustAdvance(t, w, registrytest.New(t, &Solvers, "isph"), 1, nil)
		if x := b.Free.Center(); x.Y < 0.5 {
			t.Errorf("a ball of %g kg/m³ is at %v after 1 s", density, x)
		}
	}
}

// TestAddedMass lets balls go deep in water at rest. They have to push aside half of the
// mass of the displaced water, so that a ball of the relative density s rises at
//
//	g (1 − s)/(s + 1/2).
//
// The water is only a few particles across, so no ball gets that fast. Two light balls
// accelerate in the right proportion, though.
func TestAddedMass(t *testing.T) {
	longtest.NotShort(t)
	rise := func(density float64) float64 {
		x := vec.New(0.4, 0.25, 0.4)
		w, b := afloat(t, 0.05, vec.New(0.8, 0.8, 0.8), 0.7, &boundary.Sphere{Center: x, Radius: 0.12}, density, 0)
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.12, nil)
		off := b.Free.Center().Sub(x)
		if math.Hypot(off.X, off.Z) > 0.02 {
			t.Errorf("a ball of %g kg/m³ goes aside, by %v", density, off)
		}
		return off.Y
	}
	const want = 0.999 / 0.501 * 0.55 / 0.95
	if got := rise(1) / rise(50); math.Abs(got-want) > 0.1 {
		t.Errorf("a ball of 1 kg/m³ rises %.3f times as far as one of 50 kg/m³, want %.3f", got, want)
	}
}

// TestBlow throws a particle at bodies of all masses, free and jointed: the impact is
// inelastic, takes energy and keeps the momentum.
func TestBlow(t *testing.T) {
	for _, density := range []float64{1e-3, 1, 1000, 1e5} {
		b := solid(t, &boundary.Box{Max: vec.New(0.2, 0.2, 0.2)}, density)
		w := New(0.1, 1000)
		w.Walls = []boundary.Boundary{b}
		w.Fill(&shape.Box{Min: vec.New(0.25, 0.05, 0.05), Max: vec.New(0.45, 0.15, 0.15)}, vec.New(-2, 1, 0))
		mustInit(t, w)
		m := w.Mass()
		x := vec.New(0.21, 0.13, 0.1)
		before := w.V[0].Mul(m)
		energy := w.V[0].Dot(w.V[0]) * m / 2
		held, v := x, w.V[0]
		var impacts []body.Impact
		if !w.projectOut(0, &held, &v, boundary.ParticleGap*w.Spacing, nil, w.rigid.All, &impacts, new(motion)) {
			t.Fatal("it is not held back")
		}
		w.rigid.ApplyImpacts([][]body.Impact{impacts}, w.V, m, w.Set.Bodies)
		if lost := w.V[0].Mul(m).Add(b.Momentum().Lin).Sub(before); lost.Len() > 1e-9 {
			t.Errorf("density %g: %v of the momentum are lost", density, lost)
		}
		if e := w.V[0].Dot(w.V[0])*m/2 + b.Momentum().Lin.Dot(w.Set.Bodies[0].V)/2; e > energy*(1+1e-9) {
			t.Errorf("density %g: the energy went from %g to %g J", density, energy, e)
		}
		if apart := w.V[0].Sub(b.Vel(held)).X; math.Abs(apart) > 0.1 {
			t.Errorf("density %g: they part at %g m/s", density, apart)
		}
	}
}
