package gauge

import (
	"breakwater/sim"
	"breakwater/sim/vec"
	"math"
	"testing"
)

// TestFit fits a linear function of the place.
func TestFit(t *testing.T) {
	w := sim.New(0.1, 1000)
	f := func(i int32) float64 { return 3 + 2*w.X[i].X - w.X[i].Y }
	if _, ok := valueAt(w, vec.Vec3{}, 0.2, f); ok {
		t.Error("there is something in an empty world")
	}
	w.Add(vec.New(0.1, 0, 0), vec.Vec3{}, 1000, 0)
	if v, ok := valueAt(w, vec.Vec3{}, 0.2, f); !ok || v != 3.2 {
		t.Errorf("beside one particle of 3.2 it is %g", v)
	}
	for i := range 125 {
		w.Add(vec.New(float64(i%5), float64(i/5%5), float64(i/25)).Mul(0.1), vec.Vec3{}, 1000, 0)
	}
	for _, x := range []vec.Vec3{{}, {X: 0.2, Y: 0.2, Z: 0.2}, {X: 0.45, Y: 0.13, Z: -0.04}} {
		if v, _ := valueAt(w, x, 0.2, f); math.Abs(v-(3+2*x.X-x.Y)) > 1e-9 {
			t.Errorf("at %v it is %g", x, v)
		}
	}
}
