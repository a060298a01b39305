//go:build amd64 && !noasm

package grains

import (
	"math/rand/v2"
	"testing"
)

// TestTwins: the assembly gives the bits of plain Go, for nodes of which some or all are missing,
// and for weights that are 0 or add up to less.
func TestTwins(t *testing.T) {
	if !avx2 {
		t.Skip("the processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	of := make([]shine, 20)
	three := func() [3]float32 {
		return [3]float32{float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())}
	}
	for i := range of {
		of[i] = shine{three(), three(), three(), three()}
	}
	for n := range 1000 {
		var at [8]int32
		var w [8]float32
		for k := range at {
			at[k] = max(-1, int32(r.IntN(len(of)+n%20)-n%20))
			if w[k] = r.Float32()/4 - 1e-3; n%7 == 0 {
				w[k] = 0
			}
		}
		if n == 0 {
			at = [8]int32{-1, -1, -1, -1, -1, -1, -1, -1}
		}
		guard := shine{sun: three()}
		one, two := [2]shine{{}, guard}, shine{}
		mixAVX2(&one[0].sun[0], &of[0].sun[0], &at, &w)
		mixGo(&two, of, &at, &w)
		if one[0] != two || one[1] != guard {
			t.Fatalf("nodes %v with weights %v: %v by assembly and %v by plain Go", at, w, one[0], two)
		}
	}
}
