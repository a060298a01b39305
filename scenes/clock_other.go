//go:build !unix

package scenes

import (
	"runtime"
	"time"
)

var started = time.Now()

// processorTime returns the processor time that this process could have used,
// in seconds: the system does not say what it has.
func processorTime() float64 {
	return time.Since(started).Seconds() * threadShare * float64(runtime.GOMAXPROCS(0))
}
