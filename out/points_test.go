package out

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/particles"
	"breakwater/out/programs"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// pointFrame returns a frame of n particles with a number and a vector each.
func pointFrame(n int) *Frame {
	f := &Frame{Index: 3, Time: 1. / 15, Fingerprint: "00c0ffee", Particles: testParticles(n)}
	speed, spin := particles.Field{Name: "speed", Scalar: []float64{}}, particles.Field{Name: "vorticity", Vector: []vec.Vec3{}}
	for i := range n {
		speed.Scalar = append(speed.Scalar, float64(float32(math.Sqrt(float64(i)))))
		spin.Vector = append(spin.Vector, vec.New(float64(i), -0.5, 1e-7).Round())
	}
	f.Fields = []particles.Field{speed, spin}
	return f
}

// eachPointFormat runs a test for every format of particle files.
func eachPointFormat(t *testing.T, test func(t *testing.T, name string, format PerFrame)) {
	for _, entry := range PointFormats.Entries() {
		t.Run(entry.Name, func(t *testing.T) {
			format, err := entry.New(registry.None)
			if err != nil {
				t.Fatal(err)
			}
			test(t, "points."+format.Ext(), format)
		})
	}
}

// The reader of a format's files returns the written values to the bit.
func TestPointsBack(t *testing.T) {
	eachPointFormat(t, func(t *testing.T, name string, format PerFrame) {
		for _, n := range []int{0, 1, 7, 5000} {
			f := pointFrame(n)
			got, err := particles.Read(name, encode(t, format, f), nil)
			if err != nil {
				t.Fatalf("%d particles: %v", n, err)
			}
			round(got.X)
			for _, g := range got.Fields { // of a text, numbers that determine a float32
				round(g.Vector)
				for i, v := range g.Scalar {
					if g.Name != "id" {
						g.Scalar[i] = float64(float32(v))
					}
				}
			}
			if !slices.Equal(got.X, f.Particles.X) {
				t.Errorf("%d particles are elsewhere", n)
			}
			ids := []float64{}
			for _, id := range f.Particles.ID {
				ids = append(ids, float64(id))
			}
			want := append([]particles.Field{{Name: "velocity", Vector: f.Particles.V}, {Name: "id", Scalar: ids}}, f.Fields...)
			for _, w := range want {
				k := slices.IndexFunc(got.Fields, func(g particles.Field) bool { return g.Name == w.Name })
				if k < 0 {
					t.Fatalf("no %s among %v", w.Name, got.Names)
				}
				if g := got.Fields[k]; !slices.Equal(g.Scalar, w.Scalar) || !slices.Equal(g.Vector, w.Vector) {
					t.Errorf("%d particles: other values of %s", n, w.Name)
				}
			}
		}
	})
}

func round(v []vec.Vec3) {
	for i := range v {
		v[i] = v[i].Round()
	}
}

// Files cut short are reported: none reads as fewer particles.
func TestPointsCutShort(t *testing.T) {
	longtest.NotShort(t)
	eachPointFormat(t, func(t *testing.T, name string, format PerFrame) {
		whole := encode(t, format, pointFrame(20))
		for n := range whole {
			if _, err := format.Check(bytes.NewReader(whole[:n]), int64(n)); err == nil {
				t.Fatalf("%d bytes of %d pass for a whole file", n, len(whole))
			}
			if got, err := particles.Read(name, whole[:n], nil); err == nil && len(got.X) != 20 && !strings.HasSuffix(name, ".csv") { // a table has no end
				t.Fatalf("%d bytes of %d read as %d particles", n, len(whole), len(got.X))
			}
		}
	})
}

func TestPointsFail(t *testing.T) {
	eachPointFormat(t, func(t *testing.T, _ string, format PerFrame) {
		for what, change := range map[string]func(f *Frame){
			"no particles":              func(f *Frame) { f.Particles = nil },
			"a position beyond float32": func(f *Frame) { f.Particles.X[1].Y = 1e39 },
			"a velocity of no number":   func(f *Frame) { f.Particles.V[1].Y = math.NaN() },
			"too few numbers":           func(f *Frame) { f.Particles.ID = f.Particles.ID[1:] },
			"an attribute of no number": func(f *Frame) { f.Fields[0].Scalar[2] = math.Inf(1) },
			"an attribute cut short":    func(f *Frame) { f.Fields[1].Vector = f.Fields[1].Vector[1:] },
			"a name that is taken":      func(f *Frame) { f.Fields[1].Name = "velocity" },
		} {
			f := pointFrame(5)
			change(f)
			if err := format.Encode(io.Discard, f); err == nil {
				t.Errorf("wrote %s", what)
			}
		}
	})
}

// NumPy and ParaView read the particles as they were.
func TestPointsInPrograms(t *testing.T) {
	folder := t.TempDir()
	f := pointFrame(6)
	write := func(name string, format PerFrame) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, encode(t, format, f), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	npz, csv, vtp := write("a.npz", &npzPoints{}), write("a.csv", &csvPoints{}), write("a.vtp", &vtpPoints{})
	out := programs.Run(t, []string{"QT_QPA_PLATFORM=offscreen"}, "pvpython", filepath.Join("testdata", "points.py"), npz, csv, vtp)
	type table struct {
		X, V, Spin [][3]float64
		ID, Speed  []float64
		Time       float64
	}
	got := programs.Seen[table](t, out)
	if len(got) != 3 {
		t.Fatalf("saw %d of 3 files: %s", len(got), out)
	}
	rows := func(v [][3]float64) (all []vec.Vec3) {
		for _, x := range v {
			all = append(all, vec.New(x[0], x[1], x[2]).Round())
		}
		return all
	}
	for i, g := range got {
		s := &particle.Set{X: rows(g.X), V: rows(g.V)}
		for _, id := range g.ID {
			s.ID = append(s.ID, uint32(id))
		}
		for k, x := range g.Speed {
			g.Speed[k] = float64(float32(x))
		}
		if !slices.Equal(s.X, f.Particles.X) || !slices.Equal(s.V, f.Particles.V) || !slices.Equal(s.ID, f.Particles.ID) ||
			!slices.Equal(g.Speed, f.Fields[0].Scalar) || !slices.Equal(rows(g.Spin), f.Fields[1].Vector) {
			t.Errorf("file %d: saw %+v", i, g)
		}
	}
	if got[0].Time != f.Time {
		t.Errorf("NumPy reads the time %g, want %g", got[0].Time, f.Time)
	}
}
