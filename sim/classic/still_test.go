package classic

import (
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestStill checks that a liquid that fills a box compresses under its weight without
// gaining energy. It must never be higher than at first, nor faster than while it sank,
// and must come to rest.
func TestStill(t *testing.T) {
	longtest.NotShort(t)
	for _, name := range ours() {
		t.Run(name, func(t *testing.T) {
			d := spacingOf(name)
			w := sim.New(d, 1000)
			w.Gravity = vec.New(0, -10, 0)
			w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(6*d, 30*d, 6*d), Inside: true}}
			w.Fill(&shape.Box{Max: vec.New(6*d, 8*d, 6*d)}, vec.Vec3{})
			if err := w.Init(); err != nil {
				t.Fatal(err)
			}
			s := registrytest.New(t, &sim.Solvers, name)
			motion := func() float64 {
				return total(w, func(i int) vec.Vec3 { return vec.New(w.V[i].Dot(w.V[i])/2, 0, 0) }).X / float64(w.Len())
			}
			first, sunk := depth(w), 0.
			for frame := 1; frame <= 30; frame++ {
				advance(t, w, s, float64(frame)/30)
				if depth(w) > 1.03*first {
					t.Fatalf("frame %d: depth %.3g m, %.3g m at first", frame, depth(w), first)
				}
				if frame <= 8 {
					sunk = max(sunk, motion())
				}
			}
			t.Logf("depth %.3g of %.3g m, %.2g J/kg of motion, %.2g as it sank", depth(w), first, motion(), sunk)
			if motion() > 0.5*sunk {
				t.Errorf("%.2g J/kg of motion after a second, %.2g as it sank", motion(), sunk)
			}
		})
	}
}
