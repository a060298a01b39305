// Package host reports what the machine has for a run: memory, and processor
// time.
package host

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// Memory returns how many bytes of memory this process may use, and the source of the
// limit in words. GOMEMLIMIT counts alone if it is set. Otherwise the limit is the
// least of the machine's, the container's and the shell's. It returns 0 where nothing
// says.
func Memory() (bytes int64, who string) {
	if os.Getenv("GOMEMLIMIT") != "" {
		if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
			return limit, "GOMEMLIMIT allows"
		}
	}
	bytes, who = limit(memlimit.FromSystem), "this machine has"
	if group := limit(memlimit.FromCgroup); group > 0 && (bytes == 0 || group < bytes) {
		bytes, who = group, "this container may use"
	}
	if left := addressable(); left > 0 && (bytes == 0 || left < bytes) {
		bytes, who = left, "the limit on this shell's memory (ulimit -v) leaves"
	}
	return bytes, who
}

// limit returns the bytes that p reports, 0 if it reports none.
func limit(p memlimit.Provider) int64 {
	n, err := p()
	if err != nil || n > math.MaxInt64 {
		return 0
	}
	return int64(n)
}
