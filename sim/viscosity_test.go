package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestShearWaveDecays lets viscosity alone act on a shear wave between two free faces, on
// which the wave has no slope. It compares the decay with exp(−νk²t), in explicit and in
// implicit steps.
func TestShearWaveDecays(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		name string
		dt   float64 // in longest explicit steps
	}{{"explicit", 0.9}, {"implicit", 1.1}, {"long steps", 8}} {
		t.Run(c.name, func(t *testing.T) {
			w := New(0.05, 1000)
			w.Viscosity = 0.1
			w.Fill(&shape.Box{Max: vec.New(1.6, 2, 0.6)}, vec.Vec3{})
			mustInit(t, w)
			k := math.Pi
			for i, x := range w.X {
				w.V[i] = vec.New(1+math.Cos(k*x.Y), 0, 0)
			}
			p := mustArrange(t, w)
			p.setVelocities(w)
			s := registrytest.New(t, &Solvers, "iisph").(*IISPH)
			dt := c.dt * w.viscousDt()
			energy, iter := w.Stats().Kinetic, 0
			before := momentum(w)
			steps := int(0.2 / (w.Viscosity * k * k) / dt)
			for range steps {
				iter += s.applyForces(w, p, dt, dt)
				now := w.Stats().Kinetic
				if now > energy {
					t.Fatalf("the energy grew from %g to %g J", energy, now)
				}
				energy = now
			}
			if (iter > 0) != (c.dt > 1) {
				t.Errorf("%d iterations in steps of %g of the explicit ones", iter, c.dt)
			}
			if d := momentum(w).Sub(before).Len(); d > 1e-6*before.Len() {
				t.Errorf("momentum changed by %g of %g", d, before.Len())
			}
			// Off the faces, where neighbours are missing.
			var amplitude, norm float64
			inner := vec.Box{Min: vec.New(0.5, 0, 0.2), Max: vec.New(1.1, 2, 0.4)}
			for i, x := range w.X {
				if inner.Contains(x) {
					amplitude += (w.V[i].X - 1) * math.Cos(k*x.Y)
					norm += math.Cos(k*x.Y) * math.Cos(k*x.Y)
				}
			}
			rate := -math.Log(amplitude/norm) / (float64(steps) * dt)
			if got := rate / (w.Viscosity * k * k); math.Abs(got-1) > 0.06 {
				t.Errorf("decays at %.3f of the rate νk²", got)
			}
		})
	}
}

// momentum returns the sum of the velocities.
func momentum(w *World) (sum vec.Vec3) {
	for _, v := range w.V {
		sum = sum.Add(v)
	}
	return sum
}

// TestThickColumnCreeps lets a column of a very thick liquid sink under its own weight on
// a floor without friction. Its faces are free, so a slice under the height H−z of liquid
// sinks as if the viscosity were 3ν (Trouton 1906). It sinks at the rate g(H−z)/3ν, and
// the centre of mass at gH²/9ν.
func TestThickColumnCreeps(t *testing.T) {
	longtest.NotShort(t)
	w := New(0.1, 1000)
	w.Gravity, w.Viscosity = earth, 10
	w.Walls = []boundary.Boundary{registrytest.New(t, &boundary.Boundaries, "plane")}
	w.Fill(&shape.Box{Min: vec.New(-0.4, 0, -0.4), Max: vec.New(0.4, 1, 0.4)}, vec.Vec3{})
	mustInit(t, w)
	s := registrytest.New(t, &Solvers, "iisph")
	// It takes some steps until viscosity and pressure have found each other.
	mustAdvance(t, w, s, 0.2, nil)
	y, energy := w.Stats().Center.Y, w.Stats().Kinetic+w.Stats().Potential
	const time = 0.2
	mustAdvance(t, w, s, 0.2+time, func(StepInfo) error {
		st := w.Stats()
		if now := st.Kinetic + st.Potential; now > energy {
			t.Fatalf("at %g s the energy grew from %g to %g J", w.Time, energy, now)
		} else {
			energy = now
		}
		return nil
	})
	mean := (y + w.Stats().Center.Y) / 2
	want := 9.81 * 4 * mean * mean / 9 / w.Viscosity
	if got := (y - w.Stats().Center.Y) / time; math.Abs(got-want) > 0.1*want {
		t.Errorf("sinks at %.4f m/s, want %.4f", got, want)
	}
}

// TestThickLiquidTumbles checks that viscosity does not stop a rotation as a
// whole, nor change momentum, however thick the liquid is.
func TestThickLiquidTumbles(t *testing.T) {
	w := New(0.1, 1000)
	w.Viscosity = 50
	w.Fill(&shape.Box{Max: vec.New(0.6, 1, 0.4)}, vec.Vec3{})
	mustInit(t, w)
	center, spin := w.Stats().Center, vec.New(0.3, 0.5, 2)
	for i, x := range w.X {
		w.V[i] = spin.Cross(x.Sub(center)).Add(vec.New(1, 2, 3))
	}
	p := mustArrange(t, w)
	p.setVelocities(w)
	const dt = 0.01
	if !viscosityIsStiff(w, dt) {
		t.Fatal("no solve is needed")
	}
	w.implicitViscosity.solve(w, p, dt)
	for i, x := range w.X {
		want := spin.Cross(x.Sub(center)).Add(vec.New(1, 2, 3))
		if d := w.V[i].Sub(want).Len(); d > 1e-4 {
			t.Fatalf("particle %d at %v moves at %v, want %v", w.ID[i], x, w.V[i], want)
		}
	}
	// Motion other than rotation decays, and takes no momentum along.
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range w.V {
		w.V[i] = w.V[i].Add(vec.New(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
	}
	p.setVelocities(w)
	turn := func() (sum vec.Vec3) {
		for i, x := range w.X {
			sum = sum.Add(x.Sub(center).Cross(w.V[i]))
		}
		return sum
	}
	before, turning, kinetic := momentum(w), turn(), w.Stats().Kinetic
	w.implicitViscosity.solve(w, p, dt)
	if d := momentum(w).Sub(before).Len(); d > 1e-6*before.Len() {
		t.Errorf("momentum changed by %g of %g", d, before.Len())
	}
	if d := turn().Sub(turning).Len(); d > 1e-4*turning.Len() {
		t.Errorf("angular momentum changed by %g of %g", d, turning.Len())
	}
	if got := w.Stats().Kinetic; got > 0.9*kinetic {
		t.Errorf("the energy of random velocities went from %g to %g J only", kinetic, got)
	}
}

// TestThickLiquidSameBytes has the solve for viscosity at work in every solver,
// on any number of threads and in a run that is stopped and resumed.
func TestThickLiquidSameBytes(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		thick := func() *World {
			w := dam(t, 0.05)
			w.Viscosity = 5
			return w
		}
		iter := 0
		sameResumed(t, name, thick, func(i StepInfo) error { iter += i.ViscosityIter; return nil })
		if iter == 0 {
			t.Fatal("no solve for viscosity")
		}
	})
}
