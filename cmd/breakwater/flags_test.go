package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

// TestFlags passes invalid values of flags, and checks the errors. None of these commands
// makes anything.
func TestFlags(t *testing.T) {
	longtest.NotShort(t)
	scene, err := filepath.Abs(tiny)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "p_1.csv", []byte("x,y,z\n0,0,0\n0.1,0,0\n"))
	put(t, "s_1.png", grey(t, 4, 4, 100, false))
	for _, c := range []struct {
		line []string
		says string
	}{
		{[]string{"render", scene, "--fps", ""}, "--fps is empty"},
		{[]string{"render", scene, "--fps="}, "--fps is empty"},
		{[]string{"render", scene, "--size", " "}, "--size is empty"},
		{[]string{"render", scene, "--spacing", ""}, "--spacing is empty"},
		{[]string{"render", scene, "--quality", ""}, "--quality is empty"},
		{[]string{"render", scene, "--out", ""}, "--out is empty"},
		{[]string{"render", scene, "-o", ""}, "-o is empty"},
		{[]string{"render", scene, "--frames", ""}, "--frames is empty"},
		{[]string{"render", scene, "--threads", ""}, "--threads is empty"},
		{[]string{"render", ""}, "an argument is empty"},
		{[]string{"render", "--quiet", ""}, "an argument is empty"},
		{[]string{"mesh", "p_1.csv", "--format", ""}, "--format is empty"},
		{[]string{"mesh", "p_1.csv", "--radius", ""}, "--radius is empty"},
		{[]string{"figure", "kernels", "--out="}, "--out is empty"},

		{[]string{"draw", scene, "--frame", "0"}, "\"0\": expected a whole number, 1 or more"},
		{[]string{"draw", scene, "--frame", "+1"}, "\"+1\": expected a whole number, 1 or more"},
		{[]string{"draw", scene, "--frame", "99"}, "--frame 99: frame 99 does not exist: the scene has frames 1-6"},
		{[]string{"draw", scene, "--frames", "4-99"}, "--frames 4-99: frames 4-99: the scene has frames 1-6"},
		{[]string{"draw", scene, "--frames", "-"}, "\"-\" contains no frame"},
		{[]string{"draw", scene, "--frames", "+1"}, "\"+1\" is not a range of frames"},
		{[]string{"mesh", scene, "--frames", "-"}, "\"-\" contains no frame"},
		{[]string{"mesh", "p_1.csv", "--frames", "-"}, "\"-\" contains no frame"},
		{[]string{"mesh", "p_1.csv", "--frames", "+1"}, "\"+1\" is not a range of frames"},
		{[]string{"video", "s_1.png", "--out", "f.webm", "--frames", "-"}, "\"-\" contains no frame"},

		{[]string{"render", scene, "--threads", "0"}, "\"0\": expected a whole number, 1 to 1024"},
		{[]string{"mesh", "p_1.csv", "--threads=-1"}, "expected a whole number, 1 to 1024"},
		{[]string{"validate", "--threads", "0"}, "expected a whole number, 1 to 1024"},
		{[]string{"bench", "--threads", "0"}, "expected a whole number, 1 to 1024"},
		{[]string{"bench", "--steps", "0"}, "expected a whole number, 1 or more"},
		{[]string{"bench", "--frames", "0"}, "expected a whole number, 1 or more"},
		{[]string{"video", "s_1.png", "--out", "f.mp4", "--crf", "0"}, "expected a whole number, 1 to 51; 0 would be lossless"},
		{[]string{"video", "s_1.png", "--out", "f.mp4", "--fps", "1e-9"}, "expected a number"},
		{[]string{"mesh", "p_1.csv", "--radius", "0"}, "\"0\": expected a number above 0"},
		{[]string{"mesh", "p_1.csv", "--radius", "nan"}, "\"nan\": expected a number above 0"},
		{[]string{"mesh", "p_1.csv", "--interval", "0"}, "\"0\": expected a number above 0"},
		{[]string{"mesh", "p_1.csv", "--interval", "inf"}, "\"inf\": expected a number above 0"},

		{[]string{"render", scene, "--out", "film.mpg"}, "--out film.mpg: a folder, or a film whose name ends in .png, .apng, .avi, .gif"},
		{[]string{"render", scene, "--out", "film.xyz"}, "for a folder of this name, end it in a slash: film.xyz/"},
		{[]string{"sim", scene, "--out", "film.mp4"}, "sim does not make a film"},
		{[]string{"export", "blender-script", scene, "--out", "run.blend"}, "--out run.blend: the folder of the run"},
		{[]string{"mesh", "p_1.csv", "--out", "m.fbx"}, "m.fbx is not a name for a mesh; expected one that ends in ."},
		{[]string{"figure", "all", "--out", "all.png"}, "--out all.png: a folder for all figures"},
		{[]string{"validate", "--out", "v.csv"}, "--out v.csv: a folder"},
	} {
		code, stdout, stderr := call(t, c.line...)
		if code != exitUsage || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: exit %d, no %q in\n%s%s", c.line, code, c.says, stdout, stderr)
		}
	}
	if list, err := os.ReadDir("."); err != nil || len(list) != 2 {
		t.Errorf("they made %v, %v", list, err)
	}
}

// TestSizeAsWritten takes a size as check writes it.
func TestSizeAsWritten(t *testing.T) {
	longtest.NotShort(t)
	for _, size := range []string{"64x36", "64X36", "64×36", "64 × 36"} {
		if code, stdout, stderr := call(t, "check", tiny, "--size", size); code != exitDone || !strings.Contains(stdout, "64 × 36 pixels") {
			t.Errorf("%s: exit %d\n%s%s", size, code, stdout, stderr)
		}
	}
}

// TestOneFigure writes one file of a figure where its name asks for that.
func TestOneFigure(t *testing.T) {
	dir := t.TempDir()
	for _, end := range []string{"svg", "pdf", "csv", "txt", "tex"} {
		if code, stdout, stderr := call(t, "figure", "kernels", "--out", filepath.Join(dir, end, "k."+end)); code != exitDone {
			t.Errorf("%s: exit %d\n%s%s", end, code, stdout, stderr)
		}
		if list, err := os.ReadDir(filepath.Join(dir, end)); err != nil || len(list) != 1 || list[0].Name() != "k."+end {
			t.Errorf("%s: made %v, %v", end, list, err)
		}
	}
}

// TestAPNG films pictures into a file that is called as its format is.
func TestAPNG(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "s_1.png"), grey(t, 4, 4, 100, false))
	film := filepath.Join(dir, "f.apng")
	if code, stdout, stderr := call(t, "video", filepath.Join(dir, "s_1.png"), "--out", film); code != exitDone {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := call(t, "info", film); code != exitDone || !strings.Contains(stdout, "apng") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}
