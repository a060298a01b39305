package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

// particleCSV is a block of particles 0.1 m apart.
func particleCSV(n int) []byte {
	b := []byte("x,y,z,vx,vy,vz\n")
	for i := range n * n * n {
		b = fmt.Appendf(b, "%g,%g,%g,%d,0,0\n", 0.1*float64(i%n), 0.1*float64(i/n%n), 0.1*float64(i/n/n), i%n)
	}
	return b
}

// TestMeshFiles meshes particle files by the command line.
func TestMeshFiles(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	for _, name := range []string{"p_0.csv", "p_1.csv", "p_2.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), particleCSV(6), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, out := filepath.Join(dir, "p_*.csv"), filepath.Join(dir, "meshes")
	events := do(t, "mesh", files, "--out", out, "--radius", "0.05", "--frames", "0-1", "--format", "obj,ply")
	if last := events[len(events)-1]; !last.Done || last.Made != 2 || last.Frames != 2 {
		t.Errorf("at the end: %+v", last)
	}
	if e := events[1]; e.File != filepath.Join(dir, "p_0.csv") || e.Particles != 216 || e.Triangles == 0 {
		t.Errorf("of the first file: %+v", e)
	}
	code, _, stderr := call(t, "mesh", files, "--out", out, "--radius", "0.05", "--format", "obj,ply")
	if code != exitDone || !strings.Contains(stderr, "kept 2 meshes, made 1") || !strings.Contains(stderr, "file 3/3, ") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	one := filepath.Join(dir, "alone.ply")
	if code, _, stderr := call(t, "mesh", filepath.Join(dir, "p_0.csv"), "--out", one, "--radius", "0.05"); code != exitDone || !strings.Contains(stderr, "made 1 mesh in") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	for _, name := range []string{"p_0.ply", "p_1.obj"} {
		if code, stdout, _ := call(t, "info", filepath.Join(out, name)); code != exitDone || !strings.Contains(stdout, "closed, manifold, oriented") {
			t.Errorf("%s: %s", name, stdout)
		}
	}
	if code, stdout, _ := call(t, "info", filepath.Join(dir, "p_0.csv")); code != exitDone || !strings.Contains(stdout, "velocity, a vector") || !strings.Contains(stdout, "about 0.05 m") {
		t.Errorf("of a particle file: %s", stdout)
	}
	if err := os.Truncate(filepath.Join(out, "p_1.ply"), 5000); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, "info", filepath.Join(out, "p_1.ply")); code != exitFailed || !strings.Contains(stderr, "cut short") {
		t.Errorf("of a mesh cut short: exit %d, %s", code, stderr)
	}
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"mesh " + files + " --out " + out, exitDone, "radius 0.05"},
		{"mesh " + files + " --out " + filepath.Join(dir, "one.obj"), exitUsage, "is a single file, but there are 3 meshes"},
		{"mesh " + files + " --radius 0.05 --fps 30 --interval 0.02 --out " + filepath.Join(dir, "all.abc"), exitDone, "all.abc: frames 1 to 3, 30 per second, 0.02 s"},
		{"mesh " + files + " --radius 0.05 --fps 30 --interval 0.02 --out " + filepath.Join(dir, "all.abc"), exitDone, "export kept all 3 frames"},
		{"mesh " + files + " --fps fast --format abc", exitUsage, "--fps: \"fast\" is not a number of frames"},
		{"mesh " + files + " --fps 24", exitUsage, "a frame rate applies to archives: abc"},
		{"mesh " + tiny + " --interval 1", exitUsage, "--interval applies to particle files"},
		{"info " + filepath.Join(dir, "all.abc"), exitDone, "Alembic"},
		{"mesh " + files + " --size 64x36", exitUsage, "--size applies to scenes"},
		{"mesh " + files + " --frames 3-1", exitUsage, "ends before it begins"},
		{"mesh " + files + " --frames x", exitUsage, "is not a range of frames"},
		{"mesh " + files + " --frames 7-9", exitUsage, "the files have 0-2"},
		{"mesh " + files + " --memory lots", exitUsage, "--memory: \"lots\" is not a size"},
		{"mesh " + files + " --cell 0.1", exitUsage, "expected a number in particle radii, from 0.25 to 1.2"},
		{"mesh " + files + " --within 0,0,0,1", exitUsage, "expected six numbers"},
		{"mesh " + files + " --radius 0.05 --within=-1,-1,-1,0.25,9,9 --quiet --force --out " + filepath.Join(dir, "half"), exitDone, ""},
		{"mesh " + files + " dam-break", exitUsage, "a scene must be the only argument"},
		{"mesh " + files + " --strays balls", exitUsage, "expected one of keep, drop, drops"},
		{"mesh " + files + " --radius 0.05 --strays drop --set stray_size=300 --out " + filepath.Join(dir, "none"), exitDone, ", 1 stray"},
		{"mesh dam-break --strays drop", exitUsage, "--strays applies to particle files"},
		{"mesh dam-break --cell 0.5", exitUsage, "--cell applies to particle files"},
		{"mesh " + tiny + " --frames 0-2", exitUsage, "--frames"},
		{"mesh " + filepath.Join(dir, "q.csv"), exitUsage, "there is no such file"},
	} {
		if code, stdout, stderr := call(t, strings.Fields(c.line)...); code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: exit %d, want %d and %q:\n%s%s", c.line, code, c.code, c.says, stdout, stderr)
		}
	}
}

func TestBytesOf(t *testing.T) {
	for text, want := range map[string]int64{"1000": 1000, "600MB": 600e6, "2 GiB": 2 << 30, "1.5g": 15e8, "64k": 64000} {
		if got, err := bytesOf(text); err != nil || got != want {
			t.Errorf("%s is %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "MB", "-1G", "x", "1e20", "nan"} {
		if n, err := bytesOf(text); err == nil {
			t.Errorf("%q is %d bytes", text, n)
		}
	}
}
