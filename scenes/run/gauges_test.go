package run

import (
	"context"
	"math"
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

// measured is a small scene with all gauges and sources.
const measuredScene = `
[time]
duration = 0.2
fps = 30
[liquid]
spacing = 0.04
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.4, 0.4]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [1, 1, 0.4]
open = ["x+"]
[[inflow]]
kind = "rectangle"
width = 0.16
height = 0.12
position = [0.7, 0.6, 0.2]
direction = [0, -1, 0]
speed = 2
[[outflow]]
kind = "box"
min = [0.5, 0, 0]
max = [0.6, 0.1, 0.4]
[[gauge]]
kind = "level"
from = [0.3, 0, 0.2]
to = [0.3, 0.9, 0.2]
interval = 0.007
[[gauge]]
kind = "pressure"
name = "floor"
at = [0.1, 0, 0.2]
[[gauge]]
kind = "velocity"
at = [0.7, 0.55, 0.2]
interval = 0.001
[[gauge]]
kind = "volume"
max = [2, 1, 1]
[[gauge]]
kind = "force"
side = "y-"
interval = 0.01
`

// TestGaugesResume runs the stage sim at once, and again with a stop in the
// middle after which a row is there that should not be: the files are the same.
func TestGaugesResume(t *testing.T) {
	longtest.NotShort(t)
	whole, parts := t.TempDir(), t.TempDir()
	simulated(t, measuredScene, whole, 0)
	simulated(t, measuredScene, parts, 3)
	// A kill between the rows of frame 4 and the frame: the rows of that frame
	// are there, and of another run too.
	path := filepath.Join(parts, "gauges", "force-5.csv")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := mustRead(t, measuredScene)
	k, err := scenes.NewKeys(s, mustBuild(t, s))
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, ("0.1,1,2,3,4," + mark(k.Particles[4]) + "\n0.1,1,2,3,4,0123456789abcdef\n")...)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	simulated(t, measuredScene, parts, 0)
	for name, rows := range map[string]int{"level-1": 24, "floor": 6, "velocity-3": 167, "volume-4": 6, "force-5": 17} {
		// The first row is complete, and of the first frame.
		first := strings.Split(strings.Split(sameTable(t, whole, parts, name, rows), "\n")[1], ",")
		if first[0] != "0" || first[len(first)-2] != "1" || strings.Contains(name, "force") && slices.Contains(first, "") {
			t.Errorf("%s: the first row is %q", name, first)
		}
	}
}

// TestSourcesMeshed makes the meshes of the same scene: sound, with the volume
// of the particles that have left the nozzle. The table is made again when it
// is gone, and the largest error in it is the same.
func TestSourcesMeshed(t *testing.T) {
	longtest.NotShort(t)
	s, err := scenes.Read("measured.toml", []byte(measuredScene))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	volumeError := func(says string) float64 {
		t.Helper()
		err := Run(context.Background(), s, Options{Out: dir, Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh}}, func(e stage.Event) {
			if e.Message != "" && e.Message != says {
				t.Error(e.Message)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := newRunner(s, Options{Out: dir}, func(stage.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		defer r.dir.Close()
		worst, err := r.worstVolume()
		if err != nil || worst == nil {
			t.Fatal("there is no largest error: ", err)
		}
		return *worst
	}
	first := volumeError("")
	if err := os.Remove(filepath.Join(dir, meshFile)); err != nil {
		t.Fatal(err)
	}
	if again := volumeError("mesh  mesh.csv lacks rows: meshing 6 frames again for them"); math.Abs(again-first) > 0 || first > 0.01 {
		t.Errorf("the largest volume error is %g, and %g without the table", first, again)
	}
}

// TestNothingAtFirst draws a film that starts without liquid.
func TestNothingAtFirst(t *testing.T) {
	s, err := scenes.Read("late.toml", []byte(`
[time]
duration = 0.1
fps = 30
[liquid]
spacing = 0.04
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [1, 1, 1]
[[inflow]]
kind = "disc"
radius = 0.1
position = [0.5, 0.6, 0.5]
direction = [0, -1, 0]
speed = 2
start = 0.05
[picture]
size = [64, 48]
quality = "draft"
`))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	err = Run(context.Background(), s, Options{Out: dir, Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Draw}}, func(e stage.Event) {
		if e.Message != "" {
			t.Error(e.Message)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	if e := estimate.Of(s, b, nil); e.Incoming < 10 {
		t.Errorf("%d particles are expected to come", e.Incoming)
	}
}
