package run

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// fire is a gas with all that a frame keeps: vortons and tracers that come and go, burning,
// a body that moves freely, and one that turns.
const fire = `
[time]
duration = 0.2
fps = 30
[gas]
cell = "10 cm"
viscosity = 0.01
[flame]
[[vortex]]
kind = "jet-ring"
radius = 0.3
thickness = 0.2
smoke = 1
[[source]]
kind = "sphere"
center = [0, -0.3, 0]
radius = 0.2
vortons = 200
tracers = 900
temperature = 500
fuel = 0.1
[[wall]]
kind = "box"
inside = false
min = [-0.6, 0.6, -0.6]
max = [0.6, 0.7, 0.6]
temperature = 400
heat_capacity = 2
conductance = 20
[wall.motion]
axis = [0, 1, 0]
turn = 300
[[body]]
kind = "sphere"
center = [0.1, 0.3, 0]
radius = 0.15
mass = 0.01
[[gauge]]
kind = "velocity"
at = [0.1, -0.3, 0.3]
interval = 0.007
[[gauge]]
kind = "force"
interval = 0.011
[[gauge]]
kind = "body"
[[gauge]]
kind = "jerk"
of = "tracers"
interval = 0.013
[[gauge]]
kind = "jerk"
of = "vortons"
[solver]
kind = "SOLVER"
longest_step = 0.02
life = 0.1
[picture]
size = [64, 36]
quality = "draft"
[particles]
formats = ["csv"]
[volume]
formats = ["vdb"]
voxel = 0.3
[video]
formats = []
`

// gasRun runs fire in a new folder, as far as frame last and then to the end.
func gasRun(t *testing.T, solver string, last int) map[string]string {
	t.Helper()
	text := strings.Replace(fire, "SOLVER", solver, 1)
	if solver == "mesh" { // which fills sources, and moves heavier bodies
		text = strings.NewReplacer("vortons = 200\n", "", "of = \"vortons\"", "of = \"tracers\"", "mass = 0.01", "mass = 0.1").Replace(text)
	}
	s, err := scenes.Read("fire.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, frames := range []int{last, 0} {
		opt := Options{Out: folder, Last: frames}
		if frames > 0 {
			opt.Stages = []stage.Name{stage.Sim}
		}
		if err := Run(context.Background(), s, opt, func(stage.Event) {}); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{}
	for _, pattern := range []string{"particles/*", "points/*", "vortons/*", "volumes/*", "frames/*", "gauges/*", "stats.csv"} {
		names, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(folder, name)
			files[rel] = string(data)
		}
	}
	return files
}

// TestGasSameBytes compares runs of a gas on several threads, and one that was stopped and
// goes on from its files, by all files that they make.
func TestGasSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	solvers := []string{"gourlay", "vortons", "mesh"}
	if !longtest.On() {
		solvers = solvers[:1] // the tests of package vortex run the others
	}
	for _, solver := range solvers {
		runtime.GOMAXPROCS(1)
		want := gasRun(t, solver, 6)
		list := []int{3}
		if solver == "gourlay" && longtest.On() {
			list = []int{2, 3, 7}
		}
		for _, threads := range list {
			runtime.GOMAXPROCS(threads)
			got := gasRun(t, solver, 1+threads%5)
			for name, data := range want {
				if got[name] != data {
					t.Errorf("%s on %d threads, stopped after frame %d: another %s", solver, threads, 1+threads%5, name)
				}
			}
		}
	}
}

// fewRings returns the scene smoke-rings with a tenth of its tracers.
func fewRings(t *testing.T) *scenes.Scene {
	t.Helper()
	s, err := scenes.Load("smoke-rings")
	if err == nil {
		err = s.Override(scenes.Overrides{Set: []string{"tracers.per_cell=20"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGasUnstable checks that a gas that leaves all bounds ends with the particle and a
// remedy, and names the last good frame.
func TestGasUnstable(t *testing.T) {
	longtest.NotShort(t)
	s := fewRings(t)
	l := &simulation{runner: &runner{scene: s, report: func(stage.Event) {}}, medium: &gas{scene: s}, at: 1}
	if err := l.start(); err != nil {
		t.Fatal(err)
	}
	l.medium.(*gas).flow.Tracers.X[7].X = 2e9
	err := l.advance(context.Background(), 2, stage.Event{})
	if err == nil || !strings.Contains(err.Error(), "unstable; expected") || !strings.Contains(err.Error(), "frame 1, the last good one, is kept") {
		t.Errorf("the run ends with %v", err)
	}
}

// TestGasFileWithoutVortons checks that a file that lacks the vortons of its frame is
// refused with what to do.
func TestGasFileWithoutVortons(t *testing.T) {
	longtest.NotShort(t)
	s := fewRings(t)
	g := &gas{scene: s}
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	f := g.frame()
	f.Vortons = nil
	if err := g.load(&f); err == nil || !strings.Contains(err.Error(), "no vortons; remove it") {
		t.Errorf("a file without vortons: %v", err)
	}
}

// TestGasEstimateHolds runs a gas and compares the bytes that it writes, and the steps that it
// takes, with the estimate by a rehearsal of the whole film.
func TestGasEstimateHolds(t *testing.T) {
	longtest.NotShort(t)
	e, s := estimateOf(t, strings.NewReplacer("SOLVER", "gourlay", `"csv"`, `"ply"`, `"vdb"`, "").Replace(fire))
	folder := t.TempDir()
	steps := stepsOf(t, s, Options{Out: folder})
	for _, x := range []struct {
		what             string
		got, want, least float64
	}{
		{"bytes of particles", float64(e.Particle), bytesBelow(t, filepath.Join(folder, ParticleFolder)), 0.9},
		{"bytes for other programs", float64(e.Export), bytesBelow(t, filepath.Join(folder, pointFolder)) + bytesBelow(t, filepath.Join(folder, vortonFolder)), 0.75},
		{"steps", float64(e.Steps), float64(steps), 1},
	} {
		t.Logf("%s: %.3g estimated, %.3g in truth", x.what, x.got, x.want)
		if !(x.got >= x.least*x.want && x.got <= x.want/x.least) {
			t.Errorf("%s: %.3g estimated, %.3g in truth", x.what, x.got, x.want)
		}
	}
	if !(e.SimTime > 0 && e.DrawTime > 0) || e.Seconds() > 3600 {
		t.Errorf("it is to take %g and %g s", e.SimTime, e.DrawTime)
	}
}

// TestGasError checks that the table of steps has the error of velocities that the solver
// measures, below the one asked for, and no error where no step was made.
func TestGasError(t *testing.T) {
	longtest.NotShort(t)
	g := &gas{scene: mustRead(t, `
[time]
duration = 0.02
[gas]
cell = 0.06
[[vortex]]
kind = "ring"
radius = 1
core = 0.2
[solver]
kind = "vortons"
error = 1e-3
turn = 1
`)}
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	column := slices.Index(gasColumns, "velocity_error")
	if got := g.row()[column]; got != "" {
		t.Errorf("the error before the first step is %v", got)
	}
	if err := g.advance(0.02, func(float64) error { return nil }); err != nil {
		t.Fatal(err)
	}
	row := g.row()
	if len(row) != len(gasColumns) {
		t.Fatalf("%d cells for %d columns", len(row), len(gasColumns))
	}
	if got, ok := row[column].(float64); !ok || !(got > 1e-6 && got < 1e-3) {
		t.Errorf("%d vortons: the error is %v, want one below 0.001", g.flow.Vortons.Len(), row[column])
	}
	if got := g.row()[column]; got != "" {
		t.Errorf("the error is still %v in the next row", got)
	}
}

// The rows of a fire tell what happened to its fuel: what is there grows by what sources
// supplied, less what burnt and what left.
func TestGasLedgerRows(t *testing.T) {
	longtest.NotShort(t)
	g := &gas{scene: mustRead(t, `
[time]
duration = 0.1
[gas]
cell = 0.1
heat_capacity = 1200
conduction = 2e-3
[[source]]
kind = "sphere"
center = [0, 0, 0]
radius = 0.25
temperature = 700
fuel = 1
flow = 0.05
burner = true
[flame]
air = 6
activation = 100
rate = 1e6
heat = 1.15e7
[solver]
kind = "mesh"
expansion = true
`)}
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	first := slices.Index(gasColumns, "fuel_supplied_kg")
	if got := g.row()[first]; got != "" {
		t.Errorf("before the first step, %v of fuel was supplied", got)
	}
	was := [2]float64{}
	for _, end := range []float64{0.05, 0.1} {
		if err := g.advance(end, func(float64) error { return nil }); err != nil {
			t.Fatal(err)
		}
		row := g.row()
		if len(row) != len(gasColumns) {
			t.Fatalf("%d cells for %d columns", len(row), len(gasColumns))
		}
		for k, sign := range []float64{-1, 1} { // burning takes fuel and gives heat
			at := func(c int) float64 { return row[first+4*k+c].(float64) }
			supplied, burnt, left, present := at(0), at(1), at(2), at(3)
			off := present - was[k] - supplied - sign*burnt + left
			if !(supplied > 0 && burnt > 0) || math.Abs(off) > 0.01*supplied {
				t.Errorf("%s: %g supplied, %g burnt, %g left, from %g to %g", gasColumns[first+4*k], supplied, burnt, left, was[k], present)
			}
			was[k] = present
		}
	}
}
