package mesher

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"breakwater/out/particles"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// npy returns a NumPy file of positions in float64.
func npy(x []vec.Vec3) []byte {
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 3), }", len(x))
	head += strings.Repeat(" ", 127-10-len(head)) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
	b = append(b, head...)
	for _, p := range x {
		for _, c := range [3]float64{p.X, p.Y, p.Z} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c))
		}
	}
	return b
}

// cube returns 8³ particles a tenth of a metre apart, times scale.
func cube(scale float64) (x []vec.Vec3) {
	for i := range 8 * 8 * 8 {
		x = append(x, vec.New(float64(i%8)+0.5, float64(i/8%8)+0.5, float64(i/64)+0.5).Mul(0.1*scale))
	}
	return x
}

// extremes are particles as failed simulations leave them, and the messages for them, ""
// if they are meshed.
var extremes = []struct {
	name string
	x    []vec.Vec3
	want string
}{
	{"one at 1e10", append(cube(1), vec.New(1e10, 0, 0)), "particle 512, at [1e+10, 0, 0], is the farthest"},
	{"one at 1e100", append(cube(1), vec.New(1e100, 1e100, 1e100)), "particle 512, at [1e+100"},
	{"one at 1e150", append(cube(1), vec.New(1e150, 1e150, 1e150)), "particle 512, at [1e+150"},
	{"one at 1e308", append(cube(1), vec.New(0, 1e308, 0)), "particle 512, at [0, 1e+308"},
	{"two at both ends", append(cube(1), vec.New(1.7e308, 0, 0), vec.New(-1.7e308, 0, 0)), "particle 512, at [1.7e+308"},
	{"all at 1e308", cube(1e308), "m apart, by a radius of 5e+306 m; expected"},
	{"all at 1e150", cube(1e150), "m apart, by a radius of 5e+148 m; expected"},
	{"all at 1e12", cube(1e12), ""},
	{"all at 1e-12", cube(1e-12), ""},
	{"all at 1e-300", cube(1e-300), "write them in another unit"},
	{"denormal", cube(1e-310), "write them in another unit"},
	{"the least", cube(5e-323), "expected"},
	{"one denormal", append(cube(1), vec.New(5e-324, 1e-310, 0)), ""},
	{"alone at 1e308", []vec.Vec3{{X: 1e308}}, "too few particles"},
	{"two at 1e308", []vec.Vec3{{X: 1e308}, {X: -1e308}}, "expected"},
	{"two far out, near each other", []vec.Vec3{{X: -1e308, Y: 1e-76, Z: 1e-76}, {X: -1e308, Y: 1e-76, Z: 2e-76}}, "expected"},
	{"far from the origin", shifted(cube(1), 1e15), "up to 1e+15 m from the origin"},
}

func shifted(x []vec.Vec3, by float64) []vec.Vec3 {
	for i := range x {
		x[i].X += by
	}
	return x
}

// TestExtremes meshes each file of extreme numbers by itself, with a radius
// given, and beside a good one, which goes on.
func TestExtremes(t *testing.T) {
	longtest.Only(t)
	for _, c := range extremes {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			bad, good := filepath.Join(dir, "a_1.npy"), filepath.Join(dir, "a_2.npy")
			write(t, bad, npy(c.x))
			write(t, good, npy(cube(1)))
			_, said, err := run(t, Options{Files: []string{bad}, Out: filepath.Join(dir, "m")})
			if c.want == "" && err != nil {
				t.Fatal(err)
			}
			if c.want != "" && (err == nil || !strings.Contains(said+err.Error(), c.want)) {
				t.Errorf("no %q in %q, %v", c.want, said, err)
			}
			for _, radius := range []float64{0.05, leastRadius, mostRadius} {
				run(t, Options{Files: []string{bad}, Out: filepath.Join(dir, "n"), Radius: radius}) // without a panic
			}
			events, said, err := run(t, Options{Files: []string{bad, good}, Out: filepath.Join(dir, "b"), Radius: 0.05})
			if err != nil && !strings.Contains(err.Error(), "1 of 2 files could not be meshed") {
				t.Errorf("beside a good file: %v\n%s", err, said)
			}
			if last := events[len(events)-1]; last.Made == 0 {
				t.Errorf("the good file is not meshed: %s", said)
			}
		})
	}
}

// TestPairs checks the warning about particles that come in pairs, with the setting that
// makes them one liquid.
func TestPairs(t *testing.T) {
	longtest.NotShort(t)
	x := cube(1)
	for _, p := range cube(1) {
		x = append(x, p.Add(vec.New(1e-4, 0, 0)))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.npy"), npy(x))
	_, said, err := run(t, Options{Files: []string{filepath.Join(dir, "a.npy")}, Out: filepath.Join(dir, "m")})
	if err != nil || !strings.Contains(said, "they come in pairs") {
		t.Errorf("%s%v", said, err)
	}
}

// TestMemoryOfMachine refuses particles in pairs, each of which would have a
// grid of its own, by the program's limit alone.
func TestMemoryOfMachine(t *testing.T) {
	x := cube(1)
	for _, p := range cube(1) {
		x = append(x, p.Add(vec.New(1e-4, 0, 0)))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.npy"), npy(x))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(70e6))
	_, said, err := run(t, Options{Files: []string{filepath.Join(dir, "a.npy")}, Out: filepath.Join(dir, "m")})
	if err == nil || !strings.Contains(said, "most particles are isolated") || !strings.Contains(said, "--memory allows more") {
		t.Errorf("%s%v", said, err)
	}
}

// FuzzMesh meshes positions of any bits, once they are cleaned and their radius
// is estimated, if that takes little memory.
func FuzzMesh(f *testing.F) {
	for _, c := range extremes {
		f.Add(npy(c.x[max(0, len(c.x)-30):])[128:], 0.0)
		f.Add(npy(c.x[max(0, len(c.x)-30):])[128:], 0.05)
	}
	f.Fuzz(func(t *testing.T, data []byte, radius float64) {
		p := &particles.Cloud{}
		for ; len(data) >= 24 && len(p.X) < 200; data = data[24:] {
			var c [3]float64
			for a := range c {
				c[a] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*a:]))
			}
			p.X = append(p.X, vec.New(c[0], c[1], c[2]))
		}
		Clean(p)
		if slices.ContainsFunc(p.X, func(x vec.Vec3) bool { return !x.Finite() }) {
			t.Fatal("a particle at no place is kept")
		}
		ordered, dense := spacings(p.X, radius)
		if math.IsNaN(ordered) || math.IsNaN(dense) || ordered < 0 || dense < 0 {
			t.Fatalf("spacings %g and %g", ordered, dense)
		}
		lintRadius(radius, ordered)
		lintPairs(ordered, dense)
		if !isRadius(radius) {
			radius = Spacing(p.X, 0) / 2
		}
		if !isRadius(radius) {
			return
		}
		m, _, err := newMethod("sph", []Setting{{"cell", "1"}})
		if err != nil {
			t.Fatal(err)
		}
		r := &runner{method: m, opt: Options{Memory: 100e6}}
		if e := extentOf(p.X, 2*radius); e.need(1, true) > e.most(p.X, 2*radius, 1, true) {
			t.Fatalf("%g bytes are needed, more than the most", e.need(1, true))
		}
		if _, err := r.fits(extentOf(p.X, 2*radius), true); err != nil {
			return
		}
		var dst mesh.Mesh
		if err := m.Surface(&dst, surface.Cloud{X: p.X, Spacing: 2 * radius}); err != nil {
			return
		}
		for _, x := range dst.Pos {
			if !x.Finite() {
				t.Fatalf("a vertex at %v", x)
			}
		}
	})
}

// extentOf returns the extent of the particles x alone.
func extentOf(x []vec.Vec3, spacing float64) *extent {
	e := &extent{particles: len(x)}
	e.measure(x, spacing)
	return e
}
