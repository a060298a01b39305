package outtest

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Gigabyte is 2³⁰ bytes.
const Gigabyte = 1 << 30

// Sparse is a file to write that may have holes.
type Sparse struct{ *os.File }

// NewSparse returns an empty file of the test.
func NewSparse(t *testing.T, name string) Sparse {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return Sparse{f}
}

// Skip leaves a hole of n bytes.
func (f Sparse) Skip(t *testing.T, n int64) {
	t.Helper()
	if _, err := f.Seek(n, io.SeekCurrent); err != nil {
		t.Fatal(err)
	}
}

// Size returns the length of f, which must be more than 4 GB.
func (f Sparse) Size(t *testing.T) int64 {
	t.Helper()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() <= 4*Gigabyte {
		t.Fatalf("the file has only %d bytes", info.Size())
	}
	return info.Size()
}

// At returns n bytes of f.
func (f Sparse) At(t *testing.T, place int64, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	if _, err := f.ReadAt(b, place); err != nil {
		t.Fatalf("%d bytes at %d: %v", n, place, err)
	}
	return b
}
