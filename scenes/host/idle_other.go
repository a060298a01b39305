//go:build !linux

package host

// IdleTime returns false: the system does not say which time its processors were idle.
func IdleTime() (seconds float64, ok bool) { return 0, false }
