package run

import (
	"bytes"
	"context"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/programs"
	"breakwater/out/vdb"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// burning is a ring of fire before a dark background, in slow motion, with volumes in
// another unit and other axes than Blender's.
const burning = `
[time]
duration = 0.3
fps = 10
speed = 0.5
[gas]
cell = "8 cm"
viscosity = 0.001
[flame]
activation = 301.5
rate = 8
smoke_temperature = 2000
smoke_rate = 3
heat = 2e5
[[vortex]]
kind = "jet-ring"
radius = 0.3
thickness = 0.2
temperature = 320
fuel = 0.5
smoke = 0.05
[tracers]
per_cell = 64
[picture]
size = [96, 54]
floor = "black"
[camera]
eye = [1.2, 1, 2]
target = [0.2, 0.1, 0]
[light]
sun = 0.1
sky = 0.05
[look]
kind = "fire"
stretch = 16
[volume]
formats = ["vdb"]
grids = ["density", "flame", "fuel", "temperature", "vel"]
up = "y"
unit = "cm"
[video]
formats = []
`

// gasInBlender is what gas_in_blender.py prints of a frame.
type gasInBlender struct {
	Frame    int
	Fault    string
	Velocity []any
	Grids    map[string]string
	Nodes    []string
	Min, Max triple
	Light    []float64 // middle of the light in pixels, and the brightest
}

// Blender has the volume of the gas at its place and of its size in each frame, with the
// velocity for motion blur, and Cycles draws the light of the flames where our picture has
// it.
func TestGasInBlender(t *testing.T) {
	longtest.Only(t)
	s, err := scenes.Read("shot.toml", []byte(burning))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Out: t.TempDir()}
	if err := Run(context.Background(), s, opt, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	name, notices, err := Script(s, opt, "blender")
	if err != nil || len(notices) > 0 {
		t.Fatal(notices, err)
	}
	seen := programs.Seen[gasInBlender](t, programs.Run(t, nil, "blender", "-b", "--factory-startup", "--python-exit-code", "1",
		"--python", filepath.Join(opt.Out, name), "--python", "testdata/scripts/gas_in_blender.py"))
	if len(seen) != s.Time.Frames() {
		t.Fatalf("%d frames", len(seen))
	}
	for i, g := range seen {
		if g.Fault != "" || len(g.Grids) != 5 || g.Grids["temperature"] != "FLOAT" || g.Grids["vel"] != "VECTOR_FLOAT" || !slices.Contains(g.Nodes, "PRINCIPLED_VOLUME") {
			t.Errorf("frame %d: %v of %v, %s", g.Frame, g.Grids, g.Nodes, g.Fault)
		}
		if g.Velocity[0] != "vel" || g.Velocity[1] != "SECOND" || g.Velocity[2] != 0.5 {
			t.Errorf("frame %d: the velocity is %v", g.Frame, g.Velocity)
		}
		lo, hi := leafBox(t, filepath.Join(opt.Out, "volumes", []string{"shot_0001.vdb", "shot_0002.vdb", "shot_0003.vdb"}[i]))
		for a, k := range [3]int{0, 2, 1} { // z up, and −z of ours is y
			from, to := lo[k], hi[k]
			if a == 1 {
				from, to = -hi[k], -lo[k]
			}
			if math.Abs(g.Min[a]-from) > 1e-5 || math.Abs(g.Max[a]-to) > 1e-5 {
				t.Errorf("frame %d: from %v to %v, want %v to %v of y up", g.Frame, g.Min, g.Max, lo, hi)
			}
		}
	}
	x, y := brightMiddle(t, filepath.Join(opt.Out, "frames", "shot_0003.png"))
	l := seen[len(seen)-1].Light
	if math.Abs(l[0]-x) > 1.5 || math.Abs(l[1]-y) > 1.5 || l[2] < 0.3 {
		t.Errorf("the flames shine at %.1f, %.1f with up to %.2f, in our picture at %.1f, %.1f", l[0], l[1], l[2], x, y)
	}
}

// leafBox returns the box of the voxels in the leaves of a volume's smoke in m, which is the
// box that Blender has.
func leafBox(t *testing.T, path string) (lo, hi triple) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := vdb.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	g := f.Grids[0]
	if err := f.Load(g); err != nil {
		t.Fatal(err)
	}
	lo, hi = triple{math.Inf(1), math.Inf(1), math.Inf(1)}, triple{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i := range g.Leaves {
		l := &g.Leaves[i]
		for _, n := range []int{0, vdb.Count - 1} {
			x := g.Map.At([3]float64{float64(int(l.At[0]) + n>>6), float64(int(l.At[1]) + n>>3&7), float64(int(l.At[2]) + n&7)})
			for a := range x {
				lo[a], hi[a] = min(lo[a], x[a]/100), max(hi[a], x[a]/100)
			}
		}
	}
	return lo, hi
}

// brightMiddle returns the middle of the bright part of a picture, in pixels.
func brightMiddle(t *testing.T, path string) (x, y float64) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.
	for j := range img.Bounds().Dy() {
		for i := range img.Bounds().Dx() {
			r, _, _, _ := img.At(i, j).RGBA()
			w := max(0, float64(r)/65535-0.25)
			x, y, sum = x+w*float64(i), y+w*float64(j), sum+w
		}
	}
	return x / sum, y / sum
}

// A script has the volumes of a gas if all its frames have them, and says what to do if not.
func TestGasScriptVolumes(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	for settings, want := range map[string]string{
		"":                                      `add formats = ["vdb"] under [volume]`,
		"grids = [\"flame\"]\n":                 `with the grid "density"`,
		"keep = \"every 2nd\"\n":                `run the scene again with keep = "all" under [volume]`,
		"voxel = 1\nup = \"y\"\nunit = \"m\"\n": `"first":"fire_0001.vdb","frames":2,"grids":["density","temperature","velocity","flame"],"z_up":false,"unit":1,"folder":"volumes","velocity":"velocity","extinction":60,`,
	} {
		s := volumeScene(t, settings)
		if settings == "" {
			s = noVolumes(t)
		}
		opt := Options{Out: dir, Last: 2, Stages: []stage.Name{stage.Sim, stage.Export}}
		if err := Run(context.Background(), s, opt, func(stage.Event) {}); err != nil {
			t.Fatal(err)
		}
		name, notices, err := Script(s, opt, "blender")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text)+strings.Join(notices, "\n"), want) {
			t.Errorf("%q: neither the script nor the notices %q have %s: %v", settings, notices, want, err)
		}
	}
}

// noVolumes is the scene of volumeScene without them.
func noVolumes(t *testing.T) *scenes.Scene {
	t.Helper()
	text := strings.NewReplacer("SOLVER", "gourlay", `formats = ["vdb"]`, "formats = []", "size = [64, 36]", "size = [160, 90]").Replace(fire)
	s, err := scenes.Read("fire.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
