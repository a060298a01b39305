package main

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

// TestSceneNames renders scenes whose files have names as people give them, goes
// on where they are, and opens them elsewhere.
func TestSceneNames(t *testing.T) {
	longtest.NotShort(t)
	scene, err := os.ReadFile(tiny)
	if err != nil {
		t.Fatal(err)
	}
	scene = bytes.Replace(scene, []byte(`formats = ["webm"]`), []byte("formats = [\"webm\", \"mp4\"]\n\n[particles]\nformats = [\"csv\", \"pvd\"]"), 1)
	t.Chdir(t.TempDir())
	for i, name := range []string{"été 1.2", "水 (1)", "v1.2", "run 2", "été", "err0.1", "e\u0301"} {
		if i >= 2 && !longtest.On() {
			break
		}
		put(t, name+".toml", scene)
		if strings.Contains(name, "(") {
			if code, _, stderr := call(t, "check", name+".toml"); code != exitScene || !strings.Contains(stderr, "so rename the file") {
				t.Errorf("%s: exit %d\n%s", name, code, stderr)
			}
			continue
		}
		code, _, stderr := call(t, "draw", name+".toml")
		if want := "breakwater mesh " + quoted(name+".toml"); code != exitAgain || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, no %q in\n%s", name, code, want, stderr)
		}
		do(t, "render", name+".toml", "--frames", "1-2")
		folder := filepath.Join("renders", name)
		for _, file := range []string{"particles/*_0002.ply", "surface/*_0001.ply", "mesh/*_0001.obj", "frames/*_0002.png", "points/*_0002.csv", "*.webm", "*.mp4", "*_particles.pvd", "*.abc"} {
			file = filepath.Join(folder, strings.Replace(file, "*", name, 1))
			if code, _, stderr := call(t, "info", file); code != exitDone && path.Ext(file) != ".pvd" {
				t.Errorf("%s: exit %d\n%s", file, code, stderr)
			}
		}
		for _, e := range do(t, "render", name+".toml", "--frames", "1-2") {
			if e.Made > 0 {
				t.Errorf("%s: made again: %+v", name, e)
			}
		}
		if code, stdout, stderr := call(t, "export", "blender-script", name+".toml", "--frames", "1-2"); code != exitDone || !strings.Contains(stdout, name+"_blender.py") {
			t.Errorf("%s: exit %d\n%s%s", name, code, stdout, stderr)
		}
		err := fs.WalkDir(os.DirFS(folder), ".", func(file string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(path.Base(file), ".") && file != "." {
				t.Errorf("%s: %s is left", name, file)
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
