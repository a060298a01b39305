package host

import (
	"math"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// TestMemory asks the machine that runs the test.
func TestMemory(t *testing.T) {
	if n := limit(memlimit.FromSystem); n < 1<<28 || n > 1<<50 {
		t.Errorf("this machine has %d bytes of memory", n)
	}
	if n, who := Memory(); n <= 0 || who == "" {
		t.Errorf("%s %d bytes", who, n)
	}
	if n := limit(memlimit.Limit(math.MaxUint64)); n != 0 {
		t.Errorf("no limit is %d bytes", n)
	}
}
