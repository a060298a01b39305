package run

import (
	"context"
	"os"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/heaptest"
	"breakwater/sim/longtest"
)

const longScene = `
[time]
duration = 1.9995
fps = 1000
[liquid]
spacing = 0.1
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.3, 0.3, 0.3]
[[wall]]
kind = "box"
max = [0.6, 0.8, 0.3]
[solver]
kind = "iisph" # 27 particles are too few for isph
[mesh]
keep = "every 9th"
[picture]
size = [48, 32]
quality = "draft"
[video]
formats = ["avi"]
`

// longFrames is how many frames a long run has. longGrowth is how many bytes per frame
// may stay in memory, in any stage. Names, fingerprints, a row of a table and a place
// in an index may stay, but not the frame itself.
const (
	longFrames = 2000
	longGrowth = 2000.
)

// longGas is a small fire that goes on, with a body, a gauge and volumes.
const longGas = `
[time]
duration = 66.65
fps = 30
[gas]
cell = "10 cm"
[flame]
[[source]]
kind = "sphere"
center = [0, 0.2, 0]
radius = 0.1
vortons = 10
tracers = 30
temperature = 400
fuel = 0.1
[[wall]]
kind = "box"
inside = false
min = [-1, -0.1, -1]
max = [1, 0, 1]
[[body]]
kind = "sphere"
center = [0.3, 0.5, 0]
radius = 0.1
density = 100
[[gauge]]
kind = "body"
[solver]
life = 1
[volume]
formats = ["vdb"]
[picture]
size = [48, 32]
quality = "draft"
[video]
formats = ["avi"]
`

// A run of 2,000 frames takes no more memory at its end than at its beginning,
// in all of its stages.
func TestLongRun(t *testing.T) {
	longRun(t, longScene, stage.Sim, stage.Mesh, stage.Draw, stage.Film)
}

// A run of a gas takes no more memory either, while it moves and becomes volumes.
func TestLongRunOfGas(t *testing.T) { longRun(t, longGas, stage.Sim, stage.Export) }

func longRun(t *testing.T, text string, stages ...stage.Name) {
	longtest.Only(t)
	s, err := scenes.Read("long.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Time.Frames(); n != longFrames {
		t.Fatalf("%d frames", n)
	}
	dir := t.TempDir()
	if shared, err := os.MkdirTemp("/dev/shm", "breakwater"); err == nil { // files in memory: disks are slow to sync this many
		dir = shared
		t.Cleanup(func() { os.RemoveAll(shared) })
	}
	early, late := map[stage.Name]float64{}, map[stage.Name]float64{}
	report := func(e stage.Event) {
		if e.UnderWay || e.Done || e.Frame < 200 || early[e.Stage] != 0 && (e.Frame < longFrames-100 || late[e.Stage] != 0) {
			return
		}
		if early[e.Stage] == 0 {
			early[e.Stage] = heaptest.InUse()
		} else {
			late[e.Stage] = heaptest.InUse()
		}
	}
	if err := Run(context.Background(), s, Options{Out: dir, Stages: stages}, report); err != nil {
		t.Fatal(err)
	}
	for _, st := range stages {
		if early[st] == 0 || late[st] == 0 {
			t.Errorf("%s: was not seen", st)
		}
		const between = longFrames - 300
		if grown := (late[st] - early[st]) / between; grown > longGrowth {
			t.Errorf("%s: %.0f bytes per frame stay in memory", st, grown)
		} else {
			t.Logf("%s: %.0f bytes per frame", st, grown)
		}
	}
}
