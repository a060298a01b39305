package parcels

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/scenes"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/sim/whitewater"
	"breakwater/surface/mesh"
)

// breaking is a small dam break that makes drops and bubbles.
const breaking = `
[time]
duration = 1.4
fps = 20
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.8, 0.2]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [0.8, 2, 0.2]
[particles]
formats = ["vtp"]
attributes = ["density"]
up = "y"
unit = "m"
[whitewater]
onset = "0.1 m/s"
group = 10
detail = 5
`

const frames = 28 // in the last half the wave that fell back catches air

// lastName returns the name of the file of whitewater for the last of the particle files.
func lastName(name, ending string) string {
	return fmt.Sprintf("%s_whitewater_%04d%s", name, frames-1, ending)
}

// settings are the whitewater and the liquid of breaking.
var settings = []Setting{{"spacing", "5 cm"}, {"onset", "0.1 m/s"}, {"group", "10"}, {"detail", "5"}}

// tank is the wall of breaking.
var tank = vec.Box{Max: vec.New(0.8, 2, 0.2)}

var scene struct {
	once   sync.Once
	points [][]byte // of the frames, as vtp
	states [][]byte // of the whitewater
	err    error
}

// sceneRun runs breaking once, for all tests.
func sceneRun(t *testing.T) (points, states [][]byte) {
	t.Helper()
	scene.once.Do(func() {
		dir := t.TempDir()
		s, err := scenes.Read("breaking.toml", []byte(breaking))
		if err == nil {
			err = run.Run(context.Background(), s, run.Options{Out: dir, Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}}, func(stage.Event) {})
		}
		for n := 1; n <= frames && err == nil; n++ {
			var p, w []byte
			var f *out.Frame
			if p, err = os.ReadFile(filepath.Join(dir, "points", fmt.Sprintf("breaking_%04d.vtp", n))); err != nil {
				break
			}
			if w, err = os.ReadFile(filepath.Join(dir, "whitewater", fmt.Sprintf("breaking_%04d.parcels", n))); err != nil {
				break
			}
			if f, err = stateFormat.Decode(bytes.NewReader(w)); err != nil {
				break
			}
			scene.points, scene.states = append(scene.points, p), append(scene.states, f.State)
		}
		scene.err = err
	})
	if scene.err != nil {
		t.Fatal(scene.err)
	}
	return scene.points, scene.states
}

// foreign writes the particles of breaking as another program does, by their numbers, with the columns of the
// header, and returns a pattern of the files. without leaves out the particles for which it
// returns true; nil leaves out none.
func foreign(t *testing.T, header string, without func(frame int, p point) bool) string {
	t.Helper()
	points, _ := sceneRun(t)
	dir := t.TempDir()
	for i, data := range points {
		var b bytes.Buffer
		fmt.Fprintln(&b, header)
		list := particlesOf(t, "p.vtp", data)
		slices.SortFunc(list, func(a, b point) int { return cmp.Compare(a.field["id"], b.field["id"]) })
		for _, p := range list {
			if without != nil && without(i, p) {
				continue
			}
			var cells []string
			for _, name := range strings.Split(header, ",") {
				cells = append(cells, fmt.Sprint(map[string]float64{
					"x": p.x.X, "y": p.x.Y, "z": p.x.Z, "vx": p.v.X, "vy": p.v.Y, "vz": p.v.Z, "id": p.field["id"], "density": p.field["density"],
				}[name]))
			}
			fmt.Fprintln(&b, strings.Join(cells, ","))
		}
		write(t, filepath.Join(dir, fmt.Sprintf("fluid_%d.csv", i)), b.Bytes())
	}
	return filepath.Join(dir, "fluid_{}.csv")
}

// point is a particle of a file.
type point struct {
	x, v  vec.Vec3
	field map[string]float64
}

func particlesOf(t *testing.T, name string, data []byte) (list []point) {
	t.Helper()
	cloud, err := particles.Read(name, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range cloud.X {
		p := point{x: x, field: map[string]float64{}}
		for _, f := range cloud.Fields {
			if f.Vector != nil {
				p.v = f.Vector[i]
			} else {
				p.field[f.Name] = f.Scalar[i]
			}
		}
		list = append(list, p)
	}
	return list
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// options are for the files of breaking, with output in a folder of their own.
func options(t *testing.T, files string) Options {
	box := tank
	return Options{Files: []string{files}, First: -1, Last: -1, Settings: settings, Box: &box, Out: filepath.Join(t.TempDir(), "out"), FPS: 20}
}

// do runs opt, and returns the last event of the whitewater and all messages.
func do(t *testing.T, opt Options) (last stage.Event, said string, err error) {
	t.Helper()
	err = Run(t.Context(), opt, func(e stage.Event) {
		if e.Message != "" {
			said += e.Message + "\n"
		}
		if e.Stage == stage.Whitewater && e.Done {
			last = e
		}
	})
	return last, said, err
}

func mustDo(t *testing.T, opt Options) (last stage.Event, said string) {
	t.Helper()
	last, said, err := do(t, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return last, said
}

// stateOf returns the bytes of the state in a file.
func stateOf(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := stateFormat.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return f.State
}

// scenePattern writes the files of the run of breaking, and returns a pattern of them.
func scenePattern(t *testing.T) string {
	t.Helper()
	points, _ := sceneRun(t)
	dir := t.TempDir()
	for i, data := range points {
		write(t, filepath.Join(dir, fmt.Sprintf("breaking_%04d.vtp", i+1)), data)
	}
	return filepath.Join(dir, "breaking_*.vtp")
}

// The particles of a run give the whitewater of the run, bit for bit, with any number of
// threads and after any stop.
func TestSceneParticles(t *testing.T) {
	longtest.Only(t)
	_, states := sceneRun(t)
	opt := options(t, scenePattern(t))
	same := func(what string) {
		t.Helper()
		for i, want := range states {
			if got := stateOf(t, opt.Out, fmt.Sprintf("breaking_whitewater_%04d.parcels", i+1)); !bytes.Equal(got, want) {
				t.Errorf("%s: frame %d has other parcels than the run of the scene", what, i+1)
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var stopped *stage.Interrupted
	err := Run(ctx, opt, func(e stage.Event) {
		if e.Frame == 5 {
			stop()
		}
	})
	if !errors.As(err, &stopped) || stopped.Frame != 7 || stopped.Last != frames {
		t.Fatalf("a stop gave %v", err)
	}
	if e, _ := mustDo(t, opt); e.Kept != 6 || e.Made != frames-6 {
		t.Errorf("after the stop, kept %d and made %d", e.Kept, e.Made)
	}
	same("after a stop")
	if e, _ := mustDo(t, opt); e.Kept != frames || e.Made != 0 {
		t.Errorf("once more, kept %d and made %d", e.Kept, e.Made)
	}
	if state, err := whitewater.ReadState(states[frames-1]); err != nil || state.Parcels.Len() < 100 {
		t.Fatalf("%v: nothing breaks", err)
	}

	damage := func(n int) { // unnoticed until the file is read
		path := filepath.Join(opt.Out, fmt.Sprintf("breaking_whitewater_%04d.parcels", n))
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-40] ^= 1
		write(t, path, data)
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	damage(4)
	damage(5)
	if err := os.Remove(filepath.Join(opt.Out, "breaking_whitewater_0006.parcels")); err != nil {
		t.Fatal(err)
	}
	if _, said := mustDo(t, opt); !strings.Contains(said, "0005.parcels is damaged: made again") || !strings.Contains(said, "0004.parcels is damaged") {
		t.Errorf("said %s", said)
	}
	same("after damage")
	damage(9)
	opt.Formats = []string{"abc"}
	if _, said, err := do(t, opt); err == nil || !strings.Contains(err.Error(), "run the same command again") {
		t.Errorf("an archive of a damaged state: %v\n%s", err, said)
	}
	mustDo(t, opt)
	same("after damage that an archive found")

	old := runtime.GOMAXPROCS(1)
	opt.Force = true
	mustDo(t, opt)
	runtime.GOMAXPROCS(old)
	same("one thread")
	opt.Force = false

	// Another file changes all frames from there on, and a setting changes all.
	points, _ := sceneRun(t)
	write(t, filepath.Join(filepath.Dir(opt.Files[0]), "breaking_0008.vtp"), points[6])
	if e, _ := mustDo(t, opt); e.Kept != 7 || e.Made != frames-7 {
		t.Errorf("for another file 8, kept %d and made %d", e.Kept, e.Made)
	}
	opt.Settings = append(opt.Settings[:len(opt.Settings):len(opt.Settings)], Setting{"foam_life", "0.5"})
	if e, _ := mustDo(t, opt); e.Made != frames {
		t.Errorf("for another life of foam, made %d", e.Made)
	}
}

// A closed mesh of the tank gives about the parcels that the box gives, and is found to be a
// tank.
func TestWallMesh(t *testing.T) {
	longtest.Only(t)
	pattern := scenePattern(t)
	opt := options(t, pattern)
	box := &boundary.Box{Min: tank.Min, Max: tank.Max}
	pos, tri := cuboid(box.Min, box.Max)
	opt.Box = nil
	opt.Walls = []string{filepath.Join(t.TempDir(), "tank.obj")}
	var b bytes.Buffer
	for _, p := range pos {
		fmt.Fprintln(&b, "v", p.X, p.Y, p.Z)
	}
	for _, f := range tri {
		fmt.Fprintln(&b, "f", f[0]+1, f[1]+1, f[2]+1)
	}
	write(t, opt.Walls[0], b.Bytes())
	if _, said := mustDo(t, opt); !strings.Contains(said, "tank.obj: a tank") {
		t.Errorf("said %s", said)
	}
	last := lastState(t, opt.Out, fmt.Sprintf("breaking_whitewater_%04d.parcels", frames))
	for i := range last.Parcels.Len() {
		if x := last.Parcels.At(i); x.X < -1e-3 || x.X > 0.801 || x.Y < -1e-3 || x.Z < -1e-3 || x.Z > 0.201 {
			t.Fatalf("parcel %d at %v is not in the tank", i, x)
		}
	}
	near(t, "with a mesh of the tank", last, 0.1)
}

// cuboid returns a box as triangles.
func cuboid(low, high vec.Vec3) ([]vec.Vec3, [][3]int32) {
	m := mesh.Mesh{}
	for k := range 8 {
		p := low
		if k&1 != 0 {
			p.X = high.X
		}
		if k&2 != 0 {
			p.Y = high.Y
		}
		if k&4 != 0 {
			p.Z = high.Z
		}
		m.Pos = append(m.Pos, p)
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Tri = append(m.Tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m.Pos, m.Tri
}

func lastState(t *testing.T, dir, name string) *whitewater.State {
	t.Helper()
	s, err := whitewater.ReadState(stateOf(t, dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// near reports an error if the volumes of air and of spray that a run made differ by more
// than a share from the run of the scene.
func near(t *testing.T, what string, got *whitewater.State, share float64) {
	t.Helper()
	_, states := sceneRun(t)
	want, err := whitewater.ReadState(states[frames-1])
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string][2]float64{
		"air": {got.Budget.Entrained, want.Budget.Entrained}, "spray": {got.Budget.Sprayed, want.Budget.Sprayed},
	} {
		if !(v[1] > 0) || math.Abs(v[0]/v[1]-1) > share {
			t.Errorf("%s: %s of %.3g m³, want %.3g", what, name, v[0], v[1])
		}
	}
}

// What files lack is made of the rest: densities by sums, velocities by differences, numbers
// by the order.
func TestLacking(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		header, says string
		share        float64
	}{
		{"id,x,y,z,vx,vy,vz,density", "", 0.01},
		{"id,x,y,z,vx,vy,vz", "densities are summed", 0.3},
		{"x,y,z,vx,vy,vz,density", "has no ids: particles are matched by their order", 0.01},
		{"id,x,y,z,density", "has no velocities: they are the differences", 0.6}, // frames this coarse smooth the impacts
	} {
		opt := options(t, foreign(t, c.header, nil))
		_, said := mustDo(t, opt)
		if !strings.Contains(said, c.says) {
			t.Errorf("%s: said %s", c.header, said)
		}
		near(t, c.header, lastState(t, opt.Out, lastName("fluid", ".parcels")), c.share)
	}
}

// Velocities by difference are exact for constant acceleration, also where a file is missing.
func TestVelocities(t *testing.T) {
	dir := t.TempDir()
	at := func(k int, dt float64) vec.Vec3 { return vec.New(1+2*dt, 3-4.5*dt*dt, float64(k)) }
	for _, n := range []int{0, 1, 2, 4} {
		text := "id,x,y,z\n"
		for k := range 3 {
			if k == 2 && n == 0 {
				continue // it comes later
			}
			x := at(k, 0.1*float64(n))
			text += fmt.Sprintf("%d,%v,%v,%v\n", k, x.X, x.Y, x.Z)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("p%d.csv", n)), []byte(text))
	}
	r, err := newRunner(Options{Files: []string{filepath.Join(dir, "p{}.csv")}, First: -1, Last: -1, Settings: []Setting{{"spacing", "1"}}, Interval: 0.1, Out: dir}, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	defer r.dir.Close()
	for i, want := range [][]float64{{-0.45, -0.45}, {-0.9, -0.9, -1.35}, {-1.8, -1.8, -1.8}, {-2.7, -2.7, -2.7}} {
		f, err := r.frame(i)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range f.V {
			if id := f.ID[k]; v.Sub(vec.New(2, want[id], 0)).Len() > 1e-9 {
				t.Errorf("file %d: particle %d has the velocity %v, want (2, %g, 0)", i, id, v, want[id])
			}
		}
	}
}

// Files with another up axis and another unit give the same whitewater, in their axes.
func TestAxes(t *testing.T) {
	longtest.Only(t)
	points, states := sceneRun(t)
	dir := t.TempDir()
	for i, data := range points {
		var b bytes.Buffer
		fmt.Fprintln(&b, "id,x,y,z,vx,vy,vz,density")
		for _, p := range particlesOf(t, "p.vtp", data) {
			fmt.Fprintf(&b, "%g,%g,%g,%g,%g,%g,%g,%g\n", p.field["id"], 1000*p.x.X, -1000*p.x.Z, 1000*p.x.Y, 1000*p.v.X, -1000*p.v.Z, 1000*p.v.Y, p.field["density"])
		}
		write(t, filepath.Join(dir, fmt.Sprintf("p%d.csv", i)), b.Bytes())
	}
	opt := options(t, filepath.Join(dir, "p*.csv"))
	opt.Axes = out.Axes{ZUp: true, Unit: 0.001}
	opt.Box = &vec.Box{Min: vec.New(0, -200, 0), Max: vec.New(800, 0, 2000)}
	opt.Settings = append([]Setting{{"gravity", "0,0,-9.81"}}, opt.Settings...)
	opt.Formats = []string{"csv"}
	mustDo(t, opt)
	last := lastState(t, opt.Out, lastName("p", ".parcels"))
	near(t, "z up in mm", last, 0.01)
	if want, err := whitewater.ReadState(states[frames-1]); err != nil || math.Abs(float64(want.Parcels.Len()-last.Parcels.Len())) > 0.01*float64(want.Parcels.Len()) {
		t.Errorf("%d parcels, want %d (%v)", last.Parcels.Len(), want.Parcels.Len(), err)
	}
	windy := opt
	windy.Settings = append([]Setting{{"wind", "1,-3,2"}}, opt.Settings...)
	r, err := newRunner(windy, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	r.dir.Close()
	if r.set.Wind != vec.New(1, 2, 3) || r.set.Gravity != vec.New(0, -9.81, 0) {
		t.Errorf("wind of %v m/s and gravity of %v m/s²", r.set.Wind, r.set.Gravity)
	}
	data, err := os.ReadFile(filepath.Join(opt.Out, lastName("p", ".csv")))
	if err != nil || !bytes.Contains(data, []byte("z up, millimetres")) {
		t.Fatalf("%v: no axes in the file", err)
	}
	for i, p := range particlesOf(t, "p.csv", data) {
		x := last.Parcels.At(i)
		if p.x.Sub(vec.New(1000*x.X, -1000*x.Z, 1000*x.Y)).Len() > 1e-3 || math.Abs(p.field["width"]-2000*last.Parcels.Shown(i)) > 1e-5*p.field["width"] {
			t.Fatalf("parcel %d at %v mm, %g mm wide, want %v m and %g m", i, p.x, p.field["width"], x, 2*last.Parcels.Shown(i))
		}
	}
}

// Each format has what the state has, and is made from it without the particles' way.
func TestFormats(t *testing.T) {
	longtest.Only(t)
	opt := options(t, scenePattern(t))
	mustDo(t, opt)
	opt.Formats = []string{"csv", "npz", "ply", "vtp", "abc", "usda", "pvd", "vdb"}
	before := stateOf(t, opt.Out, "breaking_whitewater_0009.parcels")
	if e, _ := mustDo(t, opt); e.Made != frames {
		t.Errorf("made %d frames", e.Made)
	}
	if !bytes.Equal(stateOf(t, opt.Out, "breaking_whitewater_0009.parcels"), before) {
		t.Error("other formats changed the parcels")
	}
	state := lastState(t, opt.Out, "breaking_whitewater_0009.parcels")
	for _, ext := range []string{"csv", "npz", "ply", "vtp"} {
		name := "breaking_whitewater_0009." + ext
		data, err := os.ReadFile(filepath.Join(opt.Out, name))
		if err != nil {
			t.Fatal(err)
		}
		list := particlesOf(t, name, data)
		if len(list) != state.Parcels.Len() {
			t.Fatalf("%s has %d parcels, want %d", ext, len(list), state.Parcels.Len())
		}
		for i, p := range list {
			width, kind := 2*state.Parcels.Shown(i), float64(state.Parcels.Kind[i].Kind())
			if p.x.Sub(state.Parcels.At(i)).Len() > 1e-6 || p.v.Sub(state.Parcels.Velocity(i)).Len() > 1e-5 ||
				math.Abs(p.field["width"]-width) > 1e-6*width || p.field["kind"] != kind || p.field["id"] != float64(state.Parcels.ID[i]) {
				t.Fatalf("%s: parcel %d is %+v, want it at %v, %g m wide, of kind %g", ext, i, p, state.Parcels.At(i), width, kind)
			}
		}
	}
	vdb, err := os.ReadFile(filepath.Join(opt.Out, "breaking_whitewater_0009.vdb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range out.ParcelGrids {
		if !bytes.Contains(vdb, []byte(name)) {
			t.Errorf("the volume has no grid %s", name)
		}
	}
	for _, a := range []string{"abc", "usda", "pvd"} {
		path := filepath.Join(opt.Out, "breaking_whitewater."+a)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", a, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(opt.Out, "breaking_whitewater.pvd")); err != nil || !strings.Contains(string(text), `timestep="0.4"`) || !strings.Contains(string(text), "breaking_whitewater_0009.vtp") {
		t.Errorf("%v: the list is %s", err, text)
	}
}

// Where files are missing, more time passes.
func TestMissingFiles(t *testing.T) {
	opt := options(t, scenePattern(t))
	if err := os.Remove(filepath.Join(filepath.Dir(opt.Files[0]), "breaking_0004.vtp")); err != nil {
		t.Fatal(err)
	}
	opt.Last = 6
	_, said := mustDo(t, opt)
	if !strings.Contains(said, "missing: 4") {
		t.Errorf("said %s", said)
	}
	if s := lastState(t, opt.Out, "breaking_whitewater_0006.parcels"); s.Time != 0.25 || s.Steps != 4 {
		t.Errorf("the last frame is at %g s, after %d steps", s.Time, s.Steps)
	}
}

// A spacing that the particles cannot have is reported. Without one it is estimated.
func TestSpacing(t *testing.T) {
	pattern := scenePattern(t)
	for spacing, warns := range map[string]bool{"0.05": false, "0.045": false, "0.5 cm": true, "10 cm": true} {
		opt := options(t, pattern)
		opt.Settings, opt.Last = []Setting{{"spacing", spacing}}, 2
		if _, said := mustDo(t, opt); strings.Contains(said, "particles of") != warns {
			t.Errorf("%s: said %q", spacing, said)
		}
	}
	opt := options(t, pattern)
	opt.Settings, opt.Last = nil, 2
	if _, said := mustDo(t, opt); !strings.Contains(said, "spacing 0.0") || !strings.Contains(said, "m, estimated from") {
		t.Errorf("said %q", said)
	}
}

// Errors name the file and the fault.
func TestErrors(t *testing.T) {
	all := "id,x,y,z,vx,vy,vz,density"
	pattern := foreign(t, all, nil)
	for name, c := range map[string]struct {
		change func(t *testing.T, opt *Options)
		says   string
		usage  bool
	}{
		"particles come without ids": {func(t *testing.T, opt *Options) {
			opt.Files[0] = foreign(t, "x,y,z,vx,vy,vz", func(i int, p point) bool { return i == 3 && p.field["id"] == 7 })
		}, "fluid_3.csv: it has 511 particles", false},
		"another order without ids": {func(t *testing.T, opt *Options) {
			opt.Files[0] = foreign(t, "x,y,z,vx,vy,vz", nil)
			path := filepath.Join(filepath.Dir(opt.Files[0]), "fluid_2.csv")
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(data)), "\n")
			for i := 1; i <= (len(lines)-1)/2; i++ {
				lines[i], lines[len(lines)-i] = lines[len(lines)-i], lines[i]
			}
			write(t, path, []byte(strings.Join(lines, "\n")+"\n"))
		}, "fluid_2.csv: ", false},
		"a number twice": {func(t *testing.T, opt *Options) {
			opt.Files[0] = foreign(t, all, nil)
			path := filepath.Join(filepath.Dir(opt.Files[0]), "fluid_1.csv")
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, append(data, []byte("7,9,9,9,0,0,0,1000\n")...))
		}, "two particles have the id 7", false},
		"no velocities in one": {func(t *testing.T, opt *Options) {
			opt.Files[0] = foreign(t, all, nil)
			write(t, filepath.Join(filepath.Dir(opt.Files[0]), "fluid_4.csv"), []byte("id,x,y,z,density\n1,0,0,0,1000\n"))
		}, "fluid_4.csv: it has no velocities", false},
		"one file":  {func(_ *testing.T, opt *Options) { opt.First, opt.Last = 3, 3 }, "two particle files", true},
		"a format":  {func(_ *testing.T, opt *Options) { opt.Formats = []string{"obj"} }, `"obj" is not a format of whitewater`, true},
		"a setting": {func(_ *testing.T, opt *Options) { opt.Settings = []Setting{{"foam_lif", "3"}} }, "foam_life", true},
		"a list":    {func(_ *testing.T, opt *Options) { opt.Settings = []Setting{{"drop", "0.004,0.001"}} }, "drop has the radii", true},
		"no wall":   {func(_ *testing.T, opt *Options) { opt.Walls = []string{"none.obj"} }, "none.obj", true},
		"a rate":    {func(_ *testing.T, opt *Options) { opt.FPS = 1e9 }, "frames per second", true},
	} {
		t.Run(name, func(t *testing.T) {
			opt := options(t, pattern)
			c.change(t, &opt)
			_, said, err := do(t, opt)
			var wrong UsageError
			if err == nil || !strings.Contains(err.Error(), c.says) || errors.As(err, &wrong) != c.usage {
				t.Errorf("got %v, want %q\n%s", err, c.says, said)
			}
		})
	}
}

// Lists and vectors have commas.
func TestSettings(t *testing.T) {
	s, err := readSettings([]Setting{{"drop", "0.0005,0.002"}, {"wind", "[1, 0, -2]"}, {"sources", "strays, crests"}, {"spacing", "2 cm"}, {"viscosity", "1e-5"}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Drop[0] != 0.0005 || s.Drop[1] != 0.002 || s.Wind != vec.New(1, 0, -2) || len(s.Sources) != 2 || s.Sources[1] != "crests" || s.Spacing != 0.02 || s.Viscosity != 1e-5 {
		t.Errorf("got %+v", s)
	}
}
