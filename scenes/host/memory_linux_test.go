package host

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestAddressable runs itself in a shell that limits addresses. What is left for a run is less
// than the limit without the addresses that are taken: the runtime takes more in pieces.
func TestAddressable(t *testing.T) {
	const shell, limit = "BREAKWATER_TEST_ADDRESSES", 4_000_000 << 10
	if os.Getenv(shell) != "" {
		n, who := Memory()
		statm, _ := os.ReadFile("/proc/self/statm")
		pages, _, _ := strings.Cut(string(statm), " ")
		fmt.Printf("left %d pages %s %s\n", n, pages, who)
		return
	}
	cmd := exec.Command("bash", "-c", `ulimit -v 4000000; exec "$0" -test.run '^TestAddressable$'`, os.Args[0])
	cmd.Env = append(os.Environ(), shell+"=1", "GOMEMLIMIT=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var left, pages int64
	if _, err := fmt.Sscanf(string(out), "left %d pages %d", &left, &pages); err != nil || !strings.Contains(string(out), "ulimit -v") {
		t.Fatalf("%v in %s", err, out)
	}
	const rounding = 1 << 20
	taken := pages * int64(os.Getpagesize())
	if left > limit-taken-unused+rounding || left < limit/10 {
		t.Errorf("%d bytes are left of %d, of which %d are taken", left, int64(limit), taken)
	}
}
