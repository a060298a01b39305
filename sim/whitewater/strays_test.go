package whitewater

import (
	"math"
	"testing"

	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// lone returns a frame with one particle in free flight.
func lone(t float64, x, v vec.Vec3) Frame {
	g := vec.New(0, -9.81, 0)
	return Frame{t, &particle.Set{
		X: []vec.Vec3{x.Add(v.Mul(t)).Add(g.Mul(t * t / 2)).Round()}, V: []vec.Vec3{v.Add(g.Mul(t)).Round()},
		Rho: []float64{318}, ID: []uint32{7},
	}}
}

// TestFamily breaks an isolated particle into drops: their volume and their momentum are
// those of the particle.
func TestFamily(t *testing.T) {
	for _, d := range []float64{0.002, 0.005, 0.018, 0.036, 0.2} {
		for _, v := range []vec.Vec3{{}, {X: 3, Y: 5, Z: -1}} {
			w, err := New(DefaultSettings(), water(d))
			if err != nil {
				t.Fatal(err)
			}
			w.Start(0)
			next := lone(0.006, vec.Vec3{}, v)
			if err := w.Step(lone(0, vec.Vec3{}, v), next); err != nil {
				t.Fatal(err)
			}
			if a := w.Airborne(nil); len(a) != 1 || a[0] != 7 {
				t.Fatalf("d = %g: the particle is not airborne: %v", d, a)
			}
			if len(w.births) == 0 {
				t.Fatalf("d = %g: no drops", d)
			}
			var sum float64
			var momentum vec.Vec3
			for _, p := range w.births {
				sum += p.Volume()
				momentum = momentum.Add(p.V.Mul(p.Volume()))
			}
			if e := math.Abs(sum/(d*d*d) - 1); e > 1e-6 {
				t.Errorf("d = %g: the volume is off by %g", d, e)
			}
			if e := momentum.Mul(1 / (d * d * d)).Sub(next.V[0]).Len(); e > 1e-6*max(1, v.Len()) {
				t.Errorf("d = %g: the momentum of a unit of volume is off by %g m/s", d, e)
			}
			if l := w.Ledger(); math.Abs(l.Sprayed/sum-1) > 1e-12 {
				t.Errorf("d = %g: the ledger has %g m³ of %g", d, l.Sprayed, sum)
			}
		}
	}
}
