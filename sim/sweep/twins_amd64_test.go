//go:build amd64 && !noasm

package sweep

import (
	"slices"
	"testing"
)

// each runs f with plain Go and with every instruction set that this
// processor has.
func each(f func(name string)) {
	has2, has512 := avx2, avx512
	defer func() { avx2, avx512 = has2, has512 }()
	avx2, avx512 = false, false
	f("go")
	if has2 {
		avx2 = true
		f("avx2")
	}
	if has512 {
		avx512 = true
		f("avx512")
	}
}

// TestTwins: the assembly gives the bits of plain Go, for clouds with 0 to
// some 100 neighbours a particle.
func TestTwins(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 40, 150, 400} {
		for _, edge := range []float64{0.5, 1.5, 4} {
			if n == 400 && edge < 1 {
				edge = 1
			}
			var want *Pairs
			var wantSums []Sums
			var wantOut [4][]Vec4
			each(func(name string) {
				_, p, sums := cloud(t, n, edge, true)
				v, s := values(n)
				// One guard item before and after what a pass may write.
				var out [4][]Vec4
				for k := range out {
					out[k] = make([]Vec4, n+1)
					out[k][n] = Vec4{1, 2, 3, 4}
				}
				div := make([]float32, n+1)
				div[n] = 5
				p.Gradient(out[0], s)
				p.Diffusion(out[1], v)
				p.Average(out[2], v)
				p.Divergence(div, v)
				for i, d := range div {
					out[3][i] = Vec4{X: d}
				}
				for k := range 3 {
					for i := range n {
						out[k][i].S = 0 // without meaning
					}
				}
				if want == nil {
					want, wantSums, wantOut = p, sums, out
					return
				}
				if !equal(p, want) || !slices.Equal(sums, wantSums) {
					t.Errorf("%d points in %g: %s finds other pairs than plain Go", n, edge, name)
				}
				for k := range out {
					if !slices.Equal(out[k], wantOut[k]) {
						t.Errorf("%d points in %g: pass %d by %s differs from plain Go", n, edge, k, name)
					}
				}
			})
		}
	}
}
