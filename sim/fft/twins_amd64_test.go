//go:build amd64 && !noasm

package fft

import (
	"math"
	"slices"
	"testing"
)

// bothWays runs f with plain Go and, if the processor has it, with AVX2.
func bothWays(f func()) {
	has := avx2
	defer func() { avx2 = has }()
	avx2 = false
	f()
	if has {
		avx2 = true
		f()
	}
}

// TestTwins: the assembly gives the bits of plain Go, for passes of all radices, and for
// the solution of Poisson's equation with and without a divergence in boxes with and without
// sides that are multiples of Lanes.
func TestTwins(t *testing.T) {
	same := func(name string, args []any, run func() []float32) {
		var want []float32
		bothWays(func() {
			got := run()
			if want == nil {
				want = got
			}
			bits := func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }
			if !slices.EqualFunc(got, want, bits) {
				t.Errorf("%s %v: the assembly differs from plain Go", name, args)
			}
		})
	}
	for _, n := range []int{1, 2, 3, 4, 5, 6, 9, 12, 20, 25, 48, 60, 128, 240} {
		same("lines of", []any{n}, func() []float32 {
			p := New[float32](n)
			l := p.NewLines()
			random(l)
			p.Forward(l)
			forward := slices.Concat(l.Re, l.Im)
			p.Backward(l)
			return slices.Concat(forward, l.Re, l.Im)
		})
	}
	for _, n := range [][3]int{{8, 4, 8}, {9, 12, 8}, {20, 8, 24}, {16, 16, 16}} {
		for _, divergence := range []bool{false, true} {
			same("box", []any{n, divergence}, func() []float32 {
				b := newBox(n)
				b.randomize()
				d := b.field(3)
				if !divergence {
					d = nil
				}
				NewSpace(n[0], n[1], n[2]).Curl(b.vector(), b.vector(), d)
				return b.data
			})
		}
	}
}
