package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhitewaterFiles makes whitewater of particle files by the command line.
func TestWhitewaterFiles(t *testing.T) {
	dir := t.TempDir()
	for k := range 3 { // two blocks of water that meet
		text := "id,x,y,z,vx,vy,vz\n"
		for i := range 432 {
			side := float64(2*(i/216) - 1)
			at := side * (0.32 + 0.1*float64(i%6) - 0.1*float64(k))
			text += fmt.Sprintf("%d,%g,%g,%g,%g,0,0\n", i, at, 0.1*float64(i/6%6), 0.1*float64(i/36%6), -side*2)
		}
		put(t, filepath.Join(dir, fmt.Sprintf("p_%d.csv", k)), []byte(text))
	}
	files, out := filepath.Join(dir, "p_*.csv"), filepath.Join(dir, "ww")
	args := []string{"whitewater", files, "--out", out, "--spacing", "10cm", "--fps", "20", "--box=-1,-1,-1,1,2,1", "--set", "onset=0.1", "--set", "bubble=0.0001,0.004", "--format", "csv,abc"}
	events := do(t, args...)
	made := 0
	for _, e := range events {
		made = max(made, e.Parcels)
	}
	if last := events[len(events)-1]; !last.Done || made == 0 {
		t.Errorf("%d parcels; at the end: %+v", made, last)
	}
	data, err := os.ReadFile(filepath.Join(out, "p_whitewater_0002.csv"))
	rows := 0
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			rows++
		}
	}
	if err != nil || !strings.HasPrefix(string(data), "x,y,z,vx,vy,vz,id,width,kind,count,age\n") || rows != 1+made {
		t.Errorf("%v: the file has %d rows for %d parcels", err, rows, made)
	}
	for _, name := range []string{"p_whitewater_0002.csv", "p_whitewater.abc"} {
		if code, _, stderr := call(t, "info", filepath.Join(out, name)); code != exitDone {
			t.Errorf("%s: exit %d\n%s", name, code, stderr)
		}
	}
	if code, _, stderr := call(t, args...); code != exitDone || !strings.Contains(stderr, "kept all 3 frames") {
		t.Errorf("once more: exit %d\n%s", code, stderr)
	}
	if code, _, stderr := call(t, append(args, "--expand", "3")...); code != exitDone {
		t.Errorf("more points: exit %d\n%s", code, stderr)
	}
	more, err := os.ReadFile(filepath.Join(out, "p_whitewater_0002.csv"))
	if n := strings.Count(string(more), "\n") - strings.Count(string(data), "\n"); err != nil || n <= 0 {
		t.Errorf("%v: %d more rows with up to three points per parcel", err, n)
	}
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"whitewater " + files + " --box 0,0,0,1", exitUsage, "expected six numbers"},
		{"whitewater " + files + " --spacing 0.1 --radius 0.05", exitUsage, "use one of them"},
		{"whitewater " + files + " --expand 2000", exitUsage, "expected 1 to 1000"},
		{"whitewater still-water --out " + out, exitUsage, "still-water: the scene has no whitewater"},
		{"mesh smoke-ball --out " + out, exitUsage, "smoke-ball: the scene is of a gas, which has no meshes"},
		{"whitewater dam-break --expand 2", exitUsage, "--expand applies to particle files"},
		{"whitewater " + files + " --memory 20MB --out " + out, exitMachine, "but 20 MB are allowed"},
		{"whitewater " + files + " --memory lots", exitUsage, "is not a size"},
		{"whitewater dam-break --memory 2GB", exitUsage, "--memory applies to particle files"},
		{"whitewater " + files + " --unit km", exitUsage, "--unit"},
		{"whitewater " + files + " --up x", exitUsage, "--up"},
		{"whitewater " + files + " --gravity down", exitUsage, "gravity"},
		{"whitewater " + files + " --size 64x36", exitUsage, "--size applies to scenes"},
		{"whitewater " + files + " --fps fast", exitUsage, "--fps: \"fast\" is not a number of frames"},
		{"whitewater " + files + " --spacing wide", exitUsage, "spacing"},
		{"whitewater " + files + " --set foam=3 --out " + out, exitUsage, "foam"},
		{"whitewater " + files + " --format obj --out " + out, exitUsage, "is not a format of whitewater"},
		{"whitewater " + files + " --frames 7-9", exitUsage, "the files have 0-2"},
		{"whitewater " + files + " dam-break", exitUsage, "a scene must be the only argument"},
		{"whitewater dam-break --box 0,0,0,1,1,1", exitUsage, "--box applies to particle files"},
		{"whitewater " + files + " --out " + filepath.Join(dir, "all.abc"), exitUsage, "a folder"},
		{"whitewater " + filepath.Join(dir, "q.csv"), exitUsage, "there is no such file"},
	} {
		if code, stdout, stderr := call(t, strings.Fields(c.line)...); code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: exit %d, want %d and %q:\n%s%s", c.line, code, c.code, c.says, stdout, stderr)
		}
	}
}
