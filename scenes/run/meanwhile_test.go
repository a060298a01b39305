package run

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// TestMadeMeanwhile has a second run make all files while the first is at a frame of each
// stage. The first keeps them, and both end with the files of one.
func TestMadeMeanwhile(t *testing.T) {
	longtest.NotShort(t)
	for _, at := range []stage.Name{stage.Sim, stage.Mesh, stage.Export, stage.Draw} {
		if (at == stage.Sim || at == stage.Export) && !longtest.On() {
			continue
		}
		s, dir := mustRead(t, keepScene), t.TempDir()
		made, second := map[stage.Name]int{}, false
		err := Run(context.Background(), s, Options{Out: dir}, func(e stage.Event) {
			if e.Done {
				made[e.Stage] += e.Made
			}
			if e.Stage == at && e.Frame == 1 && !e.UnderWay && !second {
				second = true
				if err := Run(context.Background(), s, Options{Out: dir}, func(stage.Event) {}); err != nil {
					t.Fatal(err)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		most := 2 // the second is under way
		if at == stage.Mesh {
			most = s.Batch() // the rows of others are seen at the next batch
		}
		if !second || made[at] > most {
			t.Errorf("%s: the first run makes %v", at, made)
		}
		again := mustRun(t, "x.toml", keepScene, dir)
		maps.DeleteFunc(again, func(_ stage.Name, n int) bool { return n == 0 })
		if _, err := os.Stat(filepath.Join(dir, manifestName)); err != nil || len(again) > 0 {
			t.Errorf("%s: %v is missing, %v", at, again, err)
		}
	}
}

// TestOthersMeanwhile has a run with other settings make all files while the first is at a
// frame of each stage. What the first makes of them has the settings of the first, or is
// made again by the next run.
func TestOthersMeanwhile(t *testing.T) {
	if !testing.Short() { // the race detector needs it
		longtest.Only(t)
	}
	text := strings.Replace(keepScene, "keep = \"every 4th\"\n", "", 1)
	other := strings.Replace(text, "[liquid]", "[liquid]\nviscosity = 0.1", 1)
	whole := t.TempDir()
	mustRun(t, "x.toml", text, whole)
	for _, at := range []stage.Name{stage.Sim, stage.Mesh, stage.Export, stage.Draw} {
		dir, second := t.TempDir(), false
		err := Run(context.Background(), mustRead(t, text), Options{Out: dir}, func(e stage.Event) {
			if e.Stage == at && e.Frame == 1 && !e.UnderWay && !second {
				second = true
				mustRun(t, "x.toml", other, dir)
			}
		})
		if !second || err != nil {
			t.Errorf("%s: a second run %t, the first ends with %v", at, second, err)
		}
		mustRun(t, "x.toml", text, dir)
		for _, folder := range []string{ParticleFolder, surfaceFolder, meshFolder, pointFolder, frameFolder, "."} {
			for _, name := range regularFiles(t, filepath.Join(whole, folder)) {
				if folder == "." && filepath.Ext(name) == ".csv" || name == manifestName {
					continue // records, and tables that list times
				}
				if readText(t, dir, folder, name) != readText(t, whole, folder, name) {
					t.Errorf("%s: %s/%s differs from the file of a run alone", at, folder, name)
				}
			}
		}
	}
}

// TestContested has another run replace the particles of a run each time that it has made
// them. The run ends, and says that another program works in the folder.
func TestContested(t *testing.T) {
	other := strings.Replace(keepScene, "[liquid]", "[liquid]\nviscosity = 0.1", 1)
	dir := t.TempDir()
	err := Run(context.Background(), mustRead(t, keepScene), Options{Out: dir}, func(e stage.Event) {
		if e.Stage == stage.Sim && e.Done {
			simulated(t, other, dir, 0)
		}
	})
	var lacks *NotMade
	if !errors.As(err, &lacks) || !lacks.Contested || lacks.Stage != stage.Sim {
		t.Fatalf("it ends with %v", err)
	}
	want := `x_0001.ply: made with other settings, and 5 more like it, though the stage "sim" has made them 4 times; another program works in this folder: wait until it ends, or choose another folder`
	if !strings.Contains(err.Error(), want) {
		t.Errorf("it says %q", err)
	}
}

// regularFiles returns the names of the files in a folder.
func regularFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}
