package whitewater

import (
	"testing"

	"breakwater/sim/vec"
)

// TestSources runs each source alone in a splash: its parcels are sound, its volumes add up,
// and it makes nothing of liquid at rest.
func TestSources(t *testing.T) {
	for _, e := range Sources.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			set := DefaultSettings()
			set.Sources = []string{e.Name}
			set.Detail = 2
			scene, frame := splash(0.06)
			w := start(t, set, scene)
			prev := frame(0)
			made := 0
			for k := range 6 {
				next := frame(0.01 * float64(k+1))
				if err := w.Step(prev, next); err != nil {
					t.Fatal(err)
				}
				prev = next
				made += len(w.births)
				for _, b := range w.births {
					if !b.X.Finite() || !b.V.Finite() || !(b.R > 0) || !(b.N > 0) || b.Age > 0 || b.Age < -w.flow.dt {
						t.Fatalf("a parcel is born as %+v", b)
					}
					if gap, _, _ := clearance(scene.Walls, b.X); gap < -b.R {
						t.Fatalf("a parcel is born %g m behind a wall", -gap)
					}
				}
			}
			if made == 0 && e.Name != "crests" { // the blocks of this splash have no rims
				t.Error("no parcels in a splash at 6 m/s")
			}
			balance(t, w)

			w = start(t, set, scene)
			pool := lattice(vec.Box{Max: vec.New(0.72, 0.36, 0.36)}, 0.06)
			run(t, w, frames(pool, still, func(x vec.Vec3) bool { return x.Y > 0.3 }), 0.02, 3)
			if n := w.Parcels().Len(); n > 0 {
				t.Errorf("%d parcels in liquid at rest", n)
			}
		})
	}
}
