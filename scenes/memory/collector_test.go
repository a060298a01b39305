package memory

import (
	"math"
	"runtime/debug"
	"testing"
)

// TestLimitIsKept has a limit of the collector that leaves less room than the
// collector takes without one, but enough: the estimate is the limit and no more.
func TestLimitIsKept(t *testing.T) {
	const fixed, live = 25e6, 1e9
	free := withGarbage(fixed, live, math.MaxInt64)
	for _, c := range []struct{ limit, want float64 }{
		{2 * free, free},
		{fixed + 1.5*live, min(free, fixed+1.5*live)},
		{live, fixed + min(free-fixed, 1.1*live)},
	} {
		if got := withGarbage(fixed, live, c.limit); math.Abs(got-c.want) > 1 {
			t.Errorf("%g bytes with a limit of %g, want %g", got, c.limit, c.want)
		}
	}
}

// TestCollect sets the collector's percentage, which stays if it is lower or off, and is restored.
func TestCollect(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	for _, c := range []struct{ before, want int }{{100, 40}, {25, 25}, {-1, -1}} {
		debug.SetGCPercent(c.before)
		restore := Collect(40)
		if got := percent(); got != c.want {
			t.Errorf("with %d before, collections are at %d %%, want %d", c.before, got, c.want)
		}
		if restore(); percent() != c.before {
			t.Errorf("%d %% afterwards, want %d", percent(), c.before)
		}
	}
}
