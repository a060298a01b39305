package scenes

import (
	"math"
	"os"
	"runtime/debug"
)

// Memory returns how many bytes of memory this process may use, and in words
// who says so: GOMEMLIMIT if it is set, which is then taken at its word, or
// else the machine or the container, whichever has less. It returns 0 where
// nothing says.
func Memory() (bytes int64, who string) {
	if os.Getenv("GOMEMLIMIT") != "" {
		if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
			return limit, "GOMEMLIMIT allows"
		}
	}
	bytes, who = installed(), "this machine has"
	if group := grouped(); group > 0 && (bytes == 0 || group < bytes) {
		bytes, who = group, "this container may use"
	}
	return bytes, who
}

// memory is Memory. Tests put a machine of their own in its place.
var memory = Memory
