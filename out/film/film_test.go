package film

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/sim/longtest"
	"breakwater/sim/registry"
	"breakwater/sim/registry/registrytest"
)

// encodedBy is a film format with one of its encoders.
type encodedBy struct {
	Format
	encoder string
}

func (m encodedBy) Ready(ctx context.Context, _ string) error { return Ready(ctx, m.Format, m.encoder) }

func (m encodedBy) Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	info.Encoder = m.encoder
	return m.Format.Encode(ctx, f, info, picture)
}

// movies returns the film formats that can be made here.
func movies(t *testing.T) map[string]Format {
	made := map[string]Format{}
	for _, name := range Formats.Names() {
		m := registrytest.New(t, &Formats, name)
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

var testFilm = Info{Width: 71, Height: 85, FPS: 24, Frames: 31, Fingerprint: "0123456789abcdef", Encoder: "auto", CRF: 16}

func writeFilm(ctx context.Context, d *store.Dir, name string, m Format, info Info) error {
	return d.WriteFile(name, func(f *store.File) error {
		return m.Encode(ctx, f, info, func(i int) (image.Image, error) { return outtest.Picture(i, info.Width, info.Height), nil })
	})
}

// TestMovies checks the promises of Format and Checker for every film format.
func TestMovies(t *testing.T) {
	for name, m := range movies(t) {
		t.Run(name, func(t *testing.T) {
			d := outtest.Dir(t, store.OpenDir)
			var whole string
			for i, threads := range longtest.Threads() {
				if _, foreign := m.(Readier); foreign && i > 0 && name != "mp4-own" {
					break // ffmpeg has threads of its own
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
			ends, steps := 1<<10, 1<<8
			if longtest.On() {
				ends, steps = 4<<10, 1<<12
			}
			for n := 0; n < len(whole); n++ {
				if n > ends && n < len(whole)-ends {
					n = min(n+len(whole)/steps, len(whole)-ends)
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
			if _, foreign := m.(Readier); foreign && !strings.HasPrefix(name, "mp4") { // ffmpeg makes all of these
				longtest.Only(t)
			}
			d := outtest.Dir(t, store.OpenDir)
			if err := d.Write("film", outtest.Text("the one before")); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for _, c := range []struct {
				what    string
				ctx     context.Context
				info    func(*Info)
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
				{what: "no frames", info: func(i *Info) { i.Frames = 0 }},
				{what: "no width", info: func(i *Info) { i.Width = 0 }},
				{what: "no rate", info: func(i *Info) { i.FPS = math.NaN() }},
				{what: "a bad fingerprint", info: func(i *Info) { i.Fingerprint = "x" }},
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

// Without an ffmpeg this program encodes, unless an option forbids it.
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
		m := registrytest.New(t, &Formats, name)
		err := writeFilm(t.Context(), d, name, m, info)
		early := Ready(t.Context(), m, info.Encoder)
		if err == nil || !strings.Contains(err.Error(), "no ffmpeg on the PATH") || len(outtest.Files(t, d)) != 2 || !strings.Contains(err.Error(), fmt.Sprint(early)) {
			t.Errorf("%s by ffmpeg: %v, before %v, left %v", name, err, early, outtest.Files(t, d))
		}
	}
	for _, name := range Formats.Names() { // the others need none
		m, err := Formats.New(name, registry.None)
		if _, foreign := m.(*mov); err != nil || foreign || name == "mkv" {
			continue
		}
		if err := Ready(t.Context(), m, "auto"); err != nil {
			t.Error(err)
		}
	}
}

// Nor do films that this program makes by itself.
func TestLongFilms(t *testing.T) {
	longtest.Only(t)
	for name, m := range movies(t) {
		switch name {
		case "mov", "mkv", "prores", "mp4-ffmpeg":
			continue // which ffmpeg makes
		}
		t.Run(name, func(t *testing.T) {
			var w outtest.Memory
			info := Info{Width: 64, Height: 36, FPS: 30, Frames: outtest.LongRun, Fingerprint: "beef", Encoder: "own", CRF: 30}
			err := outtest.Dir(t, store.OpenDir).WriteFile("film", func(f *store.File) error {
				return m.Encode(t.Context(), f, info, func(i int) (image.Image, error) {
					w.At(i)
					return outtest.Picture(i, info.Width, info.Height), nil
				})
			})
			if err != nil {
				t.Fatal(err)
			}
			if !w.Measured() {
				t.Error("no frame was asked for")
			}
			w.Check(t)
		})
	}
}
