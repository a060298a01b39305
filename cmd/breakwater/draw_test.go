package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDrawFiles draws volume files by the command line, and reports wrong flags.
func TestDrawFiles(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "out", "vdb", "testdata", "blosc.vdb"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"smoke_7.vdb", "smoke_8.vdb", "smoke_9.vdb"} {
		put(t, filepath.Join(dir, name), data)
	}
	files, out := filepath.Join(dir, "smoke_*.vdb"), filepath.Join(dir, "out")
	args := []string{"draw", files, "--out", out, "--frames", "8-9", "--size", "64x36", "--quality", "draft", "--fps", "5", "--unit", "cm", "--voxel", "0.02", "--density", "0.5", "--set", "video.formats=[\"avi\"]"}
	code, _, stderr := call(t, args...)
	if code != exitDone || !strings.Contains(stderr, "made 2 frames") || !strings.Contains(stderr, "voxels of 0.02 m") {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	for _, name := range []string{"frames/smoke_0008.png", "frames/smoke_0009.png", "smoke.avi"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if code, _, stderr = call(t, args...); code != exitDone || !strings.Contains(stderr, "kept all 2 frames") {
		t.Errorf("once more: exit %d\n%s", code, stderr)
	}
	code, stdout, stderr := call(t, "info", filepath.Join(dir, "smoke_7.vdb"))
	for _, want := range []string{"made by", "density  fog volume of numbers, 2097728 voxels of 0.125 × 0.125 × 0.125 from [-0.4375, -0.0625, -0.0625] to [31.94, 15.94, 15.94], values from -0.375 to 1.281",
		"vel      unknown of vectors, 576 voxels of 0.25 × 0.25 × 0.25 from [0.125, 1.875, 2.875] to [2.375, 3.875, 4.875], values from 0 to 5.545"} {
		if code != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("info: exit %d\n%s%s, want %s", code, stdout, stderr, want)
		}
	}
	if code, _, _ := call(t, "info", "--check", filepath.Join(dir, "smoke_7.vdb")); code != exitUsage {
		t.Errorf("info --check: exit %d", code)
	}
	for line, want := range map[string]string{
		files + " dam-break":            "dam-break is not a volume file; a scene must be the only argument",
		"dam-break --up z":              "--up applies to volume files; the picture of a scene is set in its file",
		files + " --spacing 0.1":        "--spacing and --region apply to scenes",
		files + " --temperature 300":    "--temperature: expected two temperatures in kelvin",
		files + " --frame 7 --frames 8": "--frame and --frames: give only one of them",
		files + " --frame 3":            "no file has a number in this range; the files have 7-9",
		files + " --set look.colour=1":  "colour",
		files + " --scene dam-break":    "does not draw volumes",
	} {
		if code, _, stderr := call(t, append([]string{"draw"}, strings.Fields(line)...)...); code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, want %q\n%s", line, code, want, stderr)
		}
	}
}
