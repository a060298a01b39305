package canary

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestSum compares the hash on this machine with a machine whose processor lacks some
// instructions, and on other numbers of threads.
func TestSum(t *testing.T) {
	got, err := Sum()
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CANARY_CHILD") != "" {
		t.Logf("sum %s", got)
		return
	}
	for _, lacks := range []string{"", "cpu.fma=off", "cpu.avx512f=off", "cpu.avx2=off,cpu.avx=off,cpu.fma=off"} {
		if lacks != "" && (runtime.GOARCH != "amd64" || testing.Short()) { // the race detector needs one
			continue
		}
		for _, threads := range []string{"1", "3"} {
			c := exec.Command(os.Args[0], "-test.run", "^TestSum$", "-test.v")
			c.Env = append(os.Environ(), "CANARY_CHILD=1", "GODEBUG="+lacks, "GOMAXPROCS="+threads)
			text, err := c.CombinedOutput()
			if err != nil || !strings.Contains(string(text), "sum "+got) {
				t.Errorf("%s threads, GODEBUG=%s: want %s, got %v\n%s", threads, lacks, got, err, text)
			}
		}
	}
}
