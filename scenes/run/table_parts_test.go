package run

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// partScene has all tables: of steps, whitewater, meshes, two gauges, one of which never has a
// row, and the places that the camera follows.
var partScene = strings.Replace(breakingScene, "{}", `[camera]
eye = [0.4, 0.5, 3]
target = [0.4, 0.3, 0]
follow = "splash"
lag = 0.2
[[gauge]]
kind = "level"
name = "level"
from = [0.1, 0, 0.1]
to = [0.1, 1, 0.1]
interval = 0.02
[[gauge]]
kind = "level"
name = "late"
from = [0.7, 0, 0.1]
to = [0.7, 1, 0.1]
interval = 100
`, 1)

const partFrames = 10

// filesOf returns the contents of all files of a run but its records.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == store.SumsName || filepath.Base(filepath.Dir(path)) == store.RecordFolder {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestTableParts runs a scene as tasks, which write no table and no manifest. The run of all frames
// afterwards makes no frame again, has the tables of an undisturbed run, and leaves no part of them.
// Where a part was damaged or removed, it makes the frames of its rows again, or reads their
// particles.
func TestTableParts(t *testing.T) {
	longtest.NotShort(t)
	alone := t.TempDir()
	mustRun(t, "breaking.toml", partScene, alone)
	want := filesOf(t, alone)
	for _, name := range []string{statsName, meshFile, whitewaterTable, trackName, gaugeFolder + "/level.csv", gaugeFolder + "/late.csv", manifestName} {
		if want[name] == "" {
			t.Fatalf("the run has no %s", name)
		}
	}
	s, err := scenes.Read("breaking.toml", []byte(partScene))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, part string) // nil for nothing
		part  string
		mesh  int  // frames that are meshed again
		redo  bool // by Redo, before the run of all frames
	}{
		{name: "undisturbed"}, // the others are tested in long runs
		{"damaged mesh rows", flipped, "mesh_0001-0003.csv", 3, false},
		{"damaged mesh rows, made again", flipped, "mesh_0001-0003.csv", 0, true},
		{"no rows of steps", removed, "stats_0001-0005.csv", 0, false},
		{"no rows of steps, made again", removed, "stats_0001-0005.csv", 0, true},
		{"no rows of a gauge", removed, "gauges-level_0006-0010.csv", 0, false},
		{"no rows of a gauge, made again", removed, "gauges-level_0006-0010.csv", 0, true},
		{"no rows of an empty gauge", removed, "gauges-late_0006-0010.csv", 0, false},
		{"no places", removed, "camera_0001-0005.csv", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.spoil != nil {
				longtest.Only(t)
			}
			dir := t.TempDir()
			made := map[stage.Name]int{}
			run := func(opt Options) {
				t.Helper()
				opt.Out = dir
				if err := Run(context.Background(), s, opt, func(e stage.Event) {
					if e.Done {
						made[e.Stage] += e.Made
					}
				}); err != nil {
					t.Fatal(err)
				}
			}
			sim, frames := []stage.Name{stage.Sim, stage.Whitewater}, []stage.Name{stage.Mesh, stage.Export, stage.Draw}
			for _, task := range []Options{
				{Stages: sim, First: 1, Last: 5}, {Stages: sim, First: 6}, {Stages: sim, First: 6}, // twice
				{Stages: frames, First: 4, Last: 7}, {Stages: frames, First: 1, Last: 3}, {Stages: frames, First: 8},
			} {
				task.PerFrame = true
				run(task)
			}
			if made[stage.Sim] != partFrames || made[stage.Whitewater] != partFrames || made[stage.Mesh] != partFrames || made[stage.Draw] != partFrames {
				t.Errorf("the tasks made %v", made)
			}
			for name, text := range filesOf(t, dir) {
				if strings.HasSuffix(name, ".csv") || name == manifestName {
					t.Errorf("tasks write %s", name)
				}
				if text != want[name] {
					t.Errorf("%s has other bytes", name)
				}
			}
			if v, err := Verify(context.Background(), dir, VerifyOptions{}); err != nil || v.Finished || len(v.Faults) > 0 {
				t.Errorf("verified: %+v, %v", v, err)
			}
			if c.spoil != nil {
				c.spoil(t, filepath.Join(dir, store.RecordFolder, c.part))
				v, err := Verify(context.Background(), dir, VerifyOptions{})
				if err != nil || !slices.ContainsFunc(v.Faults, func(f Fault) bool { return f.File == store.RecordFolder+"/"+c.part }) {
					t.Errorf("the fault is not found: %+v, %v", v, err)
				}
				if c.redo {
					if _, err := Redo(context.Background(), s, dir, v.Faults, func(stage.Event) {}); err != nil {
						t.Error(err)
					}
					if v, err := Verify(context.Background(), dir, VerifyOptions{}); err != nil || v.Bad() > 0 {
						t.Errorf("after Redo: %+v, %v", v, err)
					}
				}
			}
			clear(made)
			run(Options{})
			if made[stage.Sim] > 0 || made[stage.Whitewater] > 0 || made[stage.Draw] > 0 || made[stage.Mesh] != c.mesh {
				t.Errorf("the run of all frames made %v", made)
			}
			equalContents(t, "after the run of all frames", filesOf(t, dir), want)
			left, err := filepath.Glob(filepath.Join(dir, store.RecordFolder, "*"))
			left = slices.DeleteFunc(left, func(name string) bool {
				return strings.HasPrefix(filepath.Base(name), "sums_") || strings.HasPrefix(filepath.Base(name), pathBase+"_")
			})
			if len(left) > 0 || err != nil {
				t.Errorf("left: %v, %v", left, err)
			}
			if v, err := Verify(context.Background(), dir, VerifyOptions{}); err != nil || !v.Finished || len(v.Faults) > 0 {
				t.Errorf("verified at the end: %+v, %v", v, err)
			}
		})
	}
}

func flipped(t *testing.T, part string) {
	data, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 4
	if err := os.WriteFile(part, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func removed(t *testing.T, part string) {
	if err := os.Remove(part); err != nil {
		t.Fatal(err)
	}
}

// TestTaskChain has a task simulate frames whose frame before is not there, and one whose frame
// before is there but not the ones before that: the first makes all that it needs, the second no
// more than its own.
func TestTaskChain(t *testing.T) {
	s, err := scenes.Read("breaking.toml", []byte(partScene))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	task := func(first, last int) (made int) {
		t.Helper()
		err := Run(context.Background(), s, Options{Out: dir, Stages: []stage.Name{stage.Sim, stage.Whitewater}, First: first, Last: last, PerFrame: true}, func(e stage.Event) {
			if e.Done {
				made += e.Made
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	if n := task(4, 5); n != 2*5 {
		t.Errorf("frames 4-5 after nothing: %d files of frames were made", n)
	}
	if err := os.Remove(filepath.Join(dir, ParticleFolder, "breaking_0002.ply")); err != nil {
		t.Fatal(err)
	}
	if n := task(6, 7); n != 2*2 {
		t.Errorf("frames 6-7 after 5: %d files of frames were made", n)
	}
	if n := task(1, 3); n != 1 {
		t.Errorf("frames 1-3 without particles of 2: %d files of frames were made", n)
	}
}

// TestCameraPath draws frames with a camera that follows the splash as tasks do, with the rows of its
// path, with those of another lag, and without any: the pictures have the bytes of a whole run.
func TestCameraPath(t *testing.T) {
	longtest.NotShort(t)
	for _, lag := range []string{"0.2", "0.05"} {
		if lag != "0.2" && !longtest.On() {
			break
		}
		text := strings.Replace(partScene, "lag = 0.2", "lag = "+lag, 1)
		alone, dir := t.TempDir(), t.TempDir()
		mustRun(t, "breaking.toml", text, alone)
		s, err := scenes.Read("breaking.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		simulated, err := scenes.Read("breaking.toml", []byte(partScene))
		if err != nil {
			t.Fatal(err)
		}
		run := func(s *scenes.Scene, first, last int, stages ...stage.Name) {
			t.Helper()
			if err := Run(context.Background(), s, Options{Out: dir, Stages: stages, First: first, Last: last, PerFrame: true}, func(stage.Event) {}); err != nil {
				t.Fatal(err)
			}
		}
		run(simulated, 1, 6, stage.Sim, stage.Whitewater)
		run(simulated, 7, 0, stage.Sim, stage.Whitewater)
		run(s, 0, 0, stage.Mesh)
		same := func(n int) {
			t.Helper()
			got, err := os.ReadFile(filepath.Join(dir, Picture(s, n)))
			if err != nil {
				t.Fatal(err)
			}
			if want, err := os.ReadFile(filepath.Join(alone, Picture(s, n))); err != nil || string(got) != string(want) {
				t.Errorf("lag %s: frame %d has other bytes, %v", lag, n, err)
			}
		}
		run(s, 9, 9, stage.Draw)
		same(9)
		paths, err := filepath.Glob(filepath.Join(dir, store.RecordFolder, pathBase+"_*"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("the path is in %v, %v", paths, err)
		}
		if lag == "0.2" { // with the path alone
			for _, pattern := range []string{"camera_*", "../" + ParticleFolder} {
				names, _ := filepath.Glob(filepath.Join(dir, store.RecordFolder, pattern))
				for _, name := range names {
					if err := os.RemoveAll(name); err != nil {
						t.Fatal(err)
					}
				}
			}
			run(s, 10, 10, stage.Draw)
			same(10)
			continue
		}
		if err := os.Remove(paths[0]); err != nil {
			t.Fatal(err)
		}
		run(s, 10, 10, stage.Draw)
		same(10)
	}
}
