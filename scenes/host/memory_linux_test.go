package host

import (
	"testing"
	"testing/fstest"
)

func TestGroupLimit(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }
	for _, c := range []struct {
		name, list string
		files      fstest.MapFS
		want       int64
	}{
		{"none", "0::/\n", fstest.MapFS{}, 0},
		{"version 2", "0::/a/b\n", fstest.MapFS{"a/b/memory.max": file("3000")}, 3000},
		{"no limit", "0::/a\n", fstest.MapFS{"a/memory.max": file("max")}, 0},
		{"the group above", "0::/a/b\n", fstest.MapFS{"a/b/memory.max": file("max"), "a/memory.max": file("2000")}, 2000},
		{"the host's path", "0::/host/x\n", fstest.MapFS{"memory.max": file("1000")}, 1000},
		{"version 1", "5:cpu:/a\n4:memory:/a\n0::/\n", fstest.MapFS{
			"memory/a/memory.limit_in_bytes": file("4000"), "memory/memory.limit_in_bytes": file("9223372036854771712"), "a/memory.max": file("1")}, 4000},
	} {
		if got := groupLimit(c.files, c.list); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}

// TestMemory asks the machine that runs the test.
func TestMemory(t *testing.T) {
	if n := installed(); n < 1<<28 || n > 1<<50 {
		t.Errorf("this machine has %d bytes of memory", n)
	}
	if n, who := Memory(); n <= 0 || who == "" {
		t.Errorf("%s %d bytes", who, n)
	}
}
