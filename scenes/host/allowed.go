package host

import (
	"math"
	"runtime/debug"
)

// Allowed returns the memory that a run may have in bytes, 0 for any, and whether it is the
// program's own limit. asked is what the user allows, 0 for nothing said.
func Allowed(asked int64) (bytes float64, machine bool) {
	if asked > 0 {
		return float64(asked), false
	}
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return float64(limit), true
	}
	return 0, true
}

// Keep makes the collector keep the program within the memory that the user allows, 0 for
// nothing said, and returns a function that ends this.
func Keep(asked int64) (end func()) {
	if asked == 0 {
		return func() {}
	}
	before := debug.SetMemoryLimit(asked / 20 * 19)
	return func() { debug.SetMemoryLimit(before) }
}
