package classic

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// ours are the solvers of this package.
func ours() (names []string) {
	for _, e := range sim.Solvers.Entries() {
		if s, _ := e.New(registry.None); s != nil {
			if _, ok := s.(sim.Compressible); ok {
				names = append(names, e.Name)
			}
		}
	}
	return names
}

// column is the scene of Gourlay's figure 1: a column of 12×16×4 particles at the
// right end of a box three metres long.
func column(t testing.TB) *sim.World { return columnOf(t, 0.125) }

// columnOf is the same of another spacing, in a box as much larger or smaller.
func columnOf(t testing.TB, d float64) *sim.World {
	w := sim.New(d, 1000)
	w.Gravity = vec.New(0, -10, 0)
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(24*d, 16*d, 4*d), Inside: true}}
	w.Fill(&shape.Box{Min: vec.New(12*d, 0, 0), Max: vec.New(24*d, 16*d, 4*d)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	return w
}

// spacingOf is the spacing that a solver is made for.
func spacingOf(name string) float64 {
	if name == "amd-asis" {
		return 0.01 // of a gram of water, as its particles are
	}
	return 0.125
}

// cluster is a ball of liquid in free space, in some disorder.
func cluster(t testing.TB) *sim.World {
	w := sim.New(0.1, 1000)
	w.Fill(&shape.Sphere{Radius: 0.4}, vec.Vec3{})
	for i := range w.X {
		f := float64(i)
		w.V[i] = vec.New(math.Sin(3*f), math.Cos(5*f), math.Sin(7*f+1))
		w.X[i] = w.X[i].Add(w.V[i].Mul(0.004))
	}
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	return w
}

func advance(t testing.TB, w *sim.World, s sim.Solver, until float64) {
	t.Helper()
	if err := w.Advance(s, until, nil); err != nil {
		t.Fatal(err)
	}
}

func total(w *sim.World, f func(i int) vec.Vec3) (sum vec.Vec3) {
	for i := range w.X {
		sum = sum.Add(f(i))
	}
	return sum
}

// TestContained runs the column and checks that every particle stays in its box.
func TestContained(t *testing.T) {
	longtest.Only(t)
	for _, name := range ours() {
		t.Run(name, func(t *testing.T) {
			d := spacingOf(name)
			w, s := columnOf(t, d), registrytest.New(t, &sim.Solvers, name)
			n := w.Len()
			for frame := 1; frame <= 45; frame++ {
				advance(t, w, s, float64(frame)/30)
				for i, x := range w.X {
					if !x.Finite() || x.X < 0 || x.X > 24*d || x.Y < 0 || x.Y > 16*d || x.Z < 0 || x.Z > 4*d {
						t.Fatalf("frame %d: particle %d at %v", frame, w.ID[i], x)
					}
				}
			}
			if w.Len() != n {
				t.Errorf("%d particles of %d", w.Len(), n)
			}
		})
	}
}

// TestMomentum checks that the exchanges of pairs sum to zero.
func TestMomentum(t *testing.T) {
	for _, name := range ours() {
		t.Run(name, func(t *testing.T) {
			w, s := cluster(t), registrytest.New(t, &sim.Solvers, name)
			switch s := s.(type) {
			case *AMD: // one of two particles may have a full list without the other
				t.Skip("forces are not pairwise opposite, as its own test shows")
			case *Textbook:
				if s.Gradient != string(Symmetric) {
					t.Skip("forces are not pairwise opposite, as its own test shows")
				}
			case *Gourlay:
				s.Dissipation, s.SpeedLimit = 0, 0 // which take momentum by design
			}
			before := total(w, func(i int) vec.Vec3 { return w.V[i] })
			dt := min(s.MaxDt(w), 0.01)
			for range 5 {
				if _, err := s.Step(w, dt); err != nil {
					t.Fatal(err)
				}
				w.Time += dt
			}
			drift := total(w, func(i int) vec.Vec3 { return w.V[i] }).Sub(before).Len()
			if moved := total(w, func(i int) vec.Vec3 { return vec.New(w.V[i].Len(), 0, 0) }).X; drift > 1e-12*moved {
				t.Errorf("total velocity drifts by %g, of %g in all", drift, moved)
			}
		})
	}
}

// TestSameBytes checks that the bits are the same for any number of threads, and for a
// run that stops at each frame and continues from a file.
func TestSameBytes(t *testing.T) {
	for _, name := range ours() {
		t.Run(name, func(t *testing.T) {
			run := func(stop bool) particle.Set {
				d := spacingOf(name)
				w, s := columnOf(t, d), registrytest.New(t, &sim.Solvers, name)
				for frame := 1; frame <= 6; frame++ {
					advance(t, w, s, float64(frame)/30)
					if stop {
						kept, at, dt := w.Set, w.Time, w.Dt
						w, s = columnOf(t, d), registrytest.New(t, &sim.Solvers, name)
						w.Set, w.Time, w.Dt = kept, at, dt
					}
				}
				return w.Set
			}
			same := func(a, b particle.Set) bool {
				return slices.Equal(a.X, b.X) && slices.Equal(a.V, b.V) && slices.Equal(a.ID, b.ID) && slices.Equal(a.Rho, b.Rho)
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
			var want particle.Set
			for i, threads := range longtest.Threads() {
				runtime.GOMAXPROCS(threads)
				if i == 0 {
					want = run(false)
				} else if !same(run(false), want) {
					t.Errorf("%d threads give other bits than one", threads)
				}
			}
			if !testing.Short() && !same(run(true), want) {
				t.Error("a run that was stopped differs")
			}
		})
	}
}
