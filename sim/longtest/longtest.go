// Package longtest is the switch for long tests. They run when the environment variable
// BREAKWATER_TESTS is "long", which .ci/run sets:
//
//	BREAKWATER_TESTS=long go test -timeout 40m ./...
//
// Without it, go test ./... takes less than four minutes on two cores.
package longtest

import (
	"iter"
	"os"
	"runtime"
	"testing"
)

// On reports whether tests run at full length.
func On() bool { return os.Getenv("BREAKWATER_TESTS") == "long" }

// Only skips a test that is run at full length only.
func Only(t testing.TB) {
	t.Helper()
	if !On() {
		t.Skip("long: set BREAKWATER_TESTS=long")
	}
}

// Threads returns the numbers of threads on which a test compares its results: from 1 to 8 at
// full length, and 1 and 8 without. Under -short, the race detector needs 8 alone.
func Threads() []int {
	switch {
	case testing.Short():
		return []int{8}
	case On():
		return []int{1, 2, 3, 8}
	}
	return []int{1, 8}
}

// OnThreads returns the given numbers of threads, or those of Threads, and sets each while the
// loop is at it. At less than full length it takes only the first and the last, and under -short,
// as for the race detector, only the last.
func OnThreads(counts ...int) iter.Seq[int] {
	if len(counts) == 0 {
		counts = Threads()
	}
	switch n := len(counts); {
	case testing.Short():
		counts = counts[n-1:]
	case !On() && n > 2:
		counts = []int{counts[0], counts[n-1]}
	}
	return func(yield func(int) bool) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		for _, n := range counts {
			if runtime.GOMAXPROCS(n); !yield(n) {
				return
			}
		}
	}
}

// NotShort skips a test under -short, with which .ci/run runs the race detector: the test
// takes long there, and other tests run the same parallel code.
func NotShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("short: other tests run the same parallel code")
	}
}
