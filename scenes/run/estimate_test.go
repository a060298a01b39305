package run

import (
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/estimate"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/longtest"
)

// TestEstimateHolds runs scenes with few particles and frames and compares the bytes that
// they write, and the steps they take, with the estimates. TestEstimateMemory does so for more.
func TestEstimateHolds(t *testing.T) {
	longtest.Only(t) // TestRunNeedsMemory and TestGasEstimateHolds rehearse films, too
	const small = "[picture]\nsize = [320, 180]\nquality = \"draft\"\n"
	for _, c := range []struct {
		name, text string
	}{
		{"a jet", "[liquid]\nspacing = 0.0045\n[time]\nfps = 5\n"}, // honey
		{"floating-boxes", "[liquid]\nspacing = 0.06\n[time]\nfps = 3\nduration = 2\n"},
		{"article-column", "[time]\nfps = 4\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := c.name
			if from == "a jet" {
				from = "honey"
			}
			e, s := estimateOf(t, "extends = \""+from+"\"\n"+c.text+small)
			folder := t.TempDir()
			if err := Run(context.Background(), s, Options{Out: folder, Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh}}, func(stage.Event) {}); err != nil {
				t.Fatal(err)
			}
			holdEstimate(t, e, folder)
			if !(e.SimTime > 0 && e.MeshTime > 0 && e.DrawTime > 0 && e.FilmTime > 0) || e.Seconds() > 3600 {
				t.Errorf("it is to take %g, %g, %g and %g s", e.SimTime, e.MeshTime, e.DrawTime, e.FilmTime)
			}
		})
	}
}

// holdEstimate compares the bytes that a run wrote into a folder, and its steps, with an
// estimate.
func holdEstimate(t *testing.T, e estimate.Estimate, folder string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(readText(t, folder, "stats.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	steps, column := 0, slices.Index(rows[0], "substeps")
	for _, row := range rows[1:] {
		n, err := strconv.Atoi(row[column])
		if err != nil {
			t.Fatal(err)
		}
		steps += n
	}
	for _, x := range []struct {
		what      string
		got, want float64
	}{
		{"bytes of particles", float64(e.Particle), bytesBelow(t, filepath.Join(folder, ParticleFolder))},
		{"bytes of meshes", float64(e.Mesh), bytesBelow(t, filepath.Join(folder, meshFolder)) + bytesBelow(t, filepath.Join(folder, surfaceFolder))},
		{"steps", float64(e.Steps), float64(steps)},
	} {
		t.Logf("%s: %.3g estimated, %.3g in truth", x.what, x.got, x.want)
		if math.Abs(x.got-x.want) > 0.25*x.want {
			t.Errorf("%s: %.3g estimated, %.3g in truth", x.what, x.got, x.want)
		}
	}
}

// bytesBelow returns the size of all files in a folder.
func bytesBelow(t *testing.T, folder string) (n float64) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err == nil {
			n += float64(info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRunKeepsOneState runs no stage: the runner has no particles besides those
// that a stage moves.
func TestRunKeepsOneState(t *testing.T) {
	s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nspacing = 0.1\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRunner(s, Options{Out: t.TempDir()}, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	defer r.dir.Close()
	if n := r.built.World.Len(); n != 0 || r.built.Start == 0 {
		t.Errorf("%d particles are kept of %d", n, r.built.Start)
	}
}

// TestRunNeedsMemory has a scene that needs more memory than there is, which is
// known once its splashes were rehearsed.
func TestRunNeedsMemory(t *testing.T) {
	longtest.NotShort(t)
	e, s := estimateOf(t, "extends = \"dam-break\"\n[liquid]\nspacing = 0.08\n[time]\nduration = 0.4\nfps = 5\n[picture]\nsize = [64, 36]\nquality = \"draft\"\n")
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(0.4 * float64(e.Memory))))
	t.Setenv("GOMEMLIMIT", "as set")
	made := 0
	err := Run(context.Background(), s, Options{Out: t.TempDir()}, func(e stage.Event) {
		if !strings.HasPrefix(e.Message, "note: ") {
			made++
		}
	})
	var list toml.Faults
	if !errors.As(err, &list) || made > 0 {
		t.Errorf("a run that does not fit: %v after %d events", err, made)
	}
}
