package out

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/sim/vec"
)

// archiveFrame returns frame i of an archive of changing topology, whose
// fields are a number and a vector.
func archiveFrame(i int, part Part) *Frame {
	f := testFrame(i+1, 3+i%4)
	points := len(f.Mesh.Pos)
	if part == NeedsParticles {
		points = f.Particles.Len()
	}
	speed, spin := particles.Field{Name: "speed"}, particles.Field{Name: "vorticity"}
	for k := range points {
		speed.Scalar = append(speed.Scalar, float64(float32(math.Sqrt(float64(k+i)))))
		spin.Vector = append(spin.Vector, vec.New(float64(k), float64(-i), 0.5).Round())
	}
	f.Fields = []particles.Field{speed, spin}
	return f
}

func archiveInfo(part Part, frames int) ArchiveInfo {
	return ArchiveInfo{
		Part: part, Frames: frames, First: 1, FPS: 24, Speed: 0.5, Width: 0.02, Fingerprint: "00c0ffee",
		File: func(i int) string { return fmt.Sprintf("mesh/wave_%04d.vtp", i+1) },
		Time: func(i int) float64 { return float64(i) / 48 },
	}
}

// inFilm returns velocities as archives have them whose film is of half speed.
func inFilm(v []vec.Vec3) (film []vec.Vec3) {
	for _, x := range v {
		film = append(film, x.Mul(0.5))
	}
	return film
}

func writeArchive(ctx context.Context, d *store.Dir, name string, a Archive, info ArchiveInfo, frame func(i int) (*Frame, error)) error {
	return d.WriteFile(name, func(f *store.File) error { return a.Encode(ctx, f, info, frame) })
}

// eachArchive runs a test for every format of archives and its parts.
func eachArchive(t *testing.T, test func(t *testing.T, a Archive, part Part)) {
	for entry, a := range Archives.Defaults() {
		for part, what := range map[Part]string{NeedsMesh: "mesh", NeedsParticles: "particles"} {
			if a.Holds()&part != 0 {
				t.Run(entry.Name+"/"+what, func(t *testing.T) { test(t, a, part) })
			}
		}
	}
}

// TestArchives checks the promises of Archive and Checker for every archive.
func TestArchives(t *testing.T) {
	eachArchive(t, func(t *testing.T, a Archive, part Part) {
		d := outtest.Dir(t, store.OpenDir)
		frame := func(i int) (*Frame, error) { return archiveFrame(i, part), nil }
		var whole string
		for _, threads := range []int{1, 3} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			if err := writeArchive(t.Context(), d, "a", a, archiveInfo(part, 5), frame); err != nil {
				t.Fatal(err)
			}
			if got := outtest.Contents(t, d, "a"); whole != "" && got != whole {
				t.Errorf("%d threads: other bytes than with 1", threads)
			} else {
				whole = got
			}
		}
		if got, err := a.Check(strings.NewReader(whole), int64(len(whole))); got != "00c0ffee" || err != nil {
			t.Errorf("fingerprint %q, %v", got, err)
		}
		for n := range len(whole) {
			if _, err := a.Check(strings.NewReader(whole[:n]), int64(n)); err == nil {
				t.Fatalf("%d bytes of %d pass for a whole file", n, len(whole))
			}
		}
		if _, err := a.Check(strings.NewReader(whole+"\n"), int64(len(whole)+1)); err == nil {
			t.Error("a file with a byte too many passes for a whole one")
		}
	})
}

// An archive that fails leaves nothing, and says why.
func TestArchiveFails(t *testing.T) {
	boom := errors.New("boom")
	eachArchive(t, func(t *testing.T, a Archive, part Part) {
		d := outtest.Dir(t, store.OpenDir)
		if err := d.Write("a", outtest.Text("the one before")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, list := a.(Lister)
		at := func(n int, change func(f *Frame)) func(i int) (*Frame, error) {
			return func(i int) (*Frame, error) {
				f := archiveFrame(i, part)
				if i == n {
					change(f)
				}
				return f, nil
			}
		}
		for _, c := range []struct {
			what  string
			ctx   context.Context
			info  func(*ArchiveInfo)
			frame func(i int) (*Frame, error)
			says  string
			want  error
		}{
			{what: "a frame that is not there", frame: func(i int) (*Frame, error) {
				if i == 3 {
					return nil, boom
				}
				return archiveFrame(i, part), nil
			}, want: boom},
			{what: "nothing in a frame", frame: at(2, func(f *Frame) { f.Mesh, f.Particles = nil, nil }), says: "frame 3"},
			{what: "a velocity that is not a number", frame: at(1, func(f *Frame) { f.Mesh.Vel[1].Y, f.Particles.V[1].Y = math.NaN(), math.NaN() }), says: "frame 2"},
			{what: "a position beyond float32", frame: at(4, func(f *Frame) { f.Mesh.Pos[1].Y, f.Particles.X[1].Y = 1e39, 1e39 }), says: "frame 5"},
			{what: "an attribute that is not a number", frame: at(1, func(f *Frame) { f.Fields[0].Scalar[0] = math.Inf(1) }), says: "frame 2"},
			{what: "other attributes", frame: at(3, func(f *Frame) { f.Fields = f.Fields[:1] }), says: "frame 4 has the attributes [speed]"},
			{what: "attributes of the same name", frame: at(0, func(f *Frame) { f.Fields[1].Name = "speed" }), says: "already used"},
			{what: "an attribute cut short", frame: at(1, func(f *Frame) { f.Fields[1].Vector = f.Fields[1].Vector[1:] }), says: "frame 2"},
			{what: "an interrupt", ctx: ctx, frame: at(1, func(*Frame) { cancel() }), want: context.Canceled},
			{what: "no frames", info: func(i *ArchiveInfo) { i.Frames = 0 }},
			{what: "no rate", info: func(i *ArchiveInfo) { i.FPS = math.Inf(1) }},
			{what: "no speed", info: func(i *ArchiveInfo) { i.Speed = 0 }},
			{what: "nothing to keep", info: func(i *ArchiveInfo) { i.Part = NeedsImage }},
			{what: "a bad fingerprint", info: func(i *ArchiveInfo) { i.Fingerprint = "x;" }},
		} {
			if list && c.frame != nil {
				continue // it looks at no frame
			}
			info := archiveInfo(part, 5)
			if c.info != nil {
				c.info(&info)
			}
			if c.frame == nil {
				c.frame = at(-1, nil)
			}
			if c.ctx == nil {
				c.ctx = t.Context()
			}
			err := writeArchive(c.ctx, d, "a", a, info, c.frame)
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %v %s", c.what, err, c.want, c.says)
			}
			if got := outtest.Files(t, d); !slices.Equal(got, []string{"a"}) || outtest.Contents(t, d, "a") != "the one before" {
				t.Errorf("%s: left %v", c.what, got)
			}
		}
	})
}
