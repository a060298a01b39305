// Package host reports what the machine has for a run: memory, and processor
// time.
package host

import (
	"math"
	"os"
	"runtime/debug"
)

// Memory returns how many bytes of memory this process may use, and in words
// who says so: GOMEMLIMIT if it is set, which is then taken at its word, or
// else the machine, the container or the shell's limit, whichever has least. It
// returns 0 where nothing says.
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
	if left := addressable(); left > 0 && (bytes == 0 || left < bytes) {
		bytes, who = left, "the limit on this shell's memory (ulimit -v) leaves"
	}
	return bytes, who
}
