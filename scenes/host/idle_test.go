package host

import (
	"runtime"
	"testing"
)

// TestIdleTime asks the machine that runs the test: its processors were idle for a part of
// the time, which does not run backwards.
func TestIdleTime(t *testing.T) {
	before, ok := IdleTime()
	if !ok {
		if runtime.GOOS == "linux" {
			t.Skip("this machine does not say which time its processors were idle")
		}
		return
	}
	if before <= 0 {
		t.Errorf("the processors were idle for %g s", before)
	}
	if after, ok := IdleTime(); !ok || after < before {
		t.Errorf("the processors were idle for %g s, then for %g s", before, after)
	}
}
