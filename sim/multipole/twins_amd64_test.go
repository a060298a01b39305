//go:build amd64 && !noasm

package multipole

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTwins: the assembly gives the bits of plain Go for expansions of all orders, and
// writes nothing else.
func TestTwins(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2")
	}
	defer func() { avx2 = true }()
	r := rand.New(rand.NewPCG(3, 4))
	some := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = r.Float32() - 0.5
		}
		return v
	}
	for p := least; p <= most; p++ {
		tb := tablesOf(p)
		into, from, m := some(3*tb.stride+lanes), some(3*tb.stride), some(tb.n*tb.stride)
		var got [2][]float32
		for i, on := range []bool{false, true} {
			avx2 = on
			got[i] = slices.Clone(into)
			apply(got[i], from, m, tb.n, tb.stride)
		}
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("order %d: assembly differs from plain Go", p)
		}
		if !slices.Equal(got[1][3*tb.stride:], into[3*tb.stride:]) {
			t.Errorf("order %d: assembly writes past the end", p)
		}
	}
}
