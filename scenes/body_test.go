package scenes

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

const twoBodies = `
[time]
duration = 0.2
[liquid]
spacing = "6 cm"
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.48, 0.6, 0.48]
[[wall]]
kind = "box"
max = [1.2, 2, 0.48]
[[body]]
name = "crate"
kind = "box"
min = [0.6, 0, 0.1]
max = [0.8, 0.2, 0.3]
density = 500
friction = 0.5
[[body]]
kind = "sphere"
radius = 0.12
position = [0.24, 0.68, 0.24]
rotation = [0, 90, 0]
angular_velocity = [0, 0, 90]
density = 700
[picture]
size = [160, 90]
quality = "draft"
`

// TestBodiesRun makes all files of a scene with bodies at once, on other numbers
// of threads, and in two parts: they are the same.
func TestBodiesRun(t *testing.T) {
	s, err := Read("bodies.toml", []byte(twoBodies))
	if err != nil {
		t.Fatal(err)
	}
	run := func(threads int, lost bool) map[string]string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		dir := t.TempDir()
		stages := []Stage{SimStage, MeshStage, DrawStage}
		if err := Run(context.Background(), s, Options{Out: dir, Stages: stages}, func(Event) {}); err != nil {
			t.Fatal(err)
		}
		if lost {
			for _, pattern := range []string{"particles/*_000[3-6].ply", "mesh/*_000[1-4].obj", "frames/*_0004.png"} {
				names, err := filepath.Glob(filepath.Join(dir, pattern))
				if err != nil || len(names) == 0 {
					t.Fatal(pattern, err)
				}
				for _, name := range names {
					if err := os.Remove(name); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := Run(context.Background(), s, Options{Out: dir, Stages: stages}, func(Event) {}); err != nil {
				t.Fatal(err)
			}
		}
		files := map[string]string{}
		for _, pattern := range []string{"particles/*.ply", "mesh/*.obj", "frames/*.png"} {
			names, _ := filepath.Glob(filepath.Join(dir, pattern))
			for _, name := range names {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				files[filepath.Base(name)] = string(data)
			}
		}
		return files
	}
	want := run(1, false)
	if len(want) != 18 {
		t.Fatalf("%d files", len(want))
	}
	for _, threads := range []int{2, 3, 8} {
		if got := run(threads, threads == 2); !maps.Equal(got, want) {
			for name := range want {
				if got[name] != want[name] {
					t.Errorf("%d threads: %s is another", threads, name)
				}
			}
		}
	}
	for _, name := range []string{"\no crate\n", "\no body2\n"} {
		if !bytes.Contains([]byte(want["bodies_0006.obj"]), []byte(name)) {
			t.Errorf("the mesh has no object%q", name)
		}
	}
	if want["bodies_0001.png"] == want["bodies_0006.png"] {
		t.Error("nothing moves in the pictures")
	}
}
