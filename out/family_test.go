package out

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// testFrame returns frame i with every part, of size n: n² triangles twice,
// n² particles, n² pixels.
func testFrame(i, n int) *Frame {
	return &Frame{
		Index: i, Time: float64(i-1) / 30, Dt: 1e-3 / float64(i+1), Fingerprint: "00c0ffee",
		Image: outtest.Picture(i, n, n), Mesh: wave(i, n), Particles: testParticles(n * n), Volume: testVolume(i),
	}
}

// wave is a sheet of n×n quads, rounded as files round it.
func wave(i, n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for z := range n + 1 {
		for x := range n + 1 {
			fx, fz := float64(x)/float64(n), float64(z)/float64(n)
			m.Pos = append(m.Pos, vec.New(fx, 0.1*math.Sin(7*fx+float64(i)), fz-0.5).Round())
			m.Nrm = append(m.Nrm, vec.New(-0.7*math.Cos(7*fx+float64(i)), 1, 0).Unit().Round())
			m.Vel = append(m.Vel, vec.New(fx, fz, -1e-7*fx).Round())
		}
	}
	for z := range int32(n) {
		for x := range int32(n) {
			a := z*int32(n+1) + x
			b := a + int32(n) + 1
			m.Tri = append(m.Tri, [3]int32{a, b, a + 1}, [3]int32{a + 1, b, b + 1})
		}
	}
	return m
}

func testParticles(n int) *particle.Set {
	s := &particle.Set{}
	for i := range n {
		f := float64(i)
		s.X = append(s.X, vec.New(f/7, -1/(f+1), 1e-9*f))
		s.V = append(s.V, vec.New(math.Sin(f), 1e7*f, -0.1))
		s.Rho = append(s.Rho, 1000+f/3)
		s.ID = append(s.ID, math.MaxUint32-uint32(i))
	}
	for i := range s.Carry("kappa") {
		s.Carry("kappa")[i] = math.Pi * float64(i)
		s.Carry("kappa_v")[i] = -math.E * float64(i)
	}
	s.Round()
	return s
}

func encode(t testing.TB, f PerFrame, frame *Frame) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Encode(&b, frame); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// failing writes n bytes and no more.
type failing struct{ n int }

var errFull = errors.New("no more")

func (f *failing) Write(p []byte) (int, error) {
	n := min(f.n, len(p))
	if f.n -= n; n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestFormats checks the promises of PerFrame, Checker and Decoder for every format of
// single frames.
func TestFormats(t *testing.T) {
	for _, entry := range slices.Concat(Formats.Entries(), PointFormats.Entries()) {
		t.Run(entry.Name, func(t *testing.T) {
			format, err := entry.New(registry.None)
			if err != nil {
				t.Fatal(err)
			}
			frame := testFrame(3, 4)
			whole := encode(t, format, frame)

			if again := encode(t, format, testFrame(3, 4)); !bytes.Equal(whole, again) {
				t.Error("the same frame gives other bytes")
			}
			if got, err := format.Check(bytes.NewReader(whole), int64(len(whole))); got != frame.Fingerprint || err != nil {
				t.Errorf("fingerprint %q, %v", got, err)
			}

			// Only the part that Needs names may be needed.
			part := *frame
			if format.Needs()&NeedsImage == 0 {
				part.Image = nil
			}
			if format.Needs()&NeedsMesh == 0 {
				part.Mesh = nil
			}
			if format.Needs()&NeedsVelocities == 0 && part.Mesh != nil {
				still := *part.Mesh
				still.Vel = nil
				part.Mesh = &still
			}
			if format.Needs()&NeedsVolume == 0 {
				part.Volume = nil
			}
			if format.Needs()&NeedsParticles == 0 {
				part.Particles = nil
			}
			if got := encode(t, format, &part); !bytes.Equal(whole, got) {
				t.Error("a part that the format does not need changes the bytes")
			}
			for _, bad := range []*Frame{{}, {Image: part.Image, Mesh: part.Mesh, Particles: part.Particles, Volume: part.Volume, Fingerprint: "0\nff"},
				{Image: part.Image, Mesh: part.Mesh, Particles: part.Particles, Volume: part.Volume, Time: math.NaN()}} {
				if err := format.Encode(io.Discard, bad); err == nil {
					t.Errorf("wrote frame %+v", bad)
				}
			}

			back, decodes := format.(Decoder)
			if decodes {
				got, err := back.Decode(bytes.NewReader(whole))
				if err != nil {
					t.Fatal(err)
				}
				if got.Index != frame.Index || got.Time != frame.Time || got.Dt != frame.Dt || got.Fingerprint != frame.Fingerprint {
					t.Errorf("read back frame %d at %g s, step %g s, fingerprint %s", got.Index, got.Time, got.Dt, got.Fingerprint)
				}
				if again := encode(t, format, got); !bytes.Equal(whole, again) {
					t.Error("writing again after reading gives other bytes")
				}
			}
			for n := range whole {
				cut := whole[:n]
				if _, err := format.Check(bytes.NewReader(cut), int64(n)); err == nil {
					t.Fatalf("%d bytes of %d pass for a whole file", n, len(whole))
				}
				if decodes && string(cut)+"\n" != string(whole) { // a text's last line needs no end
					if _, err := back.Decode(bytes.NewReader(cut)); err == nil {
						t.Fatalf("read %d bytes of %d without an error", n, len(whole))
					}
				}
				if err := format.Encode(&failing{n}, frame); !errors.Is(err, errFull) {
					t.Fatalf("a writer that fails after %d bytes: %v", n, err)
				}
			}
			if _, err := format.Check(bytes.NewReader(append(bytes.Clone(whole), 0)), int64(len(whole)+1)); err == nil {
				t.Error("a file with a byte too many passes for a whole one")
			}
		})
	}
}

// Fresh decides which files a rerun keeps.
func TestFresh(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	format := registrytest.New(t, &Formats, "ply")
	frame := testFrame(1, 3)
	if err := d.Fresh("a.ply", format, frame.Fingerprint); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := d.Write("a.ply", func(w io.Writer) error { return format.Encode(w, frame) }); err != nil {
		t.Fatal(err)
	}
	if err := d.Fresh("a.ply", format, frame.Fingerprint); err != nil {
		t.Error(err)
	}
	if err := d.Fresh("a.ply", format, "01"); err == nil || !strings.Contains(err.Error(), "other settings") {
		t.Errorf("another fingerprint: %v", err)
	}
	if err := d.Fresh("a.ply", registrytest.New(t, &Formats, "plymesh"), frame.Fingerprint); err == nil {
		t.Error("particles pass for a mesh")
	}
	whole := outtest.Contents(t, d, "a.ply")
	if err := d.Write("a.ply", outtest.Text(whole[:len(whole)-1])); err != nil {
		t.Fatal(err)
	}
	if err := d.Fresh("a.ply", format, frame.Fingerprint); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("a file cut short: %v", err)
	}
}
