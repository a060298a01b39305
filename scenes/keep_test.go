package scenes

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestKeepStep(t *testing.T) {
	for text, want := range map[string]int{"": 1, "all": 1, "none": 0, "every 1st": 1, "every 2nd": 2, "every 5th": 5, "every 11th": 11, "every 23rd": 23, "every 112th": 112} {
		if step, ok := keepStep(text); !ok || step != want {
			t.Errorf("%q: %d, %v", text, step, ok)
		}
	}
	for _, text := range []string{"every 5", "every 2th", "every 11st", "every 0th", "Every 5th", "5th", "every -5th", "every 5th "} {
		if _, ok := keepStep(text); ok {
			t.Errorf("%q is taken", text)
		}
	}
	if n := kept("every 5th", 11); n != 3 {
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

// Meshes go once all is made from them, are not made again for a run that has
// all, and are for another look; thinned files are never made.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	run := func(scene string, stages ...Stage) map[Stage]int {
		t.Helper()
		s, err := Read("kept.toml", []byte(scene))
		if err != nil {
			t.Fatal(err)
		}
		made := map[Stage]int{}
		err = Run(context.Background(), s, Options{Out: dir, Stages: stages}, func(e Event) {
			if e.Done {
				made[e.Stage] += e.Made
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return made
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
	if run(keepScene, SimStage, MeshStage); len(files("mesh/*")) != 2*6 {
		t.Errorf("before they are drawn there are %v", files("mesh/*"))
	}
	run(keepScene)
	check := func() {
		t.Helper()
		if want := []string{"kept_0001.obj.gz", "kept_0001.ply.gz", "kept_0005.obj.gz", "kept_0005.ply.gz"}; !slices.Equal(files("mesh/*"), want) {
			t.Errorf("meshes %v, want %v", files("mesh/*"), want)
		}
		if want := []string{"kept_0001.csv.gz", "kept_0004.csv.gz"}; !slices.Equal(files("points/*"), want) {
			t.Errorf("particles %v, want %v", files("points/*"), want)
		}
		if len(files("frames/*")) != 6 || len(files("kept.usda")) != 1 || len(files("kept.gif")) != 1 {
			t.Errorf("there are %v", files("*"))
		}
	}
	check()
	for stage, n := range run(keepScene) {
		if n != 0 {
			t.Errorf("%s has made %d frames again", stage, n)
		}
	}
	check()
	if made := run(keepScene + "[light]\nexposure = 1\n"); made[MeshStage] != 4 || made[DrawStage] != 6 || made[SimStage] != 0 {
		t.Errorf("for another light it has made %v", made)
	}
	check()
}
