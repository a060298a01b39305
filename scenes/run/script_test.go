package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/programs"
	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// fullTankScene is a frame of a tank full of water, without a camera.
const fullTankScene = `
[time]
duration = 0.04
fps = 24
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.5, 0.4]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.5, 0.4]
[picture]
size = [64, 36]
`

// scriptScene has a wall that turns, a body that floats, and a camera that goes
// from key to key while it is turned, in slow motion.
const scriptScene = `
[time]
duration = 0.1666
fps = 24
speed = 0.5
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.4, 0.4]
velocity = [0.5, 0, 0.2]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [1, 0.8, 0.4]
open = ["x+"]
material = "matte"
[[wall]]
kind = "box"
inside = false
material = "metal"
min = [0.7, 0, 0.1]
max = [0.8, 0.2, 0.3]
[wall.motion]
axis = [0, 1, 0]
center = [0.75, 0, 0.2]
turn = 90
[[body]]
kind = "box"
name = "crate"
min = [0, 0, 0]
max = [0.15, 0.15, 0.15]
position = [0.55, 0.3, 0.2]
rotation = [0, 20, 0]
density = 400
material = "wood"
color = [0.5, 0.3, 0.1]
[mesh]
formats = ["plymesh"]
quads = true
gzip = true
[picture]
size = [320, 200]
shutter = 180
[camera]
eye = [2, 1, 3]
target = [0.5, 0.3, 0.2]
orbit = 90
aperture = 4
[[camera.key]]
time = 0
[[camera.key]]
time = 0.16
eye = [2.5, 0.4, 2]
focal = 60
roll = 30
`

const scriptFrames = 4

// scriptSees is a program's data of a frame.
type scriptSees struct {
	Frame    int
	Size     [2]float64
	FPS      float64
	Focal    float64
	Blur     float64
	Caustics []bool // of Blender: the sun, the liquid, the floor
	Time     float64
	ToSun    *triple `json:"to_sun"`
	Text     string
	Pixels   [][2]float64
	Objects  map[string]struct {
		Vertices int
		Volume   float64
		Sizes    []int
		Min, Max triple
		Velocity *triple
		Nodes    []string
	}
}

// Each program has the camera, the liquid with its velocities, and the solids
// where the picture has them, in every frame.
func TestScripts(t *testing.T) {
	longtest.Only(t)
	s, err := scenes.Read("shot.toml", []byte(scriptScene))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	opt := Options{Out: dir, Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh}}
	var lacks *NotMade
	if _, _, err := Script(s, opt, "blender"); !errors.As(err, &lacks) || lacks.Stage != stage.Mesh {
		t.Errorf("without meshes: %v", err)
	}
	r := ran(t, s, opt)
	points := []vec.Vec3{{}, {X: 1}, {Y: 0.8, Z: 0.4}, {X: 0.55, Y: 0.3, Z: 0.2}, {X: 1, Y: 0.4, Z: 0.4}}
	var list []triple
	for _, p := range points {
		list = append(list, tripleOf(p))
	}
	places, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string][]string{
		"blender":  {"blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python", "SCRIPT", "--python", "testdata/scripts/seen_in_blender.py", "--"},
		"paraview": {"pvpython", "testdata/scripts/seen_in_paraview.py", "SCRIPT"},
		"houdini":  {"pvpython", "testdata/scripts/seen_in_houdini.py", "SCRIPT"},
	}
	// open has a program run its script, and returns the program's data of each frame.
	open := func(t *testing.T, program, script string) []scriptSees {
		t.Helper()
		command := commands[program]
		args := append(slices.Clone(command[1:]), string(places))
		args[slices.Index(args, "SCRIPT")] = filepath.Join(dir, script)
		var env []string
		if program == "paraview" {
			env = []string{"DISPLAY=" + display(t)}
		}
		got := programs.Seen[scriptSees](t, programs.Run(t, env, command[0], args...))
		if program == "blender" {
			last := got[len(got)-1]
			got = got[:len(got)-1]
			if want := got[1].Objects["liquid"].Vertices; last.Text != "shot_breakwater.py" || last.Objects["liquid"].Vertices != want {
				t.Errorf("opened again, the file shows %+v in frame 2, want %d vertices", last, want)
			}
		}
		if len(got) != scriptFrames {
			t.Fatalf("%d frames, want %d", len(got), scriptFrames)
		}
		return got
	}
	for program := range commands {
		t.Run(program, func(t *testing.T) {
			name, notices, err := Script(s, opt, program)
			if err != nil || len(notices) > 0 {
				t.Fatal(err, notices)
			}
			got := open(t, program, name)
			for i, g := range got {
				r.compareScript(t, program, i+1, &g, points)
			}
		})
	}
	// Each runs by the commands of docs/EXPORT.md alone.
	for _, command := range []string{"pvpython", "pvbatch"} {
		t.Run(command, func(t *testing.T) {
			if says := programs.Run(t, []string{"DISPLAY=" + display(t)}, command, filepath.Join(dir, "shot_paraview.py")); strings.Contains(says, "Error") {
				t.Error(says)
			}
		})
	}
	// And so they have the surface cache, where there are no PLY files for them.
	if s, err = scenes.Read("shot.toml", []byte(strings.NewReplacer(`"plymesh"`, `"obj"`, "gzip = true\n", "").Replace(scriptScene))); err != nil {
		t.Fatal(err)
	}
	plain := ran(t, s, opt)
	for _, program := range []string{"houdini", "blender"} {
		t.Run(program+", surface", func(t *testing.T) {
			name, notices, err := Script(s, opt, program)
			if err != nil || len(notices) > 0 {
				t.Fatal(err, notices)
			}
			for i, g := range open(t, program, name) {
				plain.compareScript(t, program, i+1, &g, points)
			}
		})
	}
}

// In Cycles the panes of a tank, even at grazing angles, let the background through, and
// Blender shows it with the tone curve of a film.
func TestScriptPanes(t *testing.T) {
	if testing.Short() {
		t.Skip("Blender takes its time")
	}
	s, err := scenes.Read("shot.toml", []byte(fullTankScene+`
[camera]
eye = [1.4, 0.4, 1.1]
target = [0.2, 0.25, 0.2]
focal = 200
`))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Out: t.TempDir(), Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh}}
	if err := Run(context.Background(), s, opt, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	name, _, err := Script(s, opt, "blender")
	if err != nil {
		t.Fatal(err)
	}
	got := programs.Seen[struct {
		View    string
		Through float64
	}](t, programs.Run(t, nil, "blender", "-b", "--factory-startup", "--python-exit-code", "1",
		"--python", filepath.Join(opt.Out, name), "--python", "testdata/scripts/drawn_in_blender.py"))
	if len(got) != 1 {
		t.Fatalf("%d pictures", len(got))
	}
	if v := got[0].View; v != "AgX" && v != "Filmic" {
		t.Errorf("the view transform is %s", v)
	}
	if share := got[0].Through; !(share > 0.8 && share < 1) {
		t.Errorf("the panes let %.0f %% of the light pass", 100*share)
	}
	t.Logf("the panes let %.1f %% of the light pass", 100*got[0].Through)
}

// display starts an X server, which ParaView's views need, and returns its name.
func display(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := exec.Command(programs.Find(t, "Xvfb"), "-displayfd", "3", "-noreset", "-nolisten", "tcp") // whoever leaves last
	c.ExtraFiles = []*os.File{w}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Signal(os.Interrupt) // which lets it remove its socket
		c.Wait()
	})
	w.Close()
	number, err := bufio.NewReader(r).ReadString('\n') // once it is ready
	if err != nil {
		t.Fatalf("Xvfb: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}

// compareScript compares a program's data of frame n with the picture's.
func (r *runner) compareScript(t *testing.T, program string, n int, g *scriptSees, points []vec.Vec3) {
	t.Helper()
	s := r.scene
	w, h := s.Picture.Size[0], s.Picture.Size[1]
	if g.Frame != n || g.Size != [2]float64{float64(w), float64(h)} {
		t.Errorf("frame %d of %v pixels, want %d", g.Frame, g.Size, n)
	}
	if program != "paraview" && math.Abs(g.FPS-s.Time.FPS) > 1e-4 {
		t.Errorf("%g frames per second", g.FPS)
	}
	if program == "paraview" && math.Abs(g.Time-s.Time.Film(n)) > 1e-9 {
		t.Errorf("frame %d is at %g s of film", n, g.Time)
	}
	camera := r.built.Shot.At(s.Time.Film(n))
	for i, p := range points {
		x, y := camera.Point(p, w, h)
		if off := math.Hypot(g.Pixels[i][0]-x, g.Pixels[i][1]-y); !(off < 0.01) { // pixels
			t.Errorf("frame %d: %v is in pixel %v, want %g, %g", n, p, g.Pixels[i], x, y)
		}
	}
	if program == "blender" {
		toSun, _, _ := r.built.Light.Sunlight()
		if got := vec.New(g.ToSun[0], g.ToSun[1], g.ToSun[2]); got.Sub(toSun).Len() > 1e-5 {
			t.Errorf("the sun is at %v, want %v", got, toSun)
		}
		if len(g.Caustics) != 3 || slices.Contains(g.Caustics, false) {
			t.Errorf("frame %d: caustics %v", n, g.Caustics)
		}
		if math.Abs(g.Blur-0.5) > 1e-6 || math.Abs(g.Focal-camera.Focal) > 1e-4 {
			t.Errorf("frame %d: shutter %g, focal length %g mm, want 0.5 and %g", n, g.Blur, g.Focal, camera.Focal)
		}
	}
	file, _ := r.liquidFile(n)
	frame, err := r.readFrame(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.placeBodies(frame); err != nil {
		t.Fatal(err)
	}
	_, _, solids := r.built.At(s.Time.At(n))
	want := map[string]*mesh.Mesh{"liquid": frame.Mesh, "solid1": solids[0].Mesh, "crate": solids[1].Mesh}
	for name, m := range want {
		o, ok := g.Objects[name]
		if !ok {
			t.Errorf("no %s among %d objects", name, len(g.Objects))
			continue
		}
		box := m.Bounds()
		low, high := vec.New(o.Min[0], o.Min[1], o.Min[2]), vec.New(o.Max[0], o.Max[1], o.Max[2])
		if o.Vertices != len(m.Pos) || low.Sub(box.Min).Len() > 1e-5 || high.Sub(box.Max).Len() > 1e-5 || math.Abs(o.Volume/m.Volume()-1) > 1e-3 {
			t.Errorf("frame %d: %s has %d vertices and %g m³ from %v to %v, want %d, %g and %v", n, name, o.Vertices, o.Volume, low, high, len(m.Pos), m.Volume(), box)
		}
	}
	sizes := []int{3, 4}
	if path.Dir(file.name) == surfaceFolder {
		sizes = sizes[:1]
	}
	if o := g.Objects["liquid"]; !slices.Equal(o.Sizes, sizes) {
		t.Errorf("faces of %v corners, want %v", o.Sizes, sizes)
	}
	mean := vec.Vec3{}
	for _, v := range frame.Mesh.Vel {
		mean = mean.Add(v.Mul(s.Time.Speed / float64(len(frame.Mesh.Vel))))
	}
	if v := g.Objects["liquid"].Velocity; v == nil || vec.New(v[0], v[1], v[2]).Sub(mean).Len() > 1e-4 {
		t.Errorf("frame %d: a mean velocity of %v, want %v, of the film", n, v, mean)
	}
	// One side is open. The volume under the others, which face inward, is the tank's
	// less the cones to its top, bottom and that side.
	box := r.built.Tank.Box
	inside := -box.Volume() / 3
	if o := g.Objects["tank"]; o.Vertices != 12 || math.Abs(o.Volume/inside-1) > 0.02 {
		t.Errorf("the tank has %d vertices and %g m³, want 12 and %g", o.Vertices, o.Volume, inside)
	} else if program == "blender" && (!slices.Contains(o.Nodes, "BSDF_DIFFUSE") || !slices.Contains(o.Nodes, "BSDF_TRANSPARENT")) {
		t.Errorf("the tank is not walls from inside and clear from outside: %v", o.Nodes)
	}
}

// Looks that draw particles load them as particles, and the previous file stands in for a
// missing one.
func TestScriptOfParticles(t *testing.T) {
	longtest.NotShort(t)
	_, err := scenes.Read("shot.toml", []byte(scriptScene+"[look]\nkind = \"particles\"\n"))
	if err == nil {
		t.Fatal("particles are not blurred, and the scene is")
	}
	s, err := scenes.Read("shot.toml", []byte(strings.NewReplacer("shutter = 180\n", "", "aperture = 4\n", "").Replace(scriptScene)+"[look]\nkind = \"particles\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	opt := Options{Out: dir, Stages: []stage.Name{stage.Sim}}
	if err := Run(context.Background(), s, opt, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, ParticleFolder, store.FrameName("shot", 2, scriptFrames, "ply"))); err != nil {
		t.Fatal(err)
	}
	name, notices, err := Script(s, opt, "blender")
	if err != nil {
		t.Fatal(err)
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "1 frame of 1 to 4") {
		t.Errorf("notices %q", notices)
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"particles":true`, `"frames":[1,3,4]`, `"folder":"particles"`, `"radius":0.025`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the script lacks %s", want)
		}
	}
	again, _, err := Script(s, opt, "blender")
	if err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(filepath.Join(dir, again)); err != nil || !bytes.Equal(second, text) {
		t.Errorf("the script is not the same twice: %v", err)
	}
}
