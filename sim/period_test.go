package sim

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/neighbor"
	"breakwater/sim/period"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// swirl returns a closed periodic world of dim dimensions, its particles a
// little out of order and in motion.
func swirl(t testing.TB, dim int) *World {
	w := newWorld(dim, 0.1, 1000)
	w.Period = period.Period{X: true, Y: true, Z: dim == 3, Min: vec.New(0.05, -0.2, 0), Max: vec.New(1.05, 0.8, 0.4)}
	w.Closed = true
	w.Viscosity = 1e-3
	box := &shape.Box{Min: w.Period.Min, Max: w.Period.Max}
	if dim == 2 {
		box.Max.Z = 0
	}
	w.Fill(box, vec.Vec3{})
	rng := rand.New(rand.NewPCG(7, 8))
	const k = 2 * math.Pi
	for i, x := range w.X {
		w.V[i] = vec.New(1+math.Sin(k*x.Y), math.Cos(k*x.X)-0.5, 0)
		w.X[i] = x.Add(vec.New(rng.Float64()-0.5, rng.Float64()-0.5, 0).Mul(0.02))
	}
	mustInit(t, w)
	return w
}

// TestPeriodSeamless checks that a lattice has the same sums beside a side that
// repeats as within, and that a world looks the same when it is moved across.
func TestPeriodSeamless(t *testing.T) {
	for _, dim := range []int{2, 3} {
		sums := func(shift float64) map[uint32][2]float64 {
			w := swirl(t, dim)
			for i := range w.X {
				w.X[i] = w.Period.Wrap(w.X[i].Add(vec.New(shift, shift/2, 0)))
			}
			p := mustArrange(t, w)
			if len(p.images.Of) == 0 {
				t.Fatal("no images")
			}
			m := map[uint32][2]float64{}
			for i, id := range w.ID {
				m[id] = [2]float64{w.Rho[i], float64(p.Diagonal[i])}
			}
			return m
		}
		here, there := sums(0), sums(0.37)
		for id, a := range here {
			for k := range a {
				if b := there[id]; math.Abs(a[k]-b[k]) > 1e-4*math.Abs(a[k]) {
					t.Fatalf("in %d dimensions particle %d has %v, moved across %v", dim, id, a, b)
				}
			}
		}
	}
}

func TestPeriodKeepsMomentum(t *testing.T) {
	longtest.NotShort(t)
	for _, dim := range []int{2, 3} {
		solvers(t, func(t *testing.T, name string) {
			w := swirl(t, dim)
			momentum := func() (sum vec.Vec3, size float64) {
				for _, v := range w.V {
					sum, size = sum.Add(v), size+v.Len()
				}
				return sum, size
			}
			before, size := momentum()
			energy, n := w.Stats().Kinetic, w.Len()
			worst := 0.
			for range 5 {
				mustAdvance(t, w, registrytest.New(t, &Solvers, name), w.Time+0.1, nil)
				worst = max(worst, w.Stats().MaxError)
			}
			after, _ := momentum()
			if d := after.Sub(before).Len(); d > momentumBound(name)*size {
				t.Errorf("momentum changed by %g of %g", d, size)
			}
			if e := w.Stats().Kinetic; !(e < energy) || e < 0.3*energy {
				t.Errorf("kinetic energy went from %g to %g J", energy, e)
			}
			if worst > 0.2 {
				t.Errorf("particles crowd to %g of the rest density", 1+worst)
			}
			for i, x := range w.X {
				if p := w.Period; x.X < p.Min.X-1e-6 || x.X > p.Max.X+1e-6 || x.Y < p.Min.Y-1e-6 || x.Y > p.Max.Y+1e-6 || w.Len() != n {
					t.Fatalf("particle %d of %d is at %v", i, w.Len(), x)
				}
			}
		})
	}
}

func TestPeriodSameBytes(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		var want uint64
		for threads := range longtest.OnThreads() {
			w := swirl(t, 3)
			mustAdvance(t, w, registrytest.New(t, &Solvers, name), 0.05, nil)
			if want == 0 {
				want = sum(w)
			} else if got := sum(w); got != want {
				t.Errorf("%d threads give %x, one gives %x", threads, got, want)
			}
		}
		w := swirl(t, 3)
		w.Finder = registrytest.New(t, &neighbor.Finders, "brute")
		mustAdvance(t, w, registrytest.New(t, &Solvers, name), 0.05, nil)
		if got := sum(w); got != want {
			t.Errorf("brute force gives %x, the grid %x", got, want)
		}
	})
}

func TestPeriodResume(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		undisturbed := swirl(t, 2)
		mustAdvance(t, undisturbed, registrytest.New(t, &Solvers, name), 0.1, nil)
		fresh := swirl(t, 2)
		resume(fresh, undisturbed)
		mustAdvance(t, undisturbed, registrytest.New(t, &Solvers, name), 0.2, nil)
		mustAdvance(t, fresh, registrytest.New(t, &Solvers, name), 0.2, nil)
		if got, want := sum(fresh), sum(undisturbed); got != want {
			t.Errorf("resumed %x, undisturbed %x", got, want)
		}
	})
}

func TestPeriodFaults(t *testing.T) {
	for want, change := range map[string]func(w *World){
		"at least four spacings, 0.4 m": func(w *World) { w.Period.Max.X = w.Period.Min.X + 0.3 },
		"cannot be periodic along z":    func(w *World) { w.Period.Z = true },
		"lie in the periodic range": func(w *World) {
			w.Walls = []boundary.Boundary{&boundary.Box{Min: vec.New(0, 0, 0), Max: vec.New(9, 1, 0), Inside: true}}
		},
	} {
		w := swirl(t, 2)
		change(w)
		if err := w.Init(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a fault with %q", err, want)
		}
	}
}
