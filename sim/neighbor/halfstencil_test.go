package neighbor

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestHalfStencil checks that each pair is found once, whatever the shape of the cloud.
func TestHalfStencil(t *testing.T) {
	for _, c := range []struct {
		name string
		pos  []vec.Vec3
		r    float64
	}{
		{"nothing", nil, 0.1},
		{"random", cloud(1000, 1, 1, 1), 0.13},
		{"long in x", cloud(900, 6, 1, 1), 0.2},
		{"long in y", cloud(900, 1, 6, 1), 0.2},
		{"flat", cloud(700, 2, 0, 1), 0.1},
		{"one slab", cloud(300, 1, 1, 0), 0.2},
		{"lattice", lattice(7, 0.25), 0.5},
		{"coincident", lattice(3, 0), 0.05},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want [][2]int32
			for i := range c.pos {
				for j := range i {
					if d := c.pos[i].Sub(c.pos[j]); d.Dot(d) < c.r*c.r {
						want = append(want, [2]int32{int32(j), int32(i)})
					}
				}
			}
			var h HalfStencil
			h.Build(c.pos, c.r)
			var got [][2]int32
			for k := range h.Slabs() {
				for _, p := range h.Slab(nil, k) {
					d := c.pos[p.I].Sub(c.pos[p.J])
					if p.R != d.Len() || p.S.Mul(p.R).Sub(d).Len() > 1e-15 || p.R == 0 && p.S != (vec.Vec3{}) {
						t.Errorf("points %d and %d are %v apart, not %g m along %v", p.I, p.J, d, p.R, p.S)
					}
					got = append(got, [2]int32{min(p.I, p.J), max(p.I, p.J)})
				}
			}
			order := func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if !slices.Equal(got, want) {
				t.Errorf("%d pairs visited, want %d", len(got), len(want))
			}
		})
	}
}

// TestHalfStencilSums adds to both points of a pair without a lock, which only the two
// phases make safe (the race detector checks it). The bits must be the same for any
// number of threads.
func TestHalfStencilSums(t *testing.T) {
	pos := cloud(3000, 1, 1, 2)
	var h HalfStencil
	h.Build(pos, 0.12)
	sums := func() []float64 {
		s := make([]float64, len(pos))
		h.Phases(func(k int) {
			for _, p := range h.Slab(nil, k) {
				f := math.Sqrt(p.R)
				s[p.I] += f
				s[p.J] -= f
			}
		})
		return s
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := sums()
	for threads := range longtest.OnThreads(2, 3, 8) {
		if !slices.Equal(sums(), want) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
	if math.IsNaN(want[0]) || slices.Max(want) == 0 {
		t.Error("nothing was added")
	}
}

// TestStencil checks that the 13 offsets and their mirror images are all 26, and that
// each leads to a later cell.
func TestStencil(t *testing.T) {
	seen := map[[3]int]bool{}
	for _, o := range Stencil {
		if o[0]+100*o[1]+10000*o[2] <= 0 {
			t.Errorf("offset %v leads back", o)
		}
		seen[o], seen[[3]int{-o[0], -o[1], -o[2]}] = true, true
	}
	if len(seen) != 26 || seen[[3]int{}] {
		t.Errorf("offsets and their mirror images are %d cells, want 26", len(seen))
	}
}
