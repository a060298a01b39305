package mesher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/scenes/stage"
	"breakwater/sim/heaptest"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

const radius = 0.05

// drop is a ball of particles in a disordered lattice, around a point.
func drop(at vec.Vec3, across float64, seed uint64) (x, v []vec.Vec3) {
	rng := rand.New(rand.NewPCG(seed, 1))
	const d = 2 * radius
	n := int(across/d) + 1
	for i := -n; i <= n; i++ {
		for j := -n; j <= n; j++ {
			for k := -n; k <= n; k++ {
				p := vec.New(float64(i), float64(j), float64(k)).Mul(d)
				if p.Len() > across/2 {
					continue
				}
				p = p.Add(vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Mul(0.2 * d))
				x, v = append(x, at.Add(p)), append(v, p.Mul(3))
			}
		}
	}
	return x, v
}

// csv writes particles with their velocities and their heights as a number.
func csv(x, v []vec.Vec3) []byte {
	var b bytes.Buffer
	b.WriteString("x,y,z,vx,vy,vz,height\n")
	for i := range x {
		fmt.Fprintf(&b, "%v,%v,%v,%v,%v,%v,%v\n", x[i].X, x[i].Y, x[i].Z, v[i].X, v[i].Y, v[i].Z, x[i].Y)
	}
	return b.Bytes()
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// run meshes and returns the events and the texts.
func run(t *testing.T, opt Options) (events []stage.Event, said string, err error) {
	t.Helper()
	if opt.First == 0 && opt.Last == 0 {
		opt.First, opt.Last = -1, -1
	}
	err = Run(context.Background(), opt, func(e stage.Event) {
		events = append(events, e)
		if e.Message != "" {
			said += e.Message + "\n"
		}
	})
	return events, said, err
}

// readMesh reads a PLY file that a run has made.
func readMesh(t *testing.T, path string) *mesh.Mesh {
	t.Helper()
	f := registrytest.New(t, &out.Formats, "plymesh")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	frame, err := f.(out.Decoder).Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return frame.Mesh
}

// TestRun meshes a sequence, keeps finished meshes, and makes changed ones again.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	var x, v []vec.Vec3
	for k := range 3 {
		x, v = drop(vec.New(0, float64(k), 0), 0.8, 1)
		write(t, filepath.Join(dir, fmt.Sprintf("fluid_%d.csv", 9+k)), csv(x, v))
	}
	opt := Options{Files: []string{filepath.Join(dir, "fluid_{}.csv")}, Out: filepath.Join(dir, "meshes"), Attributes: []string{"height"}}
	events, said, err := run(t, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "radius 0.0") {
		t.Errorf("the radius is not reported: %s", said)
	}
	last := events[len(events)-1]
	if !last.Done || last.Made != 3 || last.Kept != 0 {
		t.Errorf("at the end: %+v", last)
	}
	for k := range 3 {
		m := readMesh(t, filepath.Join(dir, "meshes", fmt.Sprintf("fluid_%d.ply", 9+k)))
		if err := m.Check(); err != nil {
			t.Error(err)
		}
		if got, want := m.Volume(), float64(len(x))*8*radius*radius*radius; math.Abs(got/want-1) > 0.2 {
			t.Errorf("volume %g, want about %g", got, want)
		}
		if len(m.Nrm) != len(m.Pos) || len(m.Vel) != len(m.Pos) {
			t.Errorf("%d normals and %d velocities for %d vertices", len(m.Nrm), len(m.Vel), len(m.Pos))
		}
		// The velocity is three times the way from the middle.
		for i, p := range m.Pos {
			if want := p.Sub(vec.New(0, float64(k), 0)).Mul(3); m.Vel[i].Sub(want).Len() > 0.4 {
				t.Fatalf("velocity %v at %v, want about %v", m.Vel[i], p, want)
			}
		}
		heights(t, filepath.Join(dir, "meshes", fmt.Sprintf("fluid_%d.ply", 9+k)), m)
	}

	events, _, err = run(t, opt)
	if last := events[len(events)-1]; err != nil || last.Kept != 3 || last.Made != 0 {
		t.Errorf("again: %+v, %v", last, err)
	}
	opt.Settings = []Setting{{"smoothing", "3"}}
	events, _, err = run(t, opt)
	if last := events[len(events)-1]; err != nil || last.Made != 3 {
		t.Errorf("with another setting: %+v, %v", last, err)
	}
	write(t, filepath.Join(dir, "fluid_10.csv"), csv(x[1:], v[1:]))
	opt.Radius = 0.05
	run(t, opt)
	write(t, filepath.Join(dir, "fluid_10.csv"), csv(x, v))
	if err := os.Truncate(filepath.Join(dir, "meshes", "fluid_11.ply"), 3000); err != nil {
		t.Fatal(err)
	}
	events, _, err = run(t, opt)
	if last := events[len(events)-1]; err != nil || last.Made != 2 || last.Kept != 1 {
		t.Errorf("with one file changed and one mesh cut short: %+v, %v", last, err)
	}
	opt.Force, opt.First, opt.Last = true, 10, -1
	events, _, err = run(t, opt)
	if last := events[len(events)-1]; err != nil || last.Made != 2 || last.Kept != 0 {
		t.Errorf("by force, from 10: %+v, %v", last, err)
	}
}

// heights compares the attribute of the vertices with where they are.
func heights(t *testing.T, path string, m *mesh.Mesh) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := particles.Read(path, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(p.Fields, func(f particles.Field) bool { return f.Name == "height" })
	if k < 0 {
		t.Fatalf("no height among %v", p.Names)
	}
	for i, h := range p.Fields[k].Scalar {
		if math.Abs(h-m.Pos[i].Y) > 2*radius {
			t.Fatalf("height %g at %v", h, m.Pos[i])
		}
	}
}

// TestStrays makes droplets of lone particles: each has the size that goes with
// its number, in whatever order the file has them, and they are counted.
func TestStrays(t *testing.T) {
	dir := t.TempDir()
	x, _ := drop(vec.Vec3{}, 1.2, 1)
	rows := make([]string, 0, len(x)+2)
	for i, p := range x {
		rows = append(rows, fmt.Sprintf("%d,%g,%g,%g\n", i, p.X, p.Y, p.Z))
	}
	rows = append(rows, "5000,3,0,0\n", "7001,0,3,0\n")
	meshOf := func(name string) *mesh.Mesh {
		write(t, filepath.Join(dir, name+".csv"), []byte("id,x,y,z\n"+strings.Join(rows, "")))
		opt := Options{Files: []string{filepath.Join(dir, name+".csv")}, Out: dir, Radius: radius, Settings: []Setting{{"strays", "drops"}}}
		events, _, err := run(t, opt)
		if err != nil {
			t.Fatal(err)
		}
		if e := events[len(events)-2]; e.Strays != 2 {
			t.Errorf("%s: found %+v", name, e)
		}
		return readMesh(t, filepath.Join(dir, name+".ply"))
	}
	volumes := func(m *mesh.Mesh) (all []float64) {
		_, pieces := m.Components()
		for _, p := range pieces {
			all = append(all, p.Volume)
		}
		slices.Sort(all)
		return all
	}
	a := volumes(meshOf("a"))
	slices.Reverse(rows)
	b := volumes(meshOf("b"))
	if len(a) != 3 || len(b) != 3 || a[1] < 1.1*a[0] || math.Abs(a[0]-b[0]) > 1e-4*b[0] || math.Abs(a[1]-b[1]) > 1e-4*b[1] {
		t.Errorf("volumes %.5g, in another order %.5g", a, b)
	}
}

// TestBadFiles has files that cannot be read among others: they are named, and
// the others are made.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	x, v := drop(vec.Vec3{}, 0.5, 1)
	good := csv(x, v)
	write(t, filepath.Join(dir, "f_1.csv"), good)
	write(t, filepath.Join(dir, "f_2.csv"), good[:len(good)-20])
	write(t, filepath.Join(dir, "f_3.csv"), []byte("x,y\n1,2\n"))
	write(t, filepath.Join(dir, "f_7.csv"), good)
	events, said, err := run(t, Options{Files: []string{filepath.Join(dir, "f_*.csv")}, Out: filepath.Join(dir, "m"), Radius: radius})
	if err == nil || !strings.Contains(err.Error(), "2 of 4 files could not be meshed") || !strings.Contains(err.Error(), "f_2.csv, ") {
		t.Errorf("the error is %v", err)
	}
	for _, want := range []string{"f_2.csv: csv: line", "f_3.csv: csv: no positions", "3 of the files 1-7 are missing: 4-6"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if last := events[len(events)-1]; last.Made != 2 {
		t.Errorf("at the end: %+v", last)
	}
}

// TestLeftOut has particles that cannot be meshed, and coordinates of all
// sizes.
func TestLeftOut(t *testing.T) {
	dir := t.TempDir()
	x, v := drop(vec.Vec3{}, 0.6, 2)
	want := slices.Clone(x)
	x = append(x, vec.New(math.NaN(), 0, 0), x[3], vec.New(0, math.Inf(1), 0), x[5], x[5], x[0])
	for len(v) < len(x) {
		v = append(v, vec.New(math.NaN(), 0, 0))
	}
	n := len(want)
	v[4].Y = math.Inf(-1)
	write(t, filepath.Join(dir, "bad.csv"), csv(x, v))
	write(t, filepath.Join(dir, "good.csv"), csv(want, make([]vec.Vec3, n)))
	opt := Options{Files: []string{filepath.Join(dir, "*.csv")}, Out: filepath.Join(dir, "m"), Radius: radius}
	_, said, err := run(t, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf("left out 2 particles with positions that are not finite: %d, %d;", n, n+2),
		fmt.Sprintf("left out 4 particles at the position of an earlier one: %d, %d, %d, …", n+1, n+3, n+4),
		"1 particle with velocities that are not finite: 4",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	a, b := readMesh(t, filepath.Join(dir, "m", "bad.ply")), readMesh(t, filepath.Join(dir, "m", "good.ply"))
	if !slices.Equal(a.Pos, b.Pos) || !slices.Equal(a.Tri, b.Tri) {
		t.Error("the particles left out change the mesh")
	}

	box := vec.Box{Min: vec.New(-1, 0, -1), Max: vec.New(1, 1, 1)}
	opt.Within = &box
	inside := 0
	for _, p := range want {
		if box.Contains(p) {
			inside++
		}
	}
	var events []stage.Event
	events, said, err = run(t, opt)
	if err != nil || !strings.Contains(said, fmt.Sprintf("left out %d particles outside the box: 0, ", n-inside)) || events[len(events)-2].Particles != inside {
		t.Errorf("%d in the box: %s%v", inside, said, err)
	}
	opt.Within = nil

	// A million metres away, which is a multiple of the grid's blocks.
	away := vec.New(1e6, -2e6, 3e6)
	far := slices.Clone(want)
	for i := range far {
		far[i] = far[i].Add(away)
	}
	write(t, filepath.Join(dir, "far.csv"), csv(far, make([]vec.Vec3, n)))
	for _, format := range []string{"ply", "obj"} {
		opt.Files, opt.Formats = []string{filepath.Join(dir, "far.csv")}, []string{format}
		if _, said, err = run(t, opt); err != nil || said != "" {
			t.Fatal(said, err)
		}
	}
	c := readMesh(t, filepath.Join(dir, "m", "far.ply"))
	data, err := os.Open(filepath.Join(dir, "m", "far.obj"))
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	d, err := out.ReadMesh("far.obj", data)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	if math.Abs(c.Volume()/b.Volume()-1) > 1e-3 {
		t.Errorf("volume %g far away, %g near", c.Volume(), b.Volume())
	}
	for i, p := range c.Pos {
		least := math.Inf(1)
		for _, q := range b.Pos {
			least = min(least, q.Add(away).Sub(p).Len())
		}
		if least > 0.5*radius {
			t.Fatalf("vertex %v is %g from any near the origin", p, least)
		}
		if d.Pos[i].Sub(p).Len() > 1e-8 {
			t.Fatalf("vertex %v is at %v in the OBJ file", p, d.Pos[i])
		}
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	x, v := drop(vec.Vec3{}, 0.4, 1)
	write(t, filepath.Join(dir, "a_1.csv"), csv(x, v))
	write(t, filepath.Join(dir, "a_2.csv"), csv(x, v))
	write(t, filepath.Join(dir, "a_1.xyz"), nil)
	in := filepath.Join(dir, "a_*.csv")
	for _, c := range []struct {
		opt  Options
		says string
	}{
		{Options{Files: []string{filepath.Join(dir, "b_*.csv")}}, "no file matches"},
		{Options{Files: []string{filepath.Join(dir, "c.csv")}}, "there is no such file"},
		{Options{Files: []string{dir}}, "is a folder; name the files in it"},
		{Options{Files: []string{filepath.Join(dir, "{}_{}.csv")}}, "expected one {} or %04d"},
		{Options{Files: []string{in}, Radius: -1}, "is out of range; expected 1e-15 to"},
		{Options{Files: []string{in}, Method: "magic"}, "unknown surface method"},
		{Options{Files: []string{in}, Settings: []Setting{{"cell", "9"}}}, "cell: 9 is out of range; expected a number in particle radii, from 0.25 to 1.2"},
		{Options{Files: []string{in}, Settings: []Setting{{"cell", "x"}}}, "cell: \"x\" is not a number; expected a number"},
		{Options{Files: []string{in}, Settings: []Setting{{"smoothing", "1.5"}}}, "expected a whole number"},
		{Options{Files: []string{in}, Settings: []Setting{{"sell", "1"}}}, "sell: unknown key; did you mean \"cell\"? [surface] has cell"},
		{Options{Files: []string{in}, Formats: []string{"doc"}}, "not a mesh format; expected one of"},
		{Options{Files: []string{in}, Out: filepath.Join(dir, "one.ply")}, "is a single file, but there are 2 meshes"},
		{Options{Files: []string{in}, Out: filepath.Join(dir, "one.ply"), Formats: []string{"obj"}}, "does not have the format obj"},
		{Options{Files: []string{in}, First: 3, Last: 9}, "the files have 1-2"},
		{Options{Files: []string{in, filepath.Join(dir, "a_1.xyz")}}, "would both become"},
	} {
		if c.opt.Out == "" {
			c.opt.Out = filepath.Join(dir, "m")
		}
		_, _, err := run(t, c.opt)
		var wrong UsageError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q", c.opt, err, c.says)
		}
	}
	write(t, filepath.Join(dir, "p.ply"), []byte("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n"))
	if _, _, err := run(t, Options{Files: []string{filepath.Join(dir, "p.ply")}, Out: dir}); err == nil || !strings.Contains(err.Error(), "would overwrite it") {
		t.Errorf("onto itself: %v", err)
	}
	if _, _, err := run(t, Options{Files: []string{filepath.Join(dir, "p.ply")}, Out: filepath.Join(dir, "m")}); err == nil || !strings.Contains(err.Error(), "too few particles") {
		t.Errorf("no particles and no radius: %v", err)
	}
	_, said, err := run(t, Options{Files: []string{filepath.Join(dir, "p.ply")}, Out: filepath.Join(dir, "m"), Radius: 1})
	if err != nil || !strings.Contains(said, "no particles, so the mesh is empty") {
		t.Errorf("no particles: %s%v", said, err)
	}
	if _, _, err := run(t, Options{Files: []string{in}, Out: filepath.Join(dir, "m"), Attributes: []string{"heat"}}); err == nil || !strings.Contains(err.Error(), "2 of 2 files") {
		t.Errorf("an attribute that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stopped *stage.Interrupted
	if err := Run(ctx, Options{Files: []string{in}, First: -1, Last: -1, Radius: radius, Out: filepath.Join(dir, "m")}, func(stage.Event) {}); !errors.As(err, &stopped) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"f1.ply", "f2.ply", "f10.ply", "f010.ply", "f0004.ply", "x0.vtk", "x10.vtk", "x20.vtk", "x50.vtk", "b_1_final.npy"} {
		write(t, name, nil)
	}
	for pattern, want := range map[string]string{
		"f*.ply":      "f1.ply f2.ply f0004.ply f010.ply f10.ply",
		"f{}.ply":     "f1.ply f2.ply f0004.ply f010.ply f10.ply",
		"f%04d.ply":   "f0004.ply",
		"f%03d.ply":   "f0004.ply f010.ply",
		"f%d.ply":     "f1.ply f2.ply f0004.ply f010.ply f10.ply",
		"./f[12].ply": "f1.ply f2.ply",
	} {
		list, _, err := Find([]string{pattern})
		var names []string
		for _, f := range list {
			names = append(names, filepath.Base(f.Path))
		}
		if got := strings.Join(names, " "); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", pattern, got, err, want)
		}
	}
	_, notices, err := Find([]string{"x{}.vtk", "f*.ply"})
	if err != nil || len(notices) != 2 || notices[0] != "x{}.vtk: 2 of the files 0-50, every 10 are missing: 30-40" || notices[1] != "f*.ply: 6 of the files 1-10 are missing: 3, 5-9" {
		t.Errorf("gaps: %q, %v", notices, err)
	}
	_, notices, err = Find([]string{"x50.vtk", "f1.ply", "x0.vtk", "b_1_final.npy", "x10.vtk"}) // as a shell lists them
	if err != nil || len(notices) != 1 || notices[0] != "x{}.vtk: 3 of the files 0-50, every 10 are missing: 20-40" {
		t.Errorf("gaps of names: %q, %v", notices, err)
	}
	list, _, err := Find([]string{"b_1_final.npy", "./b_1_final.npy"})
	if err != nil || len(list) != 1 || list[0].Number != 1 {
		t.Errorf("named twice: %v, %v", list, err)
	}
	for arg, want := range map[string]bool{"a.vtk": true, "a.ply.gz": true, "*.doc": true, "x_{}": true, "x_%03d.bin": true, "dam-break": false, "scene.toml": false, "a.b/scene": false} {
		if Files(arg) != want {
			t.Errorf("%s is taken for files: %v", arg, !want)
		}
	}
}

// TestSpacing estimates spacings of ordered and disordered liquids, from any
// guess.
func TestSpacing(t *testing.T) {
	longtest.NotShort(t)
	rng := rand.New(rand.NewPCG(3, 1))
	lattice := func(jitter float64) (x []vec.Vec3) {
		for i := range 20 * 20 * 20 {
			p := vec.New(float64(i%20), float64(i/20%20), float64(i/400))
			x = append(x, p.Add(vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Mul(jitter)).Mul(0.1))
		}
		return x
	}
	ball, _ := drop(vec.New(5, 5, 5), 1.5, 4)
	for name, c := range map[string]struct {
		x    []vec.Vec3
		want float64
		off  float64
	}{
		"lattice":      {lattice(0), 0.1, 0.02},
		"disorder":     {lattice(0.3), 0.1, 0.03},
		"random":       {lattice(1), 0.1, 0.08},
		"ball":         {ball, 0.1, 0.05},
		"with a stray": {append(lattice(0.2), vec.New(1e4, 0, 0)), 0.1, 0.05},
	} {
		for _, guess := range []float64{0, 0.1, 10, 1e-3} {
			if got := Spacing(c.x, guess); math.Abs(got/c.want-1) > c.off {
				t.Errorf("%s from %g: %g, want %g", name, guess, got, c.want)
			}
		}
	}
	if d := Spacing([]vec.Vec3{{}, {X: 0.1}}, 0); d < 0.09 || d > 0.2 {
		t.Errorf("of two: %g", d)
	}
	for _, x := range [][]vec.Vec3{nil, {{X: 1}}} {
		if d := Spacing(x, 0); d != 0 {
			t.Errorf("of %d: %g", len(x), d)
		}
	}
}

// TestDuplicates compares with a plain search.
func TestDuplicates(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	var x []vec.Vec3
	for range 30000 {
		x = append(x, vec.New(float64(rng.IntN(40)), float64(rng.IntN(40)), float64(rng.IntN(40))))
	}
	x = append(x, vec.New(math.Copysign(0, -1), 0, 0), vec.Vec3{})
	seen := map[vec.Vec3]bool{}
	want := make([]reason, len(x))
	for i, p := range x {
		if seen[p] {
			want[i] = double
		}
		seen[p] = true
	}
	got := make([]reason, len(x))
	duplicates(x, got)
	if !slices.Equal(got, want) {
		t.Error("other particles than a plain search finds")
	}
}

// TestMemory compares the estimated memory with the memory in use.
func TestMemory(t *testing.T) {
	longtest.Only(t)
	x, _ := drop(vec.Vec3{}, 3, 7)
	for _, cell := range []string{"0.5", "1"} {
		m, _, err := newMethod("sph", []Setting{{"cell", cell}})
		if err != nil {
			t.Fatal(err)
		}
		r := &runner{method: m, opt: Options{Memory: 1 << 40}}
		need, err := r.fits(extentOf(x, 2*radius), false)
		if err != nil {
			t.Fatal(err)
		}
		before := heaptest.InUse()
		var dst mesh.Mesh
		if err := m.Surface(&dst, surface.Cloud{X: x, V: x, Spacing: 2 * radius}); err != nil {
			t.Fatal(err)
		}
		live := heaptest.InUse() - before
		runtime.KeepAlive(m)
		if need -= bytesProgram; live > need/collector*1.1 || live < need/4 {
			t.Errorf("cells of %s: estimated %.3g MB, in use are %.3g MB", cell, need/1e6, live/1e6)
		}
	}

	for _, spacing := range []float64{0.01, radius, 2 * radius, 1} {
		for _, cell := range []float64{0.25, 1, 1.2} {
			e := extentOf(x, spacing)
			if need, most := e.need(cell, true), e.most(x, spacing, cell, true); need > most {
				t.Errorf("spacing %g, cells of %g: %g bytes, more than the most, %g", spacing, cell, need, most)
			}
		}
	}

	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), csv(x, x))
	opt := Options{Files: []string{filepath.Join(dir, "a.csv")}, Out: filepath.Join(dir, "m"), Radius: radius, Memory: 1e9, Settings: []Setting{{"cell", "0.5"}}}
	_, said, err := run(t, opt)
	if err != nil || !strings.Contains(said, "memory: about ") {
		t.Errorf("with room: %s%v", said, err)
	}
	opt.Force, opt.Memory = true, 70e6
	_, said, err = run(t, opt)
	if err == nil || !strings.Contains(said, "memory are needed, but 70 MB are allowed: a cell of ") {
		t.Errorf("with little room: %s%v", said, err)
	}
	opt.Memory = 1000
	if _, said, err = run(t, opt); err == nil || !strings.Contains(said, "of memory are allowed") {
		t.Errorf("without room for the file: %s%v", said, err)
	}
	opt.Memory = 41e6
	if _, said, err = run(t, opt); err == nil || !strings.Contains(said, "no cell is large enough") {
		t.Errorf("without room: %s%v", said, err)
	}
}

// TestLint meshes with settings that give poor results.
func TestLint(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	x, v := drop(vec.Vec3{}, 1.2, 3)
	write(t, filepath.Join(dir, "a.csv"), csv(x, v))
	for _, c := range []struct {
		radius   float64
		settings []Setting
		says     string
	}{
		{radius, []Setting{{"cell", "1"}}, ""},
		{radius / 1.2, nil, ""},
		{radius / 1.6, nil, "looks like a sponge; use 0.05"},
		{radius * 2, nil, "swell and merge; use 0.05"},
		{radius, []Setting{{"cell", "1.2"}}, "cells of 1.2 radii are larger than the particles"},
		{radius, []Setting{{"threshold", "0.4"}}, "merge before"},
		{radius, []Setting{{"threshold", "0.75"}}, "tears holes"},
		{radius, []Setting{{"smoothing", "150"}}, "150 smoothing passes"},
		{radius, []Setting{{"tidy", "false"}}, "slivers into bumps"},
		{radius, []Setting{{"tidy", "false"}, {"smoothing", "0"}}, ""},
		{radius, []Setting{{"volume", "false"}}, "without volume correction"},
		{radius, Raw, ""},
		{radius, []Setting{{"adaptive", "0.5"}}, "0.02 is invisible"},
		{radius, []Setting{{"bubble", "5000"}}, "use 8"},
	} {
		_, said, err := run(t, Options{Files: []string{filepath.Join(dir, "a.csv")}, Out: filepath.Join(dir, "m"), Radius: c.radius, Settings: c.settings})
		if err != nil || c.says == "" && said != "" || !strings.Contains(said, c.says) {
			t.Errorf("radius %g, %v: %q, %v, want %q", c.radius, c.settings, said, err, c.says)
		}
	}
}

// TestThreads checks that the bytes are the same for any number of threads.
func TestThreads(t *testing.T) {
	dir := t.TempDir()
	x, v := drop(vec.Vec3{}, 2, 9)
	write(t, filepath.Join(dir, "a.csv"), csv(append(x, x[7]), append(v, v[7])))
	var want []byte
	for n := range longtest.OnThreads() {
		var got []byte
		for _, format := range []string{"ply", "obj", "vtp"} {
			to := filepath.Join(dir, "m."+format)
			if _, _, err := run(t, Options{Files: []string{filepath.Join(dir, "a.csv")}, Out: to, Attributes: []string{"all"}, Force: true}); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, data...)
		}
		if want != nil && !bytes.Equal(got, want) {
			t.Errorf("%d threads: other bytes", n)
		}
		want = got
	}
}

// TestTriangles asks for few triangles, and for fewer than a body can have.
func TestTriangles(t *testing.T) {
	dir := t.TempDir()
	x, v := drop(vec.Vec3{}, 1.2, 3)
	write(t, filepath.Join(dir, "a.csv"), csv(x, v))
	for _, c := range []struct{ most, says string }{{"800", ""}, {"2", "triangles remain, more than 2"}} {
		to := filepath.Join(dir, "m.ply")
		_, said, err := run(t, Options{Files: []string{filepath.Join(dir, "a.csv")}, Out: to, Radius: radius, Force: true, Settings: []Setting{{"triangles", c.most}}})
		if err != nil || c.says == "" && said != "" || !strings.Contains(said, c.says) {
			t.Errorf("%s triangles: %q, %v, want %q", c.most, said, err, c.says)
		}
		m := readMesh(t, to)
		if err := m.Check(); err != nil || len(m.Vel) != len(m.Pos) || c.says == "" && len(m.Tri) != 800 {
			t.Errorf("%s triangles: %d, %d velocities for %d vertices, %v", c.most, len(m.Tri), len(m.Vel), len(m.Pos), err)
		}
	}
}

// All meshes of a folder share a file of materials, which is made again where it is gone.
// Another program's file stays.
func TestMaterials(t *testing.T) {
	dir := t.TempDir()
	var x []vec.Vec3
	for i := range 216 {
		x = append(x, vec.New(float64(i%6), float64(i/6%6), float64(i/36)).Mul(0.05))
	}
	for i := range 2 {
		write(t, filepath.Join(dir, fmt.Sprintf("the sea_%d.csv", i)), csv(x, make([]vec.Vec3, len(x))))
	}
	opt := Options{Files: []string{filepath.Join(dir, "*.csv")}, Radius: 0.025, Out: filepath.Join(dir, "m"), Formats: []string{"obj"}}
	file := filepath.Join(dir, "m", "the_sea.mtl")
	var first []byte
	for range 2 { // the second time for this file alone
		if _, said, err := run(t, opt); err != nil {
			t.Fatal(said, err)
		}
		data, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(data), "newmtl liquid\n") || first != nil && string(data) != string(first) {
			t.Fatalf("%q, %v", data, err)
		}
		first = data
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	mesh, err := os.ReadFile(filepath.Join(dir, "m", "the sea_1.obj"))
	if err != nil || !strings.Contains(string(mesh), "\nmtllib the_sea.mtl\no liquid\n") || !strings.Contains(string(mesh), "\nusemtl liquid\ns 1\nf ") {
		t.Errorf("the mesh does not name its material, %v", err)
	}
	if opt.Out = filepath.Join(dir, "other"); os.Mkdir(opt.Out, 0o777) != nil {
		t.Fatal("no folder")
	}
	write(t, filepath.Join(opt.Out, "the_sea.mtl"), []byte("newmtl mine\n"))
	if _, _, err := run(t, opt); err == nil || !strings.Contains(err.Error(), "the_sea.mtl: not made by Breakwater") {
		t.Errorf("over another program's materials: %v", err)
	}
}
