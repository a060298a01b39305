package sim

import (
	"math"
	"runtime"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// solid returns a free body of the given density, kg/m³.
func solid(t testing.TB, shape boundary.Boundary, density float64) *body.Body {
	t.Helper()
	b, err := body.NewRigid(shape, density, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// afloat returns a tank of water with a body in it.
func afloat(t testing.TB, spacing float64, size vec.Vec3, depth float64, solid boundary.Boundary, density, friction float64) (*World, *body.Body) {
	t.Helper()
	b, err := body.NewRigid(solid, density, 0, friction)
	if err != nil {
		t.Fatal(err)
	}
	w := New(spacing, 1000)
	w.Gravity = earth
	w.Walls = []boundary.Boundary{&boundary.Box{Max: size, Inside: true}, b}
	w.Fill(&shape.Box{Max: vec.New(size.X, depth, size.Z)}, vec.Vec3{})
	mustInit(t, w)
	return w, b
}

// TestArchimedes holds a floating box to 2 % of its draft.
func TestArchimedes(t *testing.T) {
	longtest.Only(t)
	const side, high, density = 0.2, 0.15, 500.
	size := vec.New(0.5, 0.8, 0.5)
	low := 0.4 - high*density/1000
	w, b := afloat(t, 0.025, size, 0.4, &boundary.Box{Min: vec.New(0.15, low, 0.15), Max: vec.New(0.15+side, low+high, 0.15+side)}, density, 0)
	s := registrytest.New(t, &Solvers, "iisph")
	y, n := 0., 0.
	mustAdvance(t, w, s, 1.5, nil)
	mustAdvance(t, w, s, 2.5, func(i StepInfo) error {
		y += w.Set.Bodies[0].X.Y
		n++
		// Its support lies half a spacing off its bottom and its sides.
		if most := w.Len() / 2; i.BodyHits < 8*8 || i.BodyHits > most {
			t.Fatalf("%d particles press on it, want between 64 and %d", i.BodyHits, most)
		}
		return nil
	})
	// The water's level follows from the volumes.
	level := (float64(w.Len())*w.Mass() + b.Free.Mass) / 1000 / (size.X * size.Z)
	draft, want := level-(y/n-high/2), high*density/1000
	t.Logf("the draft is %.5f m, by Archimedes' law %.5f", draft, want)
	if math.Abs(draft/want-1) > 0.02 {
		t.Errorf("the draft is %.4f m, want %.4f", draft, want)
	}
}

// TestRigidMomentum lets a body and a drop around it collide in empty space. They lose at
// most 1e-4 of the momentum and angular momentum that one gives the other. The liquid
// alone does so too where its viscosity is water's or is solved for. The explicit sum of
// a thick liquid does not conserve angular momentum. The gradient and the shift of isph lose
// 3 and 4 %.
func TestRigidMomentum(t *testing.T) {
	longtest.Only(t)
	solvers(t, func(t *testing.T, name string) {
		for _, c := range [][2]float64{{50, 1e-6}, {1000, 1e-6}, {20000, 1e-6}, {50, 1}, {1000, 1}} { // viscosity explicit and, but with wcsph, implicit
			density := c[0]
			b, err := body.NewRigid(&boundary.Box{Min: vec.New(-0.3, -0.2, -0.2), Max: vec.New(0.3, 0.2, 0.2)}, density, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			b.Free.Start.V, b.Free.Start.Spin = vec.New(0, 1, 0), vec.New(0, 0, 1)
			w := New(0.1, 1000)
			w.Viscosity = c[1]
			w.Walls = []boundary.Boundary{b}
			w.Fill(&shape.Box{Min: vec.New(-0.7, -0.6, -0.6), Max: vec.New(0.7, 0.6, 0.6)}, vec.Vec3{})
			mustInit(t, w)
			total := func() (sum body.Twist) {
				for i, x := range w.X {
					sum = sum.Add(body.Wrench(x, w.V[i].Mul(w.Mass())))
				}
				m := b.Momentum()
				return sum.Add(body.Wrench(b.Free.Center(), m.Lin)).Add(body.Twist{Ang: m.Ang})
			}
			first, before := b.Momentum(), total()
			mustAdvance(t, w, registrytest.New(t, &Solvers, name), 0.1, nil)
			given, lost := b.Momentum().Add(first.Mul(-1)), total().Add(before.Mul(-1))
			linear, share := 1e-4, 1e-4
			if name == "isph" {
				linear, share = 0.03, 0.04
			}
			if !(lost.Lin.Len() < linear*given.Lin.Len()) {
				t.Errorf("density %g: of %g N s exchanged %g are lost", density, given.Lin.Len(), lost.Lin.Len())
			}
			if thick := c[1] == 1 && name == "wcsph"; !thick && !(lost.Ang.Len() < share*given.Ang.Len()) {
				t.Errorf("density %g: of %g N m s exchanged %g are lost", density, given.Ang.Len(), lost.Ang.Len())
			}
		}
	})
}

// TestLightAndHeavy drops foam and lead into water, at the steps that the solvers
// choose.
func TestLightAndHeavy(t *testing.T) {
	longtest.Only(t)
	solvers(t, func(t *testing.T, name string) {
		for _, density := range []float64{50, 20000} {
			w, _ := afloat(t, 0.05, vec.New(0.6, 1, 0.6), 0.4, &boundary.Box{Min: vec.New(0.2, 0.6, 0.2), Max: vec.New(0.4, 0.8, 0.4)}, density, 0.5)
			// Lead gets to the ground at 0.36 s.
			mustAdvance(t, w, registrytest.New(t, &Solvers, name), 0.7, func(StepInfo) error {
				if b := w.Set.Bodies[0]; b.V.Len() > 4 || b.Spin.Len() > 40 || !b.X.Finite() {
					t.Fatalf("density %g: at %g s it goes at %v m/s and turns at %v rad/s", density, w.Time, b.V, b.Spin)
				}
				return nil
			})
			b := &w.Set.Bodies[0]
			if lies := math.Abs(b.X.Y-0.1) < 0.1*w.Spacing && b.V.Len() < 0.1; lies != (density > 1000) {
				t.Errorf("density %g: it is at a height of %g m, and goes at %v m/s", density, b.X.Y, b.V)
			}
		}
	})
}

func TestRigidSameBytes(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		if name == "wcsph" { // which takes short steps
			longtest.Only(t)
		}
		run := func(threads int, resume bool) (uint64, particle.Body) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			w, _ := afloat(t, 0.05, vec.New(0.6, 0.6, 0.6), 0.3, &boundary.Box{Min: vec.New(0.2, 0.25, 0.2), Max: vec.New(0.4, 0.4, 0.4)}, 400, 0.5)
			mustAdvance(t, w, registrytest.New(t, &Solvers, name), 0.05, nil)
			if resume {
				old := w
				w, _ = afloat(t, 0.05, vec.New(0.6, 0.6, 0.6), 0.3, &boundary.Box{Min: vec.New(0.2, 0.25, 0.2), Max: vec.New(0.4, 0.4, 0.4)}, 400, 0.5)
				w.Set, w.Time, w.Dt, w.Surplus = old.Set, old.Time, old.Dt, old.Surplus
			}
			mustAdvance(t, w, registrytest.New(t, &Solvers, name), 0.1, nil)
			return sum(w), w.Set.Bodies[0]
		}
		var want uint64
		var state particle.Body
		for i, threads := range longtest.Threads() {
			got, b := run(threads, false)
			if i == 0 {
				want, state = got, b
			} else if got != want || b != state {
				t.Errorf("%d threads give other bytes than one", threads)
			}
		}
		if got, b := run(2, true); got != want || b != state {
			t.Error("a run that was resumed gives other bytes")
		}
	})
}

// TestWedged puts particles into a gap between a body and a wall that has no room
// for them: they stay in the tank.
func TestWedged(t *testing.T) {
	const d = 0.05
	w, _ := afloat(t, d, vec.New(0.6, 0.6, 0.6), 0.3, &boundary.Box{Min: vec.New(0.4, 0.1, 0.2), Max: vec.New(0.59, 0.3, 0.4)}, 800, 0)
	for _, from := range []vec.Vec3{{X: 0.592, Y: 0.2, Z: 0.3}, {X: 0.61, Y: 0.2, Z: 0.3}, {X: 0.58, Y: 0.15, Z: 0.25}} {
		x, v := from, vec.New(1, 0, 0)
		var impacts []body.Impact
		if !w.projectOut(0, &x, &v, boundary.ParticleGap*d, w.fixed(), w.rigid.All, &impacts, new(motion)) {
			t.Errorf("%v is left alone", from)
		}
		if out, _ := w.Walls[0].Dist(x); out < boundary.ParticleGap*d*(1-1e-9) {
			t.Errorf("%v came to %v, %g m off the wall", from, x, out)
		}
	}
}
