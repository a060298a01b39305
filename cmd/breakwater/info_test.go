package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/sim/longtest"
)

// TestInfoFormats meshes a file to every format and runs info on each, as it is and
// compressed.
func TestInfoFormats(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	points := filepath.Join(dir, "p.csv")
	if err := os.WriteFile(points, particleCSV(4), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, "mesh", points, "--out", dir, "--radius", "0.05", "--format", "obj,ply,vtp,glb,stl"); code != exitDone {
		t.Fatal(stderr)
	}
	for name, says := range map[string]string{
		"p.obj": "closed, manifold, oriented", "p.ply": "closed, manifold, oriented", "p.vtp": "closed, manifold, oriented",
		"p.glb": "fingerprint", "p.stl": "fingerprint", "p.csv": "velocity, a vector",
	} {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".gz", b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		var plain string
		for _, file := range []string{path, path + ".gz"} {
			code, stdout, stderr := call(t, "info", file)
			if code != exitDone || !strings.Contains(stdout, says) {
				t.Errorf("%s: exit %d\n%s%s", file, code, stdout, stderr)
			}
			if plain == "" {
				plain = stdout
			}
			if stdout != plain {
				t.Errorf("%s: other than of the file before it was compressed:\n%s\n%s", file, stdout, plain)
			}
		}
		if err := os.WriteFile(path+".gz", b.Bytes()[:b.Len()-9], 0o666); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := call(t, "info", path+".gz"); code != exitFailed || !strings.Contains(stderr, "cut short") {
			t.Errorf("%s.gz cut short: exit %d, %s", name, code, stderr)
		}
	}
	for _, name := range []string{"p.stl", "p.glb"} {
		if code, _, stderr := call(t, "info", filepath.Join(dir, name), "--check"); code != exitUsage || !strings.Contains(stderr, "obj, ply and vtp") {
			t.Errorf("--check of %s: exit %d, %s", name, code, stderr)
		}
	}
}

// TestInfoRefuses asks about files that would take all memory, or have no end.
func TestInfoRefuses(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "huge.png"), huge(t))
	far := []byte("x,y,z\n")
	for i := range 64 {
		far = fmt.Appendf(far, "0.%d,0.%d,0.%d\n", i%4, i/4%4, i/16)
	}
	put(t, filepath.Join(dir, "far.csv"), append(far, "1e150,1e150,1e150\n"...))
	put(t, filepath.Join(dir, "both.csv"), []byte("x,y,z\n1e308,0,0\n-1e308,0,0\n"))
	for _, c := range []struct {
		file string
		code int
		says string
	}{
		{"huge.png", exitFailed, "huge.png: 100000 × 100000 pixels; expected at most"},
		{"far.csv", exitDone, "radius     about 0.05 m"},
		{"both.csv", exitDone, "particles  2"},
	} {
		if code, stdout, stderr := call(t, "info", filepath.Join(dir, c.file)); code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: exit %d, no %q in\n%s%s", c.file, code, c.says, stdout, stderr)
		}
	}
	long := filepath.Join(dir, "long.csv")
	put(t, long, nil)
	if err := os.Truncate(long, 1<<40); err != nil { // a hole, which takes no room
		t.Log(err)
	} else {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
		for _, line := range [][]string{{"info", long}, {"mesh", long, "--out", dir}} {
			if code, stdout, stderr := call(t, line...); code != exitFailed || !strings.Contains(stdout+stderr, "GB of memory are allowed") {
				t.Errorf("%v: exit %d\n%s%s", line, code, stdout, stderr)
			}
		}
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		link := filepath.Join(dir, "endless.csv")
		outtest.Symlink(t, "/dev/zero", link)
		for _, line := range [][]string{{"info", link}, {"mesh", link, "--out", dir}, {"mesh", link, "--radius", "1", "--out", dir}} {
			if code, stdout, stderr := call(t, line...); code != exitFailed || !strings.Contains(stdout+stderr, "a device or a pipe, not a file") {
				t.Errorf("%v: exit %d\n%s%s", line, code, stdout, stderr)
			}
		}
	}
}
