package out

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
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

func newFormat(t testing.TB, name string) PerFrame {
	t.Helper()
	f, err := Formats.New(name, registry.None)
	if err != nil {
		t.Fatal(err)
	}
	return f
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

// TestFormats holds every format of single frames to what PerFrame, Checker
// and Decoder promise.
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
					t.Error("what is read back gives other bytes")
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

// Fresh decides what a rerun keeps.
func TestFresh(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	format := newFormat(t, "ply")
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
	if err := d.Fresh("a.ply", newFormat(t, "plymesh"), frame.Fingerprint); err == nil {
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

// encodedBy is a film format with one of its encoders.
type encodedBy struct {
	Movie
	encoder string
}

func (m encodedBy) Ready(ctx context.Context, _ string) error { return Ready(ctx, m.Movie, m.encoder) }

func (m encodedBy) Encode(ctx context.Context, f *store.File, info MovieInfo, picture func(i int) (image.Image, error)) error {
	info.Encoder = m.encoder
	return m.Movie.Encode(ctx, f, info, picture)
}

// movies returns the film formats that can be made here.
func movies(t *testing.T) map[string]Movie {
	made := map[string]Movie{}
	for _, name := range Movies.Names() {
		m, err := Movies.New(name, registry.None)
		if err != nil {
			t.Fatal(err)
		}
		if name == "mp4" {
			made["mp4-own"] = encodedBy{m, "own"}
			name, m = "mp4-ffmpeg", encodedBy{m, "ffmpeg"}
		}
		if err := Ready(t.Context(), m, "ffmpeg"); err != nil {
			t.Logf("%s is not tested: %v", name, err)
			continue
		}
		made[name] = m
	}
	return made
}

var testFilm = MovieInfo{Width: 71, Height: 85, FPS: 24, Frames: 31, Fingerprint: "0123456789abcdef", Encoder: "auto", CRF: 16}

func writeFilm(ctx context.Context, d *store.Dir, name string, m Movie, info MovieInfo) error {
	return d.WriteFile(name, func(f *store.File) error {
		return m.Encode(ctx, f, info, func(i int) (image.Image, error) { return outtest.Picture(i, info.Width, info.Height), nil })
	})
}

// TestMovies holds every film format to what Movie and Checker promise.
func TestMovies(t *testing.T) {
	for name, m := range movies(t) {
		t.Run(name, func(t *testing.T) {
			d := outtest.Dir(t, store.OpenDir)
			var whole string
			for _, threads := range []int{1, 2, 3, 8} {
				if _, foreign := m.(Readier); foreign && threads > 1 && name != "mp4-own" {
					continue // it is ffmpeg's threads that matter there
				}
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
				if err := writeFilm(t.Context(), d, "film", m, testFilm); err != nil {
					t.Fatal(err)
				}
				if got := outtest.Contents(t, d, "film"); whole != "" && got != whole {
					t.Errorf("%d threads: other bytes than with 1", threads)
				} else {
					whole = got
				}
			}
			if err := writeFilm(t.Context(), d, "again", m, testFilm); err != nil {
				t.Fatal(err)
			}
			if outtest.Contents(t, d, "again") != whole {
				t.Error("the same film gives other bytes")
			}
			if got, err := m.Check(strings.NewReader(whole), int64(len(whole))); got != testFilm.Fingerprint || err != nil {
				t.Errorf("fingerprint %q, %v", got, err)
			}
			const ends = 4 << 10
			for n := 0; n < len(whole); n++ {
				if n > ends && n < len(whole)-ends {
					n += len(whole) >> 12
				}
				if _, err := m.Check(strings.NewReader(whole[:n]), int64(n)); err == nil {
					t.Fatalf("%d bytes of %d pass for a whole film", n, len(whole))
				}
			}
		})
	}
}

// A film that fails leaves nothing, and says why.
func TestMovieFails(t *testing.T) {
	boom := errors.New("boom")
	for name, m := range movies(t) {
		t.Run(name, func(t *testing.T) {
			d := outtest.Dir(t, store.OpenDir)
			if err := d.Write("film", outtest.Text("the one before")); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for _, c := range []struct {
				what    string
				ctx     context.Context
				info    func(*MovieInfo)
				picture func(i int) (image.Image, error)
				want    error
			}{
				{what: "a picture that is not there", picture: func(i int) (image.Image, error) {
					if i >= 7 {
						return nil, boom
					}
					return outtest.Picture(i, testFilm.Width, testFilm.Height), nil
				}, want: boom},
				{what: "an interrupt", ctx: ctx, picture: func(i int) (image.Image, error) {
					if i == 9 {
						cancel()
					}
					return outtest.Picture(i, testFilm.Width, testFilm.Height), nil
				}, want: context.Canceled},
				{what: "a picture of another size", picture: func(i int) (image.Image, error) { return outtest.Picture(i, 70, 85), nil }},
				{what: "no frames", info: func(i *MovieInfo) { i.Frames = 0 }},
				{what: "no width", info: func(i *MovieInfo) { i.Width = 0 }},
				{what: "no rate", info: func(i *MovieInfo) { i.FPS = math.NaN() }},
				{what: "a bad fingerprint", info: func(i *MovieInfo) { i.Fingerprint = "x" }},
			} {
				info := testFilm
				if c.info != nil {
					c.info(&info)
				}
				if c.ctx == nil {
					c.ctx = t.Context()
				}
				if c.picture == nil {
					c.picture = func(i int) (image.Image, error) { return outtest.Picture(i, info.Width, info.Height), nil }
				}
				err := d.WriteFile("film", func(f *store.File) error { return m.Encode(c.ctx, f, info, c.picture) })
				if err == nil || c.want != nil && !errors.Is(err, c.want) {
					t.Errorf("%s: %v, want %v", c.what, err, c.want)
				}
				if got := outtest.Files(t, d); !slices.Equal(got, []string{"film"}) || outtest.Contents(t, d, "film") != "the one before" {
					t.Errorf("%s: left %v", c.what, got)
				}
			}
		})
	}
}

// Without an ffmpeg this program encodes, unless it is told not to.
func TestNoFFmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	d := outtest.Dir(t, store.OpenDir)
	info := testFilm
	for _, info.Encoder = range []string{"own", "auto"} {
		if err := writeFilm(t.Context(), d, info.Encoder, &mp4{}, info); err != nil {
			t.Fatal(err)
		}
	}
	if outtest.Contents(t, d, "own") != outtest.Contents(t, d, "auto") {
		t.Error("auto makes another film")
	}
	info.Encoder = "ffmpeg"
	for _, name := range []string{"mp4", "mov", "mkv", "prores"} {
		m, err := Movies.New(name, registry.None)
		if err != nil {
			t.Fatal(err)
		}
		err = writeFilm(t.Context(), d, name, m, info)
		early := Ready(t.Context(), m, info.Encoder)
		if err == nil || !strings.Contains(err.Error(), "no ffmpeg on the PATH") || len(outtest.Files(t, d)) != 2 || !strings.Contains(err.Error(), fmt.Sprint(early)) {
			t.Errorf("%s by ffmpeg: %v, before %v, left %v", name, err, early, outtest.Files(t, d))
		}
	}
	for _, name := range Movies.Names() { // the others need none
		m, err := Movies.New(name, registry.None)
		if _, foreign := m.(*mov); err != nil || foreign || name == "mkv" {
			continue
		}
		if err := Ready(t.Context(), m, "auto"); err != nil {
			t.Error(err)
		}
	}
}

func TestInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		var got []int
		err := inOrder(t.Context(), n, func(i int) (int, error) { return i * i, nil }, func(i, v int) error {
			if v != i*i {
				t.Errorf("item %d is %d", i, v)
			}
			got = append(got, i)
			return nil
		})
		if err != nil || len(got) != n || !slices.IsSorted(got) {
			t.Errorf("%d items: put %v, %v", n, got, err)
		}
	}
	// The first error in order is told, and ends it.
	boom := errors.New("boom")
	put := 0
	err := inOrder(t.Context(), 1000, func(i int) (int, error) {
		if i == 20 {
			return 0, boom
		}
		return i, nil
	}, func(int, int) error { put++; return nil })
	if err != boom || put != 20 {
		t.Errorf("put %d of 20, %v", put, err)
	}
	err = inOrder(t.Context(), 1000, func(i int) (int, error) { return i, nil }, func(i, _ int) error { return boom })
	if err != boom {
		t.Errorf("an error of put: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = inOrder(ctx, 5, func(i int) (int, error) { t.Error("called"); return i, nil }, func(i, _ int) error { return nil })
	if err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
