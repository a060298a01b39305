//go:build !unix

package host

import (
	"runtime"
	"time"
)

var started = time.Now()

// threadShare is the part of the processors' time that a program is assumed to
// use.
const threadShare = 0.85

// ProcessorTime returns the processor time that this process could have used,
// in seconds: the system does not say what it has.
func ProcessorTime() float64 {
	return time.Since(started).Seconds() * threadShare * float64(runtime.GOMAXPROCS(0))
}
