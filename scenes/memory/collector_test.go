package memory

import (
	"math"
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
