package remesh

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestFineCurl compares the curl of short waves with the exact one: differences of the order
// 10 have the slope of a wave of 4 cells within 1.4 %, and of 6 cells within 0.07 %.
func TestFineCurl(t *testing.T) {
	for _, c := range []struct{ cells, most float64 }{{4, 0.014}, {6, 7e-4}, {12, 2e-6}} {
		l := Fit(vec.Box{Max: vec.New(20, 20, 20)}, 1, 0, func(_, n int) int { return n })
		var u, curl Vector
		for a := range u {
			u[a], curl[a] = make([]float32, l.Len()), make([]float32, l.Len())
		}
		k := 2 * math.Pi / c.cells
		for p := range l.Len() {
			x := l.At(p)
			u[0][p], u[1][p], u[2][p] = float32(math.Sin(k*x.Y)), float32(math.Sin(k*x.Z)), float32(math.Sin(k*x.X))
		}
		l.FineCurl(curl, u, 3)
		worst := 0.
		for p := range l.Len() {
			x, at := l.At(p), [3]int{p % l.N[0], p / l.N[0] % l.N[1], p / (l.N[0] * l.N[1])}
			want := vec.New(math.Cos(k*x.Z), math.Cos(k*x.X), math.Cos(k*x.Y)).Mul(-3 * k).Array()
			for a := range want {
				if min(at[0], at[1], at[2]) < FineMargin || max(at[0]-l.N[0], at[1]-l.N[1], at[2]-l.N[2]) >= -FineMargin {
					want[a] = 0 // next to the sides
				}
				worst = max(worst, math.Abs(float64(curl[a][p])-want[a])/(3*k))
			}
		}
		t.Logf("waves of %g cells: an error of %.2g", c.cells, worst)
		if !(worst <= c.most && worst > 0) {
			t.Errorf("waves of %g cells: an error of %.2g, want at most %.2g", c.cells, worst, c.most)
		}
	}
}
