package store

import (
	"bytes"
	"compress/gzip"
	"runtime/debug"
	"strings"
	"testing"
)

// TestUnpacked checks that data much larger than the memory limit is refused.
func TestUnpacked(t *testing.T) {
	if _, err := ReadUnpacked(strings.NewReader("12345"), 4); err == nil || !strings.Contains(err.Error(), "more than 4 bytes") {
		t.Errorf("5 bytes of 4: %v", err)
	}
	if b, err := ReadUnpacked(strings.NewReader("1234"), 4); err != nil || string(b) != "1234" {
		t.Errorf("4 bytes of 4: %q, %v", b, err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 28))
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 1<<26+1))
	z.Close()
	if _, err := Gunzip(&bomb); err == nil || !strings.Contains(err.Error(), "gzip: it holds more than") {
		t.Errorf("a long file: %v", err)
	}
}
