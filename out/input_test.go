package out

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestUnpacked refuses what is much longer than the memory has room for.
func TestUnpacked(t *testing.T) {
	if _, err := ReadUnpacked(strings.NewReader("12345"), 4); err == nil || !strings.Contains(err.Error(), "more than 4 bytes") {
		t.Errorf("5 bytes of 4: %v", err)
	}
	if b, err := ReadUnpacked(strings.NewReader("1234"), 4); err != nil || string(b) != "1234" {
		t.Errorf("4 bytes of 4: %q, %v", b, err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 28))
	bomb := zipped(make([]byte, 1<<26+1))
	if _, err := ReadParticles("a.csv.gz", bomb, nil); err == nil || !strings.Contains(err.Error(), "gzip: it holds more than") {
		t.Errorf("a long file: %v", err)
	}
}
