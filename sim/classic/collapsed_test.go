package classic

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// splash runs a small column for a while by one of the algorithms, in steps of dt,
// and returns where each particle is by its number.
func splash(t testing.TB, algorithm string, dt float64, steps int) []vec.Vec3 {
	t.Helper()
	w := sim.New(0.1, 1000)
	w.Gravity = vec.New(0, -10, 0)
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1.2, 2, 0.5), Inside: true}}
	w.Fill(&shape.Box{Max: vec.New(0.5, 0.8, 0.5)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	s := registrytest.New(t, &sim.Solvers, "collapsed").(*Collapsed)
	s.Algorithm = algorithm
	for range steps {
		if _, err := s.Step(w, dt); err != nil {
			t.Fatal(err)
		}
		w.Time += dt
	}
	x := make([]vec.Vec3, w.Len())
	for i, id := range w.ID {
		x[id] = w.X[i]
	}
	return x
}

// apart returns the mean distance between the same particles of two runs.
func apart(a, b []vec.Vec3) (mean float64) {
	for i := range a {
		mean += a[i].Sub(b[i]).Len() / float64(len(a))
	}
	return mean
}

// TestCollapsedAlgorithms checks that equivalent algorithms agree, and that the others
// converge to three passes as the step gets shorter.
func TestCollapsedAlgorithms(t *testing.T) {
	longtest.NotShort(t)
	const dt, steps = 5e-4, 120
	exact, half := splash(t, "three-pass", dt, steps), splash(t, "three-pass", dt/2, 2*steps)
	if list := splash(t, "list", dt, steps); !slices.Equal(list, exact) {
		t.Errorf("with a list particles get elsewhere, by %g m", apart(list, exact))
	}
	collapsed := splash(t, "collapsed", dt, steps)
	for _, name := range []string{"cell-hash", "homogeneous"} {
		if d := apart(splash(t, name, dt, steps), collapsed); d > 1e-9 {
			t.Errorf("%s: particles are %g m from the particles of collapsed", name, d)
		}
	}
	for _, name := range []string{"naive", "updated", "rehash", "collapsed"} {
		d, h := apart(splash(t, name, dt, steps), exact), apart(splash(t, name, dt/2, 2*steps), half)
		t.Logf("%s: %.3g m from three passes, %.3g m with half the step", name, d, h)
		if !(h < 0.65*d) || d > 0.02 {
			t.Errorf("%s: %.3g m from three passes, %.3g m with half the step", name, d, h)
		}
	}
}

// TestCollapsedThreads checks that every algorithm gives the bits of one thread.
func TestCollapsedThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, name := range Algorithms {
		runtime.GOMAXPROCS(1)
		want := splash(t, name, 1e-3, 10)
		for threads := range longtest.OnThreads(2, 3, 8) {
			if !slices.Equal(splash(t, name, 1e-3, 10), want) {
				t.Errorf("%s: %d threads give other bits than one", name, threads)
			}
		}
	}
}

// TestCollapsedLag checks that the force has the density of the previous pass, which a
// run that continues keeps. Two particles pushed together repel each other a step late.
func TestCollapsedLag(t *testing.T) {
	w := sim.New(0.1, 1000)
	w.Fill(&shape.Box{Max: vec.New(0.2, 0.1, 0.1)}, vec.Vec3{})
	w.X[1] = w.X[0].Add(vec.New(0.01, 0, 0))
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	s := registrytest.New(t, &sim.Solvers, "collapsed").(*Collapsed)
	s.Viscosity = 1e-9
	g := s.gather(w)
	rho := w.Carry(lagged)
	rho[0], rho[1] = 1100, 1300
	const dt = 1e-4
	if _, err := s.Step(w, dt); err != nil {
		t.Fatal(err)
	}
	h, m := g.h, g.m
	want := m * g.c2 * (100 + 300) / 2 / (1100 * 1300) * 45 / (math.Pi * math.Pow(h, 6)) * math.Pow(h-0.01, 2) * dt
	if got := w.V[1].X; math.Abs(got/want-1) > 1e-6 {
		t.Errorf("pushed apart with %g m/s, want %g", got, want)
	}
	lone := m * 315 / (64 * math.Pi * math.Pow(h, 9))
	sum := lone * (math.Pow(h, 6) + math.Pow(h*h-1e-4, 3))
	if got := w.Carry(lagged)[0]; math.Abs(got/sum-1) > 1e-9 {
		t.Errorf("density %g for the next step, want %g", got, sum)
	}
}

// TestMovingHash checks that an updated hash finds the same as a new one.
func TestMovingHash(t *testing.T) {
	w := cluster(t)
	var kept, fresh movingHash
	kept.build(w.X, 0.2)
	for i := range w.X {
		to := w.X[i].Add(w.V[i].Mul(0.1))
		kept.move(int32(i), w.X[i], to)
		w.X[i] = to
	}
	fresh.build(w.X, 0.2)
	for b := range fresh.bucket {
		slices.Sort(kept.bucket[b])
		if !slices.Equal(kept.bucket[b], fresh.bucket[b]) {
			t.Fatalf("bucket %d has %v, want %v", b, kept.bucket[b], fresh.bucket[b])
		}
	}
}
