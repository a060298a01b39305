// Package par runs loops on all cores, with results that do not depend on the number of
// cores.
//
// The chunks of a loop depend on its length alone. A caller that keeps a partial sum per
// chunk and adds them in chunk order gets the same bits on any machine.
// runtime.GOMAXPROCS sets the number of workers.
package par

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// grain is the chunk length of For and Max. It is long enough to hide the cost of handing
// out a chunk, about 50 ns, and short enough to balance a few thousand particles over the
// cores. It must not depend on the machine.
const grain = 256

// For calls f on consecutive chunks [lo, hi) that cover [0, n), in parallel.
// Every chunk but the last has 256 items.
func For(n int, f func(lo, hi int)) {
	Each((n+grain-1)/grain, func(c int) { f(c*grain, min(n, (c+1)*grain)) })
}

// Each calls f(0) … f(n−1), in parallel and in no order. It is for items that
// are work enough on their own: a tile, a block, a row.
//
// Each worker has a share of consecutive items, the caller the first, and
// helps the others when it is done. So loops over the same items one after the
// other mostly find in a core's cache what it wrote there.
func Each(n int, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	type share struct {
		next atomic.Int64
		end  int64
		_    [6]int64 // a cache line each
	}
	shares := make([]share, workers)
	for w := range shares {
		shares[w].next.Store(int64(w * n / workers))
		shares[w].end = int64((w + 1) * n / workers)
	}
	work := func(first int) {
		for k := range shares {
			s := &shares[(first+k)%workers]
			for i := s.next.Add(1) - 1; i < s.end; i = s.next.Add(1) - 1 {
				f(int(i))
			}
		}
	}
	var wg sync.WaitGroup
	for w := 1; w < workers; w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
}

// Max returns the largest of low and of f over the chunks of [0, n).
func Max(n int, low float64, f func(lo, hi int) float64) float64 {
	part := make([]float64, (n+grain-1)/grain)
	For(n, func(lo, hi int) { part[lo/grain] = f(lo, hi) })
	for _, p := range part {
		low = max(low, p)
	}
	return low
}

// Sum returns the sum of f over the chunks of [0, n), added in their order.
func Sum(n int, f func(lo, hi int) float64) (sum float64) {
	part := make([]float64, (n+grain-1)/grain)
	For(n, func(lo, hi int) { part[lo/grain] = f(lo, hi) })
	for _, p := range part {
		sum += p
	}
	return sum
}

// Share is what items that follow each other add to a group: how many they are,
// or of how much, and two sums.
type Share struct {
	Group int32
	N     int
	A, B  float64
}

// sumsGrain is how many items a chunk of Sums has.
const sumsGrain = 4096

// Sums adds up the items from 0 to n−1 by group, and returns the sums. f appends the
// shares of the items lo … hi−1 to a list. Consecutive items of one group have one share,
// so the list is short.
func Sums(n, groups int, f func(list []Share, lo, hi int) []Share) []Share {
	lists := make([][]Share, (n+sumsGrain-1)/sumsGrain)
	Each(len(lists), func(c int) { lists[c] = f(nil, c*sumsGrain, min(n, (c+1)*sumsGrain)) })
	sums := make([]Share, groups)
	for k := range sums {
		sums[k].Group = int32(k)
	}
	for _, list := range lists {
		for _, s := range list {
			sum := &sums[s.Group]
			sum.N, sum.A, sum.B = sum.N+s.N, sum.A+s.A, sum.B+s.B
		}
	}
	return sums
}

// Permuted gathers x into tmp by order and returns the two swapped.
func Permuted[T any](x, tmp []T, order []int32) (sorted, scratch []T) {
	tmp = slices.Grow(tmp[:0], len(x))[:len(x)]
	For(len(order), func(lo, hi int) {
		for i, j := range order[lo:hi] {
			tmp[lo+i] = x[j]
		}
	})
	return tmp, x
}
