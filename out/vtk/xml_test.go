package vtk

import (
	"bytes"
	"encoding/base64"
	"testing"
)

// TestDecode64 decodes more than one goroutine does at a time.
func TestDecode64(t *testing.T) {
	want := make([]byte, 300_001)
	for i := range want {
		want[i] = byte(i * i >> 3)
	}
	for range 20 {
		for _, n := range []int{0, 1, 2, 3, 49151, 49152, 49153, len(want)} {
			got, err := decode64([]byte(base64.StdEncoding.EncodeToString(want[:n])))
			if err != nil || !bytes.Equal(got, want[:n]) {
				t.Fatalf("%d bytes: %v", n, err)
			}
		}
	}
	if _, err := decode64(bytes.Repeat([]byte("AA=="), 40000)); err == nil {
		t.Error("an end in the middle passes")
	}
}
