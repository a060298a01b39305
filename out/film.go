package out

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"breakwater/out/store"
	"breakwater/sim/registry"
)

// Movie is a format that keeps all frames in one file.
type Movie interface {
	store.Checker
	Ext() string // without the dot
	// Encode writes a film of info.Frames pictures to f. It calls picture for
	// each i in [0, info.Frames), from several goroutines and in no order, for
	// some of them twice, and stops at the first error. The same pictures give
	// the same bytes.
	Encode(ctx context.Context, f *store.File, info MovieInfo, picture func(i int) (image.Image, error)) error
}

// A Readier is a Movie that may lack what it needs on this machine.
type Readier interface {
	// Ready returns an error if no film can be made by that encoder; see
	// MovieInfo.
	Ready(ctx context.Context, encoder string) error
}

// Ready returns an error if m lacks what it needs on this machine.
func Ready(ctx context.Context, m Movie, encoder string) error {
	if r, ok := m.(Readier); ok {
		return r.Ready(ctx, encoder)
	}
	return nil
}

// MovieFor returns the name of the film format that files of this name have,
// "" if there is none.
func MovieFor(file string) (name string) {
	most := 0
	for _, e := range Movies.Entries() {
		m, err := e.New(registry.None)
		if err != nil {
			continue
		}
		// Of film.prores.mov both .mov and .prores.mov are ends.
		for _, end := range movieEnds(m) {
			if len(end) > most && strings.HasSuffix(strings.ToLower(file), end) {
				name, most = e.Name, len(end)
			}
		}
	}
	return name
}

// movieEnds returns how files of a film may end, with the dot.
func movieEnds(m Movie) []string {
	ends := []string{"." + m.Ext()}
	if more, ok := m.(interface{ moreEnds() []string }); ok {
		ends = append(ends, more.moreEnds()...)
	}
	return ends
}

// MovieEnds returns how files of films end, with the dot.
func MovieEnds() (ends []string) {
	for _, e := range Movies.Entries() {
		if m, err := e.New(registry.None); err == nil {
			ends = append(ends, movieEnds(m)...)
		}
	}
	return ends
}

// Bounds of the frames a second of a film: every format can say how long a
// frame stands then.
const (
	MinFPS = 0.01
	MaxFPS = 1000
)

// MovieInfo is what holds for a whole film.
type MovieInfo struct {
	Width, Height int     // pixels
	FPS           float64 // 1/s, in [0.01, 1000]
	Frames        int     // at least 1
	Fingerprint   string  // of all that the film was made from, hexadecimal

	// What makes an mp4, "ffmpeg", "own" or, if "auto", ffmpeg where it is
	// found; and the constant rate factor of x264, 1 to 51, in an mp4, mov or
	// mkv.
	Encoder string
	CRF     int
}

// Encoders are what MovieInfo.Encoder may be.
var Encoders = []string{"auto", "ffmpeg", "own"}

// check returns an error if no film can be made to i.
func (i MovieInfo) check() error {
	switch {
	case i.Width < 1 || i.Height < 1:
		return fmt.Errorf("a film of %d×%d pixels", i.Width, i.Height)
	case !(i.FPS >= MinFPS && i.FPS <= MaxFPS):
		return fmt.Errorf("%g frames per second: want %g to %d", i.FPS, MinFPS, MaxFPS)
	case i.Frames < 1:
		return fmt.Errorf("a film of %d frames", i.Frames)
	case !slices.Contains(Encoders, i.Encoder):
		return fmt.Errorf("encoder %q: want one of %s", i.Encoder, strings.Join(Encoders, ", "))
	case i.CRF < 1 || i.CRF > 51:
		return fmt.Errorf("a constant rate factor of %d: want 1 to 51", i.CRF)
	}
	return store.CheckFingerprint(i.Fingerprint)
}

// picture returns picture n of a film, which must be of its size.
func (i MovieInfo) picture(get func(n int) (image.Image, error), n int) (image.Image, error) {
	img, err := get(n)
	if err != nil {
		return nil, err
	}
	if b := img.Bounds(); b.Dx() != i.Width || b.Dy() != i.Height {
		return nil, fmt.Errorf("picture of %d×%d pixels in a film of %d×%d", b.Dx(), b.Dy(), i.Width, i.Height)
	}
	return img, nil
}

// Movies are the known formats of films.
var Movies = registry.Set[Movie]{Kind: "film format"}
