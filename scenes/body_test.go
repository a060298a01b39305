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

// TestJoinedBodies lets a hammer fall, whose head and handle are two bodies that
// overlap.
func TestJoinedBodies(t *testing.T) {
	text := func(head, handle string) []byte {
		return []byte(`
[liquid]
spacing = "6 cm"
[[fluid]]
kind = "box"
max = [0.48, 0.24, 0.48]
[[wall]]
kind = "box"
max = [2, 4, 0.48]
[[body]]
name = "` + handle + `"
kind = "box"
min = [0.9, 3, 0.15]
max = [1.6, 3.15, 0.3]
density = 500
velocity = [0, 0.5, 0]
[body.joint]
kind = "fixed"
body = "` + head + `"
[[body]]
name = "` + head + `"
kind = "box"
min = [0.8, 2.9, 0.1]
max = [1, 3.25, 0.35]
density = 7800
`)
	}
	build := func(head, handle string) (*Built, *keys) {
		s, err := Read("hammer.toml", text(head, handle))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		k, err := newKeys(s, b)
		if err != nil {
			t.Fatal(err)
		}
		return b, k
	}
	b, k := build("head", "handle")
	if _, other := build("a", "b"); other.particles[0] != k.particles[0] {
		t.Error("the particles depend on names")
	}
	w := b.World
	before := w.Set.Bodies[0].X.Sub(w.Set.Bodies[1].X)
	if err := w.Advance(b.Solver, 0.3, nil); err != nil {
		t.Fatal(err)
	}
	handle, head := w.Set.Bodies[0], w.Set.Bodies[1]
	if off := handle.X.Sub(head.X).Len() - before.Len(); off > 1e-5 || off < -1e-5 || handle.Spin.Sub(head.Spin).Len() > 1e-4 {
		t.Errorf("they have parted by %g m, and turn at %v and %v rad/s", off, handle.Spin, head.Spin)
	}
	if head.Spin.Z < 0.01 {
		t.Errorf("the handle's start does not turn the head: %v rad/s", head.Spin)
	}
}
