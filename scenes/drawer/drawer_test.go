package drawer

import (
	"bytes"
	"context"
	"errors"
	"image"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/out"
	"breakwater/out/outtest"
	"breakwater/out/vdb"
	"breakwater/raster/march"
	"breakwater/scenes"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/voxel"
)

// small are settings of pictures that take little time.
var small = scenes.Overrides{Size: "96x54", Quality: "draft"}

// plain is the scale of a file as it is.
var plain = Scale{Density: 1, Flame: 1, Velocity: 1}

// write writes a volume with z up, as Breakwater does.
func write(t *testing.T, path string, edge float64, grids ...*voxel.Grid) {
	t.Helper()
	f := registrytest.New(t, &out.Formats, "vdb")
	var b bytes.Buffer
	if err := f.Encode(&b, &out.Frame{Index: 1, Volume: &voxel.Volume{Edge: edge, Grids: grids}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// block returns a grid with a value in the voxels of a leaf.
func block(name string, at [3]int32, value ...float32) *voxel.Grid {
	g := &voxel.Grid{Name: name, Width: len(value)}
	l := voxel.Leaf{At: at}
	for i := range voxel.Count {
		l.Set(i)
		l.Values = append(l.Values, value...)
	}
	g.Leaves = []voxel.Leaf{l}
	return g
}

// drawn runs the drawer and returns what it says, and how many pictures it made.
func drawn(t *testing.T, opt Options) (says string, made int, err error) {
	t.Helper()
	opt.First, opt.Last = -1, -1
	if opt.Scale == (Scale{}) {
		opt.Scale = plain
	}
	_, err = Run(t.Context(), opt, func(e stage.Event) {
		says += e.Message + "\n"
		if e.Stage == stage.Draw && !e.Done {
			made = max(made, e.Made)
		}
	})
	return says, made, err
}

// far returns the mean and the largest difference of two pictures, in steps of 8 bits.
func far(a, b image.Image) (mean, most float64) {
	n := 0.0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r0, g0, b0, _ := a.At(x, y).RGBA()
			r1, g1, b1, _ := b.At(x, y).RGBA()
			for _, d := range [][2]uint32{{r0, r1}, {g0, g1}, {b0, b1}} {
				v := math.Abs(float64(d[0])-float64(d[1])) / 257
				mean, most, n = mean+v, max(most, v), n+1
			}
		}
	}
	return mean / n, most
}

const ring = `
[time]
duration = 0.4
fps = 5
[gas]
cell = "6 cm"
viscosity = 0.001
[[vortex]]
kind = "jet-ring"
radius = 0.3
thickness = 0.12
smoke = 0.2
[tracers]
per_cell = 64
[picture]
size = [160, 90]
shutter = 0
[camera]
eye = [1.4, 1.2, 1.8]
target = [0, 0, 0]
[look]
kind = "smoke"
voxel = 0.02
[volume]
formats = ["vdb"]
voxel = 0.333333333333333333
[video]
formats = []
`

// TestAsScene draws the volumes of a scene's gas, and gets the pictures that the scene itself
// has. These differ as the tracers are spread over the voxels in two ways.
func TestAsScene(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "ring.toml")
	if err := os.WriteFile(file, []byte(ring), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := scenes.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "run")
	if err := run.Run(t.Context(), s, run.Options{Out: folder}, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "drawn")
	if _, made, err := drawn(t, Options{Files: []string{filepath.Join(folder, "volumes", "*.vdb")}, Scene: file, Out: to}); err != nil || made != 2 {
		t.Fatalf("%d pictures: %v", made, err)
	}
	for _, name := range []string{"ring_0001.png", "ring_0002.png"} {
		want, got := outtest.PNG(t, filepath.Join(folder, "frames", name)), outtest.PNG(t, filepath.Join(to, "frames", name))
		if mean, most := far(want, got); mean > 1 || most > 40 {
			t.Errorf("%s: the pictures differ by %.2f on average and %.0f at most", name, mean, most)
		}
	}
	if mean, _ := far(outtest.PNG(t, filepath.Join(to, "frames", "ring_0001.png")), outtest.PNG(t, filepath.Join(to, "frames", "ring_0002.png"))); mean < 0.05 {
		t.Errorf("the smoke does not move: the pictures differ by %g", mean)
	}
}

// TestKept draws what has changed and nothing else, with any number of threads to the same
// bytes, and shows all files from one place.
func TestKept(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	dir := t.TempDir()
	for k, name := range []string{"puff_1.vdb", "puff_2.vdb", "puff_10.vdb"} {
		write(t, filepath.Join(dir, name), 0.1, block("density", [3]int32{0, 0, int32(8 * k)}, 0.01))
	}
	to := filepath.Join(dir, "to")
	opt := Options{Files: []string{filepath.Join(dir, "puff_{}.vdb")}, Overrides: small, Out: to}
	says, made, err := drawn(t, opt)
	if err != nil || made != 3 || !strings.Contains(says, "z up, 2.4 m high, 0.8 m × 0.8 m wide, voxels of 0.1 m") {
		t.Fatalf("%d pictures: %v\n%s", made, err, says)
	}
	for _, name := range []string{"frames/puff_0001.png", "frames/puff_0010.png", "puff.mp4"} {
		if _, err := os.Stat(filepath.Join(to, name)); err != nil {
			t.Error(err)
		}
	}
	first, err := os.ReadFile(filepath.Join(to, "frames", "puff_0002.png"))
	if err != nil {
		t.Fatal(err)
	}
	if _, made, err = drawn(t, opt); err != nil || made != 0 {
		t.Errorf("%d pictures again: %v", made, err)
	}
	write(t, filepath.Join(dir, "puff_2.vdb"), 0.1, block("density", [3]int32{0, 0, 8}, 0.02))
	if _, made, err = drawn(t, opt); err != nil || made != 1 {
		t.Errorf("%d pictures of one file that is new: %v", made, err)
	}
	write(t, filepath.Join(dir, "puff_2.vdb"), 0.1, block("density", [3]int32{0, 0, 8}, 0.01))
	runtime.GOMAXPROCS(1)
	if _, made, err = drawn(t, opt); err != nil || made != 1 {
		t.Errorf("%d pictures of one file that is as before: %v", made, err)
	}
	if again, err := os.ReadFile(filepath.Join(to, "frames", "puff_0002.png")); err != nil || !bytes.Equal(first, again) {
		t.Errorf("one thread draws another picture: %v", err)
	}
	for _, change := range []func(o *Options){
		func(o *Options) { o.Overrides.Set = []string{"look.extinction=20"} },
		func(o *Options) { o.Scale.Density = 2 },
		func(o *Options) { o.Up = "y" },
		func(o *Options) { o.Voxel = 0.05 },
		func(o *Options) { low := -1.0; o.Floor = &low },
	} {
		other := opt
		other.Scale = plain
		other.Overrides.Set = append(slices.Clone(opt.Overrides.Set), "video.formats=[]")
		change(&other)
		other.Files = []string{filepath.Join(dir, "puff_1.vdb")}
		if _, made, err = drawn(t, other); err != nil || made != 1 {
			t.Errorf("%d pictures with another setting: %v", made, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var stopped *stage.Interrupted
	if _, err := Run(ctx, Options{Files: opt.Files, First: -1, Last: -1, Overrides: small, Scale: plain, Out: to}, func(stage.Event) {}); !errors.As(err, &stopped) {
		t.Errorf("stopped: %v", err)
	}
}

// TestFlames draws flames as fire, with temperatures as they come.
func TestFlames(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	for name, c := range map[string]struct {
		grids []*voxel.Grid
		says  string
	}{
		"kelvin":  {[]*voxel.Grid{block("Flames", [3]int32{}, 0.5), block("temperature", [3]int32{}, 1700)}, "the temperatures are taken as kelvin"},
		"share":   {[]*voxel.Grid{block("fire", [3]int32{}, 0.5), block("heat", [3]int32{}, 0.9)}, "the temperatures are taken as 293 K for the value 0 and 1900 K for 1"},
		"without": {[]*voxel.Grid{block("density", [3]int32{}, 0.1), block("flame", [3]int32{}, 0.9)}, "the files have no temperatures: flames of the value 1 have 1900 K"},
	} {
		path := filepath.Join(dir, name+".vdb")
		write(t, path, 0.1, c.grids...)
		says := ""
		r := &runner{opt: Options{Files: []string{path}, First: -1, Last: -1, Overrides: small, Scale: plain}, report: func(e stage.Event) { says += e.Message }}
		if err := r.prepare(t.Context()); err != nil || !strings.Contains(says, c.says) {
			t.Errorf("%s: %v\n%s", name, err, says)
			continue
		}
		if name != "kelvin" { // the others look alike, and light the floor for long
			continue
		}
		img, err := r.picture(0)
		if err != nil {
			t.Fatal(err)
		}
		red, green, blue, _ := img.At(48, 27).RGBA()
		if red < 0xc000 || blue > red*3/4 || blue > green {
			t.Errorf("%s: flames have the colour %x %x %x", name, red>>8, green>>8, blue>>8)
		}
	}
}

// TestUp finds the axis that is up by the program of a file.
func TestUp(t *testing.T) {
	staggered := []*vdb.Grid{{Name: "density", Class: "fog volume"}, {Name: "velocity", Class: "staggered"}}
	for _, c := range []struct {
		file vdb.File
		want bool
	}{
		{vdb.File{Creator: "Breakwater"}, true},
		{vdb.File{Creator: "Blender/OpenVDBWriter"}, true},
		{vdb.File{Grids: staggered}, true},
		{vdb.File{Grids: staggered[:1]}, false},
		{vdb.File{Creator: "Houdini/GU_PrimVDB", Grids: staggered}, false},
	} {
		if got := zUp(&c.file); got != c.want {
			t.Errorf("%q: z is up: %t", c.file.Creator, got)
		}
	}
}

// TestVelocityScale blurs by the velocities as they are, unless their scale is unknown and
// not given.
func TestVelocityScale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vdb")
	write(t, path, 0.1, block("density", [3]int32{}, 0.5), block("velocity", [3]int32{}, 1, 0, 0))
	for _, c := range []struct {
		unknown     bool
		given, want float64
	}{{false, 0, 1}, {false, 3, 3}, {true, 0, 0}, {true, 3, 3}} {
		says := ""
		r := &runner{report: func(e stage.Event) { says += e.Message }}
		r.opt = Options{Files: []string{path}, First: -1, Last: -1, Overrides: small, Scale: Scale{Density: 1, Flame: 1, Velocity: c.given}}
		if err := r.prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.surveys[0].scaled = c.unknown
		if err := r.settle(); err != nil || r.scale.Velocity != c.want || strings.Contains(says, "--velocity sets the scale") != (c.want == 0) {
			t.Errorf("%+v: a factor of %g, %v\n%s", c, r.scale.Velocity, err, says)
		}
	}
}

// TestFaults names the file and what to do.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	good, odd, bad, none := filepath.Join(dir, "good.vdb"), filepath.Join(dir, "odd.vdb"), filepath.Join(dir, "bad.vdb"), filepath.Join(dir, "none.vdb")
	write(t, good, 0.1, block("density", [3]int32{}, 0.5))
	write(t, odd, 0.1, block("rho", [3]int32{}, 0.5), block("wind", [3]int32{}, 1, 2, 3))
	write(t, none, 0.1, block("density", [3]int32{}, 0))
	if err := os.WriteFile(bad, []byte("no volume at all, but text that is long enough"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		opt   Options
		want  string
		usage bool
	}{
		"no grid":   {Options{Files: []string{odd}}, "odd.vdb: there is no grid of smoke or flames; the grids are rho, wind, so name one, such as --grids density=NAME", false},
		"misnamed":  {Options{Files: []string{odd}, Grids: map[string]string{"density": "soot"}}, `odd.vdb: there is no grid "soot" for the density; expected one of rho, wind`, false},
		"vectors":   {Options{Files: []string{odd}, Grids: map[string]string{"density": "wind"}}, "odd.vdb: the grid wind has vectors; expected numbers for the density", false},
		"quantity":  {Options{Files: []string{odd}, Grids: map[string]string{"dnsity": "rho"}}, "--grids dnsity=rho: expected one of density, flame, temperature, fuel, velocity before the =", true},
		"bad file":  {Options{Files: []string{good, bad}}, "bad.vdb: vdb: byte 0: not an OpenVDB file", false},
		"empty":     {Options{Files: []string{none}}, "no file has smoke or flames with values above 0", false},
		"missing":   {Options{Files: []string{filepath.Join(dir, "x_*.vdb")}}, "no file matches", true},
		"look":      {Options{Files: []string{good}, Overrides: scenes.Overrides{Set: []string{"look.kind=tracers"}}}, `the look "tracers" does not draw volumes; expected one of smoke, fire`, true},
		"floors":    {Options{Files: []string{good}, Scene: "smoke-rings", Floor: new(float64)}, "--floor and --scene", true},
		"table":     {Options{Files: []string{good}, Overrides: scenes.Overrides{Set: []string{"gas.cell=2"}}}, "--set gas.cell=2: volume files have only keys of the tables time, picture", true},
		"key":       {Options{Files: []string{good}, Overrides: scenes.Overrides{Set: []string{"look.extinctoin=2"}}}, "extinction", true},
		"far":       {Options{Files: []string{good}, Voxel: 1e-12}, "the grid density reaches too far for voxels of 1e-12 m", false},
		"large":     {Options{Files: []string{good}, Voxel: 1e-6}, "draw it with larger voxels, such as --voxel 2e-06", false},
		"no camera": {Options{Files: []string{good}, Overrides: scenes.Overrides{Set: []string{"camera.eye=[0, -5, 1]", "camera.target=[0, 0, 0]"}}}, "[0, -5, 1] is not above the floor, which is at y = -0.05 m; raise it", true},
	} {
		c.opt.Out = filepath.Join(dir, "to")
		c.opt.Overrides.Size, c.opt.Overrides.Quality = small.Size, small.Quality
		_, _, err := drawn(t, c.opt)
		var u UsageError
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &u) != c.usage {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// grid returns a grid with a function of the place of its voxels.
func grid(m vdb.Map, width int, of func(x vec.Vec3) [3]float64) *vdb.Grid {
	g := &vdb.Grid{Name: "test", Width: width, Map: m}
	for k := range 8 {
		l := vdb.Leaf{At: [3]int32{int32(k>>2)*8 - 8, int32(k>>1&1)*8 - 8, int32(k&1)*8 - 8}, Values: make([]float32, width*vdb.Count)}
		for n := range vdb.Count {
			p := [3]float64{float64(int(l.At[0]) + n>>6), float64(int(l.At[1]) + n>>3&7), float64(int(l.At[2]) + n&7)}
			v := of(vector(m.At(p)))
			for w := range width {
				l.Values[width*n+w] = float32(v[w])
			}
		}
		g.Leaves = append(g.Leaves, l)
	}
	return g
}

// TestSampler finds a linear function anywhere between the voxels of a turned grid in other
// axes, and the values of tiles.
func TestSampler(t *testing.T) {
	axes := out.Axes{ZUp: true, Unit: 0.01}
	m := vdb.Map{Axes: [3][3]float64{{0.3, 0.4, 0}, {-0.4, 0.3, 0}, {0, 0.1, 0.5}}, Origin: [3]float64{1, 2, 3}}
	of := func(x vec.Vec3) [3]float64 { return [3]float64{x.X + 2*x.Y - x.Z, x.Y, 3 * x.Z} }
	g := grid(m, 3, of)
	s := newSampler([]*vdb.Grid{g}, axes)
	var c cursors
	for _, p := range [][3]float64{{0.5, 0.25, 0.125}, {-7.9, 3.3, 6.2}, {2, 2, 2}, {-0.5, -0.5, -0.5}, {6.9999, -8, 1.5}} {
		x := vector(m.At(p))
		want := axes.Back(vector(of(x)))
		if got := s.vector(axes.Back(x), &c); got.Sub(want).Len() > 1e-5 {
			t.Errorf("%v in voxels: %v, want %v", p, got, want)
		}
	}
	if e := s.edge(); math.Abs(e-0.01*math.Cbrt(0.125)) > 1e-9 {
		t.Errorf("an edge of %g m", e)
	}
	g = &vdb.Grid{Width: 1, Map: vdb.Map{Axes: [3][3]float64{{1}, {0, 1}, {0, 0, 1}}}, Background: [3]float32{7}}
	g.Tiles = []vdb.Tile{{At: [3]int32{8, 0, 0}, Side: 8, Value: [3]float32{1}}, {At: [3]int32{128, 0, 0}, Side: 128, Value: [3]float32{2}}, {At: [3]int32{-4096, 0, 0}, Side: 4096, Value: [3]float32{3}}}
	s = newSampler([]*vdb.Grid{g}, out.Axes{})
	for x, want := range map[vec.Vec3]float64{vec.New(15, 7, 7): 1, vec.New(200, 1, 127): 2, vec.New(-1, 4095, 0): 3, vec.New(16, 0, 0): 7, vec.New(15.5, 0, 0): 4, vec.New(1e30, 0, 0): 7} {
		if got := s.number(x, &c); got != want {
			t.Errorf("%v: %g, want %g", x, got, want)
		}
		c = cursors{}
	}
}

// TestResample keeps the values of voxels that are on the lattice, to the bit, and the sum
// and the middle of those that are not. A moving block is as long as its way.
func TestResample(t *testing.T) {
	sums := func(g *gas, l lattice) (sum float64, middle, spread vec.Vec3) {
		v, err := g.volume(l)
		if err != nil {
			t.Fatal(err)
		}
		var square vec.Vec3
		for i := range v.Fields {
			f := &v.Fields[i]
			for n := range march.Count {
				w := float64(f.Values[n][0])
				x := vec.New(float64(int(f.At[0])+n>>6), float64(int(f.At[1])+n>>3&7), float64(int(f.At[2])+n&7)).Mul(l.edge).Add(l.origin)
				sum += w * l.edge * l.edge * l.edge
				middle = middle.Add(x.Mul(w * l.edge * l.edge * l.edge))
				square = square.Add(vec.New(x.X*x.X, x.Y*x.Y, x.Z*x.Z).Mul(w * l.edge * l.edge * l.edge))
			}
		}
		middle = middle.Mul(1 / sum)
		square = square.Mul(1 / sum)
		return sum, middle, square.Sub(vec.New(middle.X*middle.X, middle.Y*middle.Y, middle.Z*middle.Z))
	}
	m := vdb.Map{Axes: [3][3]float64{{0.1}, {0, 0.1}, {0, 0, 0.1}}, Origin: [3]float64{0.03, -5.06, 2}}
	one := func(x vec.Vec3) [3]float64 { return [3]float64{0.5} }
	density := newSampler([]*vdb.Grid{grid(m, 1, one)}, out.Axes{})
	g := &gas{density: density, scale: plain}
	on := lattice{0.1, vec.New(0.03, -0.06, 0)}
	v, err := g.volume(on)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range v.Fields {
		for _, x := range v.Fields[i].Values {
			if x[0] != 0 && x[0] != 0.5 {
				t.Fatalf("a value of %g", x[0])
			}
			if x[0] == 0.5 {
				n++
			}
		}
	}
	if n != 8*vdb.Count {
		t.Errorf("%d voxels, want %d", n, 8*vdb.Count)
	}
	sum, middle, still := sums(g, on)
	for _, l := range []lattice{{0.1, vec.Vec3{}}, {0.05, vec.New(0.01, 0.02, 0.03)}, {0.0732, vec.Vec3{}}} {
		s, p, _ := sums(g, l)
		if math.Abs(s/sum-1) > 0.02 || p.Sub(middle).Len() > 0.01 {
			t.Errorf("voxels of %g m hold %g m³ about %v, want %g about %v", l.edge, s, p, sum, middle)
		}
	}
	flow := vdb.Map{Axes: [3][3]float64{{10}, {0, 10}, {0, 0, 10}}} // the same everywhere
	g.velocity = newSampler([]*vdb.Grid{grid(flow, 3, func(vec.Vec3) [3]float64 { return [3]float64{20, 0, 0} })}, out.Axes{})
	g.shutter = 0.04
	s, p, spread := sums(g, on)
	want := still.X + 0.8*0.8/12 // the variance of a way of 0.8 m
	if math.Abs(s/sum-1) > 1e-3 || p.Sub(middle).Len() > 1e-3 || math.Abs(spread.X/want-1) > 0.02 || math.Abs(spread.Y/still.Y-1) > 1e-3 {
		t.Errorf("a moving block holds %g about %v with the variances %v, want %g about %v with %g along x and %g", s, p, spread, sum, middle, want, still.Y)
	}
}
