package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInfoFormats meshes a file to every format and has info tell of each, as it
// is and compressed.
func TestInfoFormats(t *testing.T) {
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
