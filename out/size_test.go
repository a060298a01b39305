package out

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Files are about as large as their formats estimate: files of a ball as fine as a
// liquid's surface, and of particles that move.
func TestSizes(t *testing.T) {
	m := mesh.Sphere(vec.New(0.5, 0.25, 0.75), 0.2, 100)
	for _, p := range m.Pos {
		m.Vel = append(m.Vel, vec.New(math.Sin(30*p.X), math.Cos(20*p.Y), -p.Z))
	}
	s := &particle.Set{}
	for i := range 8000 {
		x := vec.New(float64(i%20), float64(i/20%20), float64(i/400)).Mul(0.0123)
		s.Add(x, vec.New(math.Sin(30*x.X), math.Cos(20*x.Y), -x.Z), 1000, uint32(i))
	}
	frame := func(part Part) *Frame {
		f := &Frame{Mesh: m, Particles: s}
		n := len(m.Pos)
		if part == NeedsParticles {
			n = s.Len()
		}
		f.Fields = []particles.Field{{Name: "speed"}, {Name: "vorticity"}}
		for i := range n {
			f.Fields[0].Scalar = append(f.Fields[0].Scalar, math.Sqrt(float64(i)))
			f.Fields[1].Vector = append(f.Fields[1].Vector, vec.New(math.Sin(float64(i)), math.Cos(float64(i)), 0.1*math.Sin(float64(3*i))))
		}
		return f
	}
	check := func(name string, format any, part Part, size int64) {
		points := len(m.Pos)
		if part == NeedsParticles {
			points = s.Len()
		}
		if want := PointBytes(format, part, float64(points), 4) * float64(points); math.Abs(want/float64(size)-1) > 0.2 {
			t.Errorf("%s: %d bytes, estimated as %.0f", name, size, want)
		}
	}
	for _, set := range []*registry.Set[PerFrame]{&Formats, &PointFormats} {
		for e, f := range set.Defaults() {
			part := f.Needs() & (NeedsMesh | NeedsParticles)
			if part == 0 || set == &Formats && part == NeedsParticles { // pictures, volumes and the cache
				continue
			}
			var b bytes.Buffer
			if err := f.Encode(&b, frame(part)); err != nil {
				t.Fatal(err)
			}
			check(e.Name, f, part, int64(b.Len()))
		}
	}
	eachArchive(t, func(t *testing.T, a Archive, part Part) {
		if _, list := a.(Lister); list {
			return
		}
		d := outtest.Dir(t, store.OpenDir)
		if err := writeArchive(t.Context(), d, "a", a, archiveInfo(part, 1), func(int) (*Frame, error) { return frame(part), nil }); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(d.Path(), "a"))
		if err != nil {
			t.Fatal(err)
		}
		check(a.Ext(), a, part, info.Size())
	})
}
