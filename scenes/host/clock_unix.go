//go:build unix

package host

import "syscall"

// ProcessorTime returns the processor time that this process has used, and the
// programs that it has waited for, in seconds, which other programs do not change.
func ProcessorTime() (sum float64) {
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += seconds(u.Utime) + seconds(u.Stime)
		}
	}
	return sum
}
