package par

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"breakwater/sim/longtest"
)

func TestForCoversOnce(t *testing.T) {
	for range longtest.OnThreads(1, 2, 3, 8) {
		for _, n := range []int{0, 1, 255, 256, 257, 10_000} {
			seen := make([]atomic.Int32, n)
			For(n, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					seen[i].Add(1)
				}
			})
			for i := range seen {
				if got := seen[i].Load(); got != 1 {
					t.Fatalf("n=%d: item %d visited %d times", n, i, got)
				}
			}
		}
	}
}

// TestSumSameBits adds partial sums in chunk order.
func TestSumSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, 12_345)
	for i := range x {
		x[i] = rng.NormFloat64() * math.Exp(20*rng.Float64())
	}
	var want uint64
	for n := range longtest.OnThreads(1, 2, 3, 8) {
		part := make([]float64, len(x)/grain+1)
		For(len(x), func(lo, hi int) {
			for _, v := range x[lo:hi] {
				part[lo/grain] += v
			}
		})
		var s float64
		for _, v := range part {
			s += v
		}
		if want == 0 {
			want = math.Float64bits(s)
		} else if got := math.Float64bits(s); got != want {
			t.Errorf("%d threads: sum %x, want %x", n, got, want)
		}
	}
}

func TestMax(t *testing.T) {
	x := []float64{3, 9, -1}
	got := Max(len(x), 0, func(lo, hi int) float64 { return max(x[lo], x[hi-1], x[1]) })
	if got != 9 {
		t.Errorf("got %g, want 9", got)
	}
	if got := Max(0, -5, nil); got != -5 {
		t.Errorf("of nothing: got %g, want -5", got)
	}
}

// TestSums adds up groups that change often, and checks for exact counts and the same
// bits on any number of threads.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const n, groups = 3*sumsGrain + 7, 5
	group, x := make([]int32, n), make([]float64, n)
	var count [groups]int
	for i := range x {
		group[i], x[i] = rng.Int32N(groups), rng.NormFloat64()
		count[group[i]]++
	}
	var want []Share
	for threads := range longtest.OnThreads(1, 2, 3, 8) {
		got := Sums(n, groups, func(list []Share, lo, hi int) []Share {
			for i := lo; i < hi; i++ {
				list = append(list, Share{Group: group[i], N: 1, A: x[i], B: 2})
			}
			return list
		})
		for k, s := range got {
			if s.Group != int32(k) || s.N != count[k] || s.B != float64(2*count[k]) {
				t.Errorf("%d threads: group %d is %+v, want %d items", threads, k, s, count[k])
			}
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d threads: sums %v, want %v", threads, got, want)
		}
	}
	if s := Sums(0, 2, nil); len(s) != 2 || s[0].N != 0 || s[0].A != 0 {
		t.Errorf("of nothing: %v", s)
	}
}

// TestUnion unites random pairs, and compares the sets with the sets of a plain search,
// numbered in the order of their least members.
func TestUnion(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n = 5000
	pairs := make([][2]int32, 4000)
	beside := make([][]int32, n)
	for k := range pairs {
		i := rng.Int32N(n)
		j := (i + rng.Int32N(50)) % n
		pairs[k] = [2]int32{i, j}
		beside[i], beside[j] = append(beside[i], j), append(beside[j], i)
	}
	want, sets := make([]int32, n), 0
	for i := range want {
		want[i] = -1
	}
	for i := range want {
		if want[i] >= 0 {
			continue
		}
		for queue := []int32{int32(i)}; len(queue) > 0; queue = queue[1:] {
			if j := queue[0]; want[j] < 0 {
				want[j] = int32(sets)
				queue = append(queue, beside[j]...)
			}
		}
		sets++
	}
	var u Union
	for threads := range longtest.OnThreads(1, 2, 3, 8) {
		u = NewUnion(u, n)
		For(len(pairs), func(lo, hi int) {
			for _, p := range pairs[lo:hi] {
				u.Unite(p[0], p[1])
			}
		})
		if got := u.Number(); got != sets || !slices.Equal(u, want) {
			t.Errorf("%d threads: %d sets, want %d", threads, got, sets)
		}
	}
}

func TestExtend(t *testing.T) {
	s := Extend([]int{1, 2, 3}, 1000)
	if len(s) != 1000 || !slices.Equal(s[:3], []int{1, 2, 3}) {
		t.Errorf("extended: %d items, %v", len(s), s[:3])
	}
	if r := Resize(s, 900); len(r) != 900 || &r[0] != &s[0] {
		t.Errorf("resized: %d items, elsewhere", len(r))
	}
}
