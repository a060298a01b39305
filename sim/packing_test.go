package sim

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// vessels are tanks that no lattice fits, with the volume of the water in them.
var vessels = []struct {
	name   string
	flat   bool
	walls  func() []boundary.Boundary
	liquid shape.Shape
	volume float64
}{
	{
		name: "cylinder",
		walls: func() []boundary.Boundary {
			return []boundary.Boundary{&boundary.Cylinder{Top: vec.New(0, 0.6, 0), Radius: 0.25, Inside: true}}
		},
		liquid: &shape.Cylinder{Top: vec.New(0, 0.3, 0), Radius: 0.25},
		volume: math.Pi * 0.25 * 0.25 * 0.3,
	},
	{
		name: "slope",
		walls: func() []boundary.Boundary {
			return []boundary.Boundary{&boundary.Box{Max: vec.New(0.8, 0.6, 0.3), Inside: true}, &boundary.Plane{Point: vec.New(0.5, 0, 0), Normal: vec.New(-0.5, 1, 0)}}
		},
		liquid: &shape.Box{Max: vec.New(0.8, 0.3, 0.3)},
		volume: (0.8*0.3 - 0.3*0.15/2) * 0.3,
	},
	{
		name: "full sphere",
		walls: func() []boundary.Boundary {
			return []boundary.Boundary{&boundary.Sphere{Radius: 0.25, Inside: true}}
		},
		liquid: &shape.Sphere{Radius: 0.25},
		volume: 4 * math.Pi / 3 * 0.25 * 0.25 * 0.25,
	},
	{
		name: "above a disc",
		flat: true,
		walls: func() []boundary.Boundary {
			return []boundary.Boundary{&boundary.Box{Max: vec.New(0.8, 0.6, 0), Inside: true}, &boundary.Sphere{Center: vec.New(0.4, -0.05, 0), Radius: 0.1}}
		},
		liquid: &shape.Box{Max: vec.New(0.8, 0.3, 0)},
		volume: 0.8*0.3 - (0.01*math.Acos(0.5) - 0.05*math.Sqrt(0.01-0.0025)),
	},
}

// TestPacked fills vessels that no lattice fits with water, with the defaults: it has the volume
// of the liquid and is at rest from the start, the better the finer it is.
func TestPacked(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range vessels {
		t.Run(c.name, func(t *testing.T) {
			if !c.flat {
				longtest.Only(t) // TestPackedSame packs these, coarser
			}
			var rms [2]float64
			for k, d := range []float64{0.025, 0.0125} {
				w := New(d, 1000)
				if c.flat {
					w = New2D(d, 1000)
				}
				w.Gravity, w.Viscosity = earth, 1e-6
				w.Walls = c.walls()
				s := registrytest.New(t, &Solvers, DefaultSolver)
				w.FillFor(s)
				w.Fill(c.liquid, vec.Vec3{})
				mustInit(t, w)
				if v := float64(w.Len()) * w.ParticleVolume(); math.Abs(v/c.volume-1) > 0.03*d/0.025 {
					t.Errorf("d = %g m: %g m³ of liquid, want %g m³", d, v, c.volume)
				}
				mustAdvance(t, w, s, 0.1, nil)
				sum := 0.
				for _, v := range w.V {
					sum += v.Dot(v)
				}
				rms[k] = math.Sqrt(sum / float64(w.Len()))
				t.Logf("d = %g m: rms %.2g m/s, most %.2g m/s", d, rms[k], maxSpeed(w.V))
				if fall := math.Sqrt(9.81 * 0.3); rms[k] > 0.01*fall {
					t.Errorf("d = %g m: an rms speed of %.3g m/s, of √(gH) %.3g m/s", d, rms[k], fall)
				}
			}
			if rms[1] > rms[0] {
				t.Errorf("the speed grows from %.3g to %.3g m/s with half the spacing", rms[0], rms[1])
			}
		})
	}
}

// TestPackedSame checks that packing gives the same bits for any number of threads, does nothing
// twice, and leaves lattices that fit as they are.
func TestPackedSame(t *testing.T) {
	for _, c := range vessels {
		want := uint64(0)
		for threads := range longtest.OnThreads() {
			w := New(0.04, 1000)
			if c.flat {
				w = New2D(0.04, 1000)
			}
			w.Gravity, w.Walls = earth, c.walls()
			w.FillFor(registrytest.New(t, &Solvers, DefaultSolver))
			w.Fill(c.liquid, vec.Vec3{})
			mustInit(t, w)
			for range 2 {
				if err := w.Pack(); err != nil {
					t.Fatal(err)
				}
				if got := sum(w); want == 0 {
					want = got
				} else if got != want {
					t.Errorf("%s: %d threads give %x, want %x", c.name, threads, got, want)
				}
			}
		}
	}
	w := New(0.05, 1000)
	w.Gravity = earth
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1, 1, 0.5), Inside: true}}
	w.FillFor(registrytest.New(t, &Solvers, DefaultSolver))
	w.Fill(&shape.Box{Max: vec.New(0.5, 0.5, 0.5)}, vec.Vec3{})
	mustInit(t, w)
	before := append([]vec.Vec3(nil), w.X...)
	if err := w.Pack(); err != nil {
		t.Fatal(err)
	}
	for i, x := range before {
		if w.X[i] != x {
			t.Fatalf("a particle moves from %v to %v where the lattice fits", x, w.X[i])
		}
	}
}

// TestResumePacked checks that a world that resumes is not packed anew.
func TestResumePacked(t *testing.T) {
	make := func() *World {
		w := New(0.04, 1000)
		w.Gravity, w.Walls = earth, vessels[0].walls()
		w.FillFor(registrytest.New(t, &Solvers, DefaultSolver))
		w.Fill(vessels[0].liquid, vec.Vec3{})
		mustInit(t, w)
		return w
	}
	w, again := make(), make()
	if err := w.Pack(); err != nil {
		t.Fatal(err)
	}
	w.Round()
	copySet(&again.Set, &w.Set)
	if err := again.Resume(again.Set, w.Time, w.Dt, w.Surplus); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*World{w, again} {
		mustAdvance(t, w, registrytest.New(t, &Solvers, DefaultSolver), 0.02, nil)
	}
	if a, b := sum(w), sum(again); a != b {
		t.Errorf("the resumed world gives %x, want %x", b, a)
	}
}
