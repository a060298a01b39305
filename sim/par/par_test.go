package par

import (
	"math"
	"math/rand/v2"
	"runtime"
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
