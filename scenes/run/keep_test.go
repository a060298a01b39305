package run

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/estimate"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

func TestKeepStep(t *testing.T) {
	for text, want := range map[string]int{"": 1, "all": 1, "none": 0, "every 1st": 1, "every 2nd": 2, "every 5th": 5, "every 11th": 11, "every 23rd": 23, "every 112th": 112} {
		if step, ok := scenes.KeepStep(text); !ok || step != want {
			t.Errorf("%q: %d, %v", text, step, ok)
		}
	}
	for _, text := range []string{"every 5", "every 2th", "every 11st", "every 0th", "Every 5th", "5th", "every -5th", "every 5th "} {
		if _, ok := scenes.KeepStep(text); ok {
			t.Errorf("%q is taken", text)
		}
	}
	if n := scenes.Kept("every 5th", 11); n != 3 {
		t.Errorf("of 11 frames every 5th are %d", n)
	}
}

const keepScene = `
[time]
duration = 0.2
fps = 30
[liquid]
spacing = 0.08
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.4, 0.4]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [0.8, 0.8, 0.4]
[picture]
size = [64, 36]
quality = "draft"
[video]
formats = ["gif"]
[mesh]
formats = ["obj", "usda"]
keep = "every 4th"
gzip = true
[particles]
formats = ["csv"]
keep = "every 3rd"
gzip = true
`

// runNamed runs stages of a scene in the file of the given name, all if none is named, and
// returns how many frames each stage has made.
func runNamed(t *testing.T, name, text, dir string, stages ...stage.Name) (made map[stage.Name]int, err error) {
	t.Helper()
	s, err := scenes.Read(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	made = map[stage.Name]int{}
	err = Run(context.Background(), s, Options{Out: dir, Stages: stages}, func(e stage.Event) {
		if e.Done {
			made[e.Stage] += e.Made
		}
	})
	return made, err
}

// mustRun does the same, and fails the test if the run fails.
func mustRun(t *testing.T, name, text, dir string, stages ...stage.Name) map[stage.Name]int {
	t.Helper()
	made, err := runNamed(t, name, text, dir, stages...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Meshes go once all is made from them, are not made again for a run that has
// all, and are for another look; thinned files are never made.
func TestKeep(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	run := func(scene string, stages ...stage.Name) map[stage.Name]int {
		t.Helper()
		return mustRun(t, "kept.toml", scene, dir, stages...)
	}
	files := func(pattern string) (names []string) {
		t.Helper()
		all, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			names = append(names, filepath.Base(f))
		}
		return names
	}
	if run(keepScene, stage.Sim, stage.Whitewater, stage.Mesh); len(files("mesh/*.gz")) != 6 || len(files("surface/*")) != 6 {
		t.Errorf("before they are drawn there are %v and %v", files("mesh/*"), files("surface/*"))
	}
	run(keepScene)
	check := func() {
		t.Helper()
		for pattern, want := range map[string][]string{"mesh/*": {"kept.mtl", "kept_0001.obj.gz", "kept_0005.obj.gz"}, "surface/*": {"kept_0001.ply", "kept_0005.ply"}} {
			if !slices.Equal(files(pattern), want) {
				t.Errorf("%s: %v, want %v", pattern, files(pattern), want)
			}
		}
		if want := []string{"kept_0001.csv.gz", "kept_0004.csv.gz"}; !slices.Equal(files("points/*"), want) {
			t.Errorf("particles %v, want %v", files("points/*"), want)
		}
		if len(files("frames/*")) != 6 || len(files("kept.usda")) != 1 || len(files("kept.gif")) != 1 {
			t.Errorf("there are %v", files("*"))
		}
	}
	check()
	for st, n := range run(keepScene) {
		if n != 0 {
			t.Errorf("%s has made %d frames again", st, n)
		}
	}
	check()
	if made := run(keepScene + "[light]\nexposure = 1\n"); made[stage.Mesh] != 4 || made[stage.Draw] != 6 || made[stage.Sim] != 0 {
		t.Errorf("for another light it has made %v", made)
	}
	check()
}

// Meshes that are removed once drawn are made a batch of frames at a time, so that the
// disk has few of them at once. The events are the same as without batches.
func TestKeepFew(t *testing.T) {
	longtest.Only(t)
	const frames = 20
	scene := strings.NewReplacer("duration = 0.2", "duration = 0.66", `["obj", "usda"]`, `["obj"]`, "every 4th", "every 10th").Replace(keepScene) + "[volume]\nformats = [\"vdb\"]\ngrids = [\"surface\"]\n"
	s, err := scenes.Read("few.toml", []byte(scene))
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Time.Frames(); n != frames || s.Batch() != scenes.BatchLowest {
		t.Fatalf("%d frames in batches of %d", n, s.Batch())
	}
	run := func(dir string, opt Options) (most int, last map[stage.Name][]stage.Event) {
		t.Helper()
		last = map[stage.Name][]stage.Event{}
		opt.Out = dir
		err := Run(context.Background(), s, opt, func(e stage.Event) {
			names, err := fs.Glob(os.DirFS(dir), "surface/*.ply")
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, len(names))
			if e.Frames != frames && e.Message == "" {
				t.Errorf("an event of %d frames: %+v", e.Frames, e)
			}
			if e.Done {
				last[e.Stage] = append(last[e.Stage], e)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return most, last
	}
	dir, other := t.TempDir(), t.TempDir()
	most, last := run(dir, Options{})
	if most > scenes.BatchLowest+2 || most < scenes.BatchLowest {
		t.Errorf("%d meshes at once, want %d and those that stay, 2", most, scenes.BatchLowest)
	}
	for st, parts := range map[stage.Name]int{stage.Sim: 1, stage.Mesh: 1, stage.Export: 2, stage.Draw: 1, stage.Film: 1} {
		if len(last[st]) != parts {
			t.Errorf("%s ends %d times, want %d", st, len(last[st]), parts)
		}
		for _, e := range last[st] {
			if e.Made+e.Kept != frames && st != stage.Export {
				t.Errorf("%s: made %d, kept %d", st, e.Made, e.Kept)
			}
		}
	}
	if _, last = run(dir, Options{}); last[stage.Mesh][0].Made != 0 || last[stage.Draw][0].Kept != frames {
		t.Errorf("once more: %+v", last)
	}
	// Stage by stage there are all at once, and the same pictures come of them.
	run(other, Options{Stages: []stage.Name{stage.Sim}})
	if most, _ := run(other, Options{Stages: []stage.Name{stage.Mesh}}); most != frames {
		t.Errorf("%d meshes before they are drawn", most)
	}
	run(other, Options{})
	for _, pattern := range []string{"frames/*.png", "surface/*", "mesh/*", "volumes/*", "few.gif"} {
		names, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			if readText(t, dir, name) != readText(t, other, name) {
				t.Errorf("%s is another", name)
			}
		}
	}
	if e := estimate.Of(s, mustBuild(t, s), nil); e.MeshMost >= e.Mesh || e.MeshMost <= e.MeshKept {
		t.Errorf("of %d bytes of meshes %d at once, and %d stay", e.Mesh, e.MeshMost, e.MeshKept)
	}
}
