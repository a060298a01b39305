package sim

import (
	"math"
	"runtime"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// afloat returns a tank of water with a body in it.
func afloat(t testing.TB, spacing float64, size vec.Vec3, depth float64, solid boundary.Boundary, density, friction float64) (*World, *Body) {
	t.Helper()
	b, err := NewRigid(solid, density, 0, friction)
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
	s := newOf(t, &Solvers, "iisph")
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
// a thick liquid does not conserve angular momentum.
func TestRigidMomentum(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		for _, c := range [][2]float64{{50, 1e-6}, {1000, 1e-6}, {20000, 1e-6}, {50, 1}, {1000, 1}} { // viscosity explicit and, but with wcsph, implicit
			density := c[0]
			b, err := NewRigid(&boundary.Box{Min: vec.New(-0.3, -0.2, -0.2), Max: vec.New(0.3, 0.2, 0.2)}, density, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			b.Free.Start.V, b.Free.Start.Spin = vec.New(0, 1, 0), vec.New(0, 0, 1)
			w := New(0.1, 1000)
			w.Viscosity = c[1]
			w.Walls = []boundary.Boundary{b}
			w.Fill(&shape.Box{Min: vec.New(-0.7, -0.6, -0.6), Max: vec.New(0.7, 0.6, 0.6)}, vec.Vec3{})
			mustInit(t, w)
			total := func() (sum twist) {
				for i, x := range w.X {
					sum = sum.add(wrenchOf(x, w.V[i].Mul(w.Mass())))
				}
				body := b.momentum()
				return sum.add(wrenchOf(b.Free.state.X, body.lin)).add(twist{ang: body.ang})
			}
			first, before := b.momentum(), total()
			mustAdvance(t, w, newOf(t, &Solvers, name), 0.1, nil)
			given, lost := b.momentum().add(first.mul(-1)), total().add(before.mul(-1))
			if !(lost.lin.Len() < 1e-4*given.lin.Len()) {
				t.Errorf("density %g: of %g N s exchanged %g are lost", density, given.lin.Len(), lost.lin.Len())
			}
			if thick := c[1] == 1 && name == "wcsph"; !thick && !(lost.ang.Len() < 1e-4*given.ang.Len()) {
				t.Errorf("density %g: of %g N m s exchanged %g are lost", density, given.ang.Len(), lost.ang.Len())
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
			mustAdvance(t, w, newOf(t, &Solvers, name), 0.7, func(StepInfo) error {
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
		run := func(threads int, resume bool) (uint64, particle.Body) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			w, _ := afloat(t, 0.05, vec.New(0.6, 0.6, 0.6), 0.3, &boundary.Box{Min: vec.New(0.2, 0.25, 0.2), Max: vec.New(0.4, 0.4, 0.4)}, 400, 0.5)
			mustAdvance(t, w, newOf(t, &Solvers, name), 0.05, nil)
			if resume {
				old := w
				w, _ = afloat(t, 0.05, vec.New(0.6, 0.6, 0.6), 0.3, &boundary.Box{Min: vec.New(0.2, 0.25, 0.2), Max: vec.New(0.4, 0.4, 0.4)}, 400, 0.5)
				w.Set, w.Time, w.Dt = old.Set, old.Time, old.Dt
			}
			mustAdvance(t, w, newOf(t, &Solvers, name), 0.1, nil)
			return sum(w), w.Set.Bodies[0]
		}
		want, body := run(1, false)
		for _, threads := range []int{2, 3, 8} {
			if got, b := run(threads, false); got != want || b != body {
				t.Errorf("%d threads give other bytes than one", threads)
			}
		}
		if got, b := run(2, true); got != want || b != body {
			t.Error("a run that was resumed gives other bytes")
		}
	})
}

func TestMatter(t *testing.T) {
	cylinder := &boundary.Cylinder{Bottom: vec.New(1, 2, 3), Top: vec.New(2, 4, 3.5), Radius: 0.7}
	capsule := &boundary.Capsule{Bottom: vec.New(1, 2, 3), Top: vec.New(2, 4, 3.5), Radius: 0.7}
	prism, sides := cylinder.Prism(400)
	skin, faces := capsule.Skin(400)
	for name, c := range map[string]struct {
		exact boundary.Boundary
		mesh  matter
	}{
		"cylinder": {cylinder, meshMatter(prism, sides)},
		"capsule":  {capsule, meshMatter(skin, faces)},
	} {
		m, err := matterOf(c.exact)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(m.volume/c.mesh.volume-1) > 1e-3 || m.center.Sub(c.mesh.center).Len() > 1e-3 {
			t.Errorf("%s: volume %g at %v, its mesh %g at %v", name, m.volume, m.center, c.mesh.volume, c.mesh.center)
		}
		for a := range 3 {
			for b := range 3 {
				if math.Abs(m.moment[a][b]-c.mesh.moment[a][b]) > 1e-3*m.moment[a][a] {
					t.Errorf("%s: moment %d,%d is %g, its mesh's %g", name, a, b, m.moment[a][b], c.mesh.moment[a][b])
				}
			}
		}
	}
}

// TestWedged puts particles into a gap between a body and a wall that has no room
// for them: they stay in the tank.
func TestWedged(t *testing.T) {
	const d = 0.05
	w, _ := afloat(t, d, vec.New(0.6, 0.6, 0.6), 0.3, &boundary.Box{Min: vec.New(0.4, 0.1, 0.2), Max: vec.New(0.59, 0.3, 0.4)}, 800, 0)
	for _, from := range []vec.Vec3{{X: 0.592, Y: 0.2, Z: 0.3}, {X: 0.61, Y: 0.2, Z: 0.3}, {X: 0.58, Y: 0.15, Z: 0.25}} {
		x, v := from, vec.New(1, 0, 0)
		var blows []impact
		if !w.projectOut(0, &x, &v, wallGap*d, w.fixed(), w.rigid.all, &blows) {
			t.Errorf("%v is left alone", from)
		}
		if out, _ := w.Walls[0].Dist(x); out < wallGap*d*(1-1e-9) {
			t.Errorf("%v came to %v, %g m off the wall", from, x, out)
		}
	}
}
