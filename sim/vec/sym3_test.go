package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSym3 checks A e = λ e for random matrices, the largest λ of the closed
// form, and A adj(A) = det(A).
func TestSym3(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 200 {
		number := func() float64 { return float64(rng.IntN(9) - 4) } // some matrices are degenerate
		m := Sym3{number(), number(), number(), number(), number(), number()}
		values, axes := m.Eigen()
		for k, e := range axes {
			if math.Abs(e.Len()-1) > 1e-9 {
				t.Fatalf("%v: axis %v", m, e)
			}
			if got, want := m.Times(e), e.Mul(values[k]); got.Sub(want).Len() > 1e-6 {
				t.Fatalf("%v: A e = %v, want λ e = %v", m, got, want)
			}
		}
		if got, want := m.LargestEigenvalue(), max(values[0], values[1], values[2]); math.Abs(got-want) > 1e-6 {
			t.Fatalf("%v: largest eigenvalue %g, want %g", m, got, want)
		}
		adj, det := m.Adjugate()
		x := Vec3{number(), number(), number()}
		if got, want := adj.Times(m.Times(x)), x.Mul(det); got.Sub(want).Len() > 1e-9 {
			t.Fatalf("%v: adj(A) A x = %v, want det(A) x = %v", m, got, want)
		}
	}
}
