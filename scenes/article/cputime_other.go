//go:build !unix

package article

import "time"

var start = time.Now()

// cpuTime returns the time by the clock, s.
func cpuTime() float64 { return time.Since(start).Seconds() }
