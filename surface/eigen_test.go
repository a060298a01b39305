package surface

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestEigen wants A e = λ e of random symmetric matrices, and the largest λ of
// the closed form.
func TestEigen(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 200 {
		var m [6]float64
		for k := range m {
			m[k] = float64(rng.IntN(9) - 4) // some are degenerate
		}
		values, axes := eigen(m)
		for k, e := range axes {
			if math.Abs(e.Len()-1) > 1e-9 {
				t.Fatalf("%v: axis %v", m, e)
			}
			got := [3]float64{m[0]*e.X + m[3]*e.Y + m[5]*e.Z, m[3]*e.X + m[1]*e.Y + m[4]*e.Z, m[5]*e.X + m[4]*e.Y + m[2]*e.Z}
			for i, x := range [3]float64{e.X, e.Y, e.Z} {
				if math.Abs(got[i]-values[k]*x) > 1e-6 {
					t.Fatalf("%v: A e = %v for e = %v with %g", m, got, e, values[k])
				}
			}
		}
		if want := max(values[0], values[1], values[2]); math.Abs(largest(m)-want) > 1e-6 {
			t.Fatalf("%v: largest eigenvalue %g, want %g", m, largest(m), want)
		}
	}
}
