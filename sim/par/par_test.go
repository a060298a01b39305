package par

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// threads runs f with 1, 2, 3 and 8 workers.
func threads(f func(n int)) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(n)
		f(n)
	}
}

func TestForCoversOnce(t *testing.T) {
	threads(func(int) {
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
	})
}

// TestSumSameBits adds partial sums in chunk order.
func TestSumSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, 12_345)
	for i := range x {
		x[i] = rng.NormFloat64() * math.Exp(20*rng.Float64())
	}
	var want uint64
	threads(func(n int) {
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
		if n == 1 {
			want = math.Float64bits(s)
		} else if got := math.Float64bits(s); got != want {
			t.Errorf("%d threads: sum %x, want %x", n, got, want)
		}
	})
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

// TestSums adds up groups that change often, and wants exact counts and the
// same bits from any number of threads.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const n, groups = 3*sumsGrain + 7, 5
	group, x := make([]int32, n), make([]float64, n)
	var count [groups]float64
	for i := range x {
		group[i], x[i] = rng.Int32N(groups), rng.NormFloat64()
		count[group[i]]++
	}
	var want []float64
	threads(func(threads int) {
		a, b := Sums(n, groups, func(list []Share, lo, hi int) []Share {
			for i := lo; i < hi; i++ {
				list = append(list, Share{Group: group[i], A: x[i], B: 1})
			}
			return list
		})
		if !slices.Equal(b, count[:]) {
			t.Errorf("%d threads: counts %v, want %v", threads, b, count)
		}
		if want == nil {
			want = a
		}
		if !slices.Equal(a, want) {
			t.Errorf("%d threads: sums %v, want %v", threads, a, want)
		}
	})
	if a, _ := Sums(0, 2, nil); len(a) != 2 || a[0] != 0 {
		t.Errorf("of nothing: %v", a)
	}
}
