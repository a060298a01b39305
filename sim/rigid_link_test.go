package sim

import (
	"runtime"
	"slices"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestLinkedAfloat hangs lead on foam in water: the pair sinks with the link between
// them whole, with the same bytes for any number of threads and after a resume.
func TestLinkedAfloat(t *testing.T) {
	longtest.Only(t)
	hinge := vec.New(0.3, 0.335, 0.3)
	solvers(t, func(t *testing.T, name string) {
		tank := func() *World {
			w, foam := afloat(t, 0.05, vec.New(0.6, 1, 0.6), 0.4, &boundary.Box{Min: vec.New(0.2, 0.35, 0.2), Max: vec.New(0.4, 0.5, 0.4)}, 50, 0.5)
			lead := solid(t, &boundary.Box{Min: vec.New(0.25, 0.22, 0.25), Max: vec.New(0.35, 0.32, 0.35)}, 11000)
			lead.JoinTo(foam, body.Joint{Kind: "hinge", Point: hinge, Axis: vec.New(0, 0, 1)})
			v := New(0.05, 1000)
			v.Gravity, v.Walls = earth, append(w.Walls, lead)
			v.Fill(&shape.Box{Max: vec.New(0.6, 0.4, 0.6)}, vec.Vec3{})
			mustInit(t, v)
			return v
		}
		run := func(threads int, resume bool) (uint64, []particle.Body) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			w := tank()
			s := registrytest.New(t, &Solvers, name)
			mustAdvance(t, w, s, 0.05, nil)
			if resume {
				old := w
				w, s = tank(), registrytest.New(t, &Solvers, name)
				w.Set, w.Time, w.Dt, w.Surplus = old.Set, old.Time, old.Dt, old.Surplus
				if err := w.PlaceBodies(old.Set.Bodies); err != nil {
					t.Fatal(err)
				}
			}
			mustAdvance(t, w, s, 0.12, func(i StepInfo) error {
				if off := w.rigid.Bodies[0].Place(hinge).Sub(w.rigid.Bodies[1].Place(hinge)).Len(); off > 1e-6 {
					t.Fatalf("at %g s the link is off by %g m", i.Time, off)
				}
				for _, b := range w.Set.Bodies {
					if b.V.Len() > 4 || !b.X.Finite() {
						t.Fatalf("at %g s a body goes at %v", i.Time, b.V)
					}
				}
				return nil
			})
			return sum(w), w.Set.Bodies
		}
		want, bodies := run(1, false)
		if got, b := run(3, false); got != want || !slices.Equal(b, bodies) {
			t.Error("three threads give other bytes than one")
		}
		if got, b := run(2, true); got != want || !slices.Equal(b, bodies) {
			t.Error("a run that was resumed gives other bytes")
		}
	})
}
