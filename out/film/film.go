// Package film writes films, and joins the pictures of other programs. One file
// has one format:
//
//	format_mp4.go   films that play everywhere, by ffmpeg or by package h264
//	format_webm.go  films of a format without royalties, every picture complete
//	format_avi.go   films of JPEG pictures
//	format_apng.go  animated PNG, without loss
//	format_gif.go   animated GIF
//	format_mov.go   QuickTime with H.264 or ProRes, by ffmpeg
//	format_mkv.go   Matroska with H.264, by ffmpeg
//
// The rest is shared or a part of one format:
//
//	film.go         the interface of a format; its name and the ends of its files
//	pairs.go        work on each picture and the one before it, in order
//	pixels.go       pixels as the encoders take them
//	palette.go      the colours of a GIF
//	mp4_own.go      mp4 without ffmpeg
//	mp4_write.go    the boxes of an mp4
//	avi_write.go    the chunks of an AVI
//	ebml.go         the elements of a WebM
//	ffmpeg.go       films that ffmpeg encodes, in a process group (group_OS.go)
//	join.go         films of other programs' pictures
package film

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"breakwater/out/store"
	"breakwater/sim/par"
	"breakwater/sim/registry"
)

// Format is a format that keeps all frames in one file.
type Format interface {
	store.Checker
	Ext() string // without the dot
	// Encode writes a film of info.Frames pictures to f. It calls picture for
	// each i in [0, info.Frames), from several goroutines and in no order, for
	// some of them twice, and stops at the first error. The same pictures give
	// the same bytes.
	Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error
}

// A Readier is a Format that may lack a requirement on this machine.
type Readier interface {
	// Ready returns an error if no film can be made by that encoder; see
	// Info.
	Ready(ctx context.Context, encoder string) error
}

// Ready returns an error if m lacks a requirement on this machine.
func Ready(ctx context.Context, m Format, encoder string) error {
	if r, ok := m.(Readier); ok {
		return r.Ready(ctx, encoder)
	}
	return nil
}

// FormatOf returns the film format of files with this name, or "".
func FormatOf(file string) (name string) {
	most := 0
	for e, m := range Formats.Defaults() {
		// Of film.prores.mov both .mov and .prores.mov are ends.
		for _, end := range endsOf(m) {
			if len(end) > most && strings.HasSuffix(strings.ToLower(file), end) {
				name, most = e.Name, len(end)
			}
		}
	}
	return name
}

// endsOf returns how files of a film may end, with the dot.
func endsOf(m Format) []string {
	ends := []string{"." + m.Ext()}
	if more, ok := m.(interface{ moreEnds() []string }); ok {
		ends = append(ends, more.moreEnds()...)
	}
	return ends
}

// Ends returns how files of films end, with the dot.
func Ends() (ends []string) {
	for _, m := range Formats.Defaults() {
		ends = append(ends, endsOf(m)...)
	}
	return ends
}

// Bounds of the frames per second of a film, within which every format can represent the
// duration of a frame.
const (
	MinFPS = 0.01
	MaxFPS = 1000
)

// Info is the metadata of a whole film.
type Info struct {
	Width, Height int     // pixels
	FPS           float64 // 1/s, in [0.01, 1000]
	Frames        int     // at least 1
	Fingerprint   string  // of all that the film was made from, hexadecimal

	// Encoder makes an mp4: "ffmpeg", "own" or, if "auto", ffmpeg where it is found. CRF
	// is the constant rate factor of x264, 1 to 51, in an mp4, mov or mkv.
	Encoder string
	CRF     int
}

// Encoders are the values of Info.Encoder.
var Encoders = []string{"auto", "ffmpeg", "own"}

// check returns an error if no film can be made to i.
func (i Info) check() error {
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
func (i Info) picture(get func(n int) (image.Image, error), n int) (image.Image, error) {
	img, err := get(n)
	if err != nil {
		return nil, err
	}
	if b := img.Bounds(); b.Dx() != i.Width || b.Dy() != i.Height {
		return nil, fmt.Errorf("picture of %d×%d pixels in a film of %d×%d", b.Dx(), b.Dy(), i.Width, i.Height)
	}
	return img, nil
}

// encode makes the pictures of a film into what code returns, in parallel, and calls put for
// each in their order.
func encode[T any](ctx context.Context, i Info, picture func(n int) (image.Image, error), code func(image.Image) (T, error), put func(int, T) error) error {
	return par.Ordered(ctx, i.Frames, func(n int) (v T, err error) {
		img, err := i.picture(picture, n)
		if err != nil {
			return v, err
		}
		return code(img)
	}, put)
}

// Formats are the known formats of films.
var Formats = registry.Set[Format]{Kind: "film format"}
