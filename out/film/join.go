package film

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"breakwater/out/pace"
	"breakwater/out/pngfile"
	"breakwater/out/store"
	"breakwater/sim/registry"
)

// joinVersion is raised when films come out otherwise than before from the
// same pictures.
const joinVersion = 1

// Join is a film of anybody's pictures, PNG files of one size.
type Join struct {
	Pictures []string // in their order, at least one
	Film     string   // path of the film; its end says the format
	FPS      float64  // 1/s, in [0.01, 1000]
	Encoder  string   // see Info
	CRF      int      // see Info
	Force    bool     // make again even intact files
}

// JoinEvent reports the progress of a film: one at the start, one per picture and one at
// the end.
type JoinEvent struct {
	Picture string // the last picture added, "" at the start and the end
	In      int    // pictures
	Kept    bool   // the film was there, of the same pictures
	Done    bool
	Seconds float64 // for the picture; when done, for all
	ETA     float64 // s
}

// pictureError is a picture that cannot be read.
type pictureError struct {
	path string
	err  error
}

func (e *pictureError) Error() string { return e.path + ": " + e.err.Error() }

// Run makes the film. All pictures are inspected first, and nothing is written if one is
// unusable. report is called for one event at a time.
func (j *Join) Run(ctx context.Context, report func(JoinEvent)) error {
	begun := time.Now()
	format := FormatOf(j.Film)
	if format == "" {
		return fmt.Errorf("%s: not a name for a film; expected one that ends in %s", j.Film, strings.Join(Ends(), ", "))
	}
	movie, err := Formats.New(format, registry.None)
	if err != nil {
		return err
	}
	info := Info{FPS: j.FPS, Frames: len(j.Pictures), Encoder: j.Encoder, CRF: j.CRF}
	if err := j.look(ctx, format, &info); err != nil {
		return err
	}
	if err := info.check(); err != nil {
		return err
	}
	if err := Ready(ctx, movie, j.Encoder); err != nil {
		return err
	}
	dir, err := store.OpenDir(filepath.Dir(j.Film))
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Clean("."); err != nil {
		return err
	}
	name := filepath.Base(j.Film)
	if !j.Force && dir.Fresh(name, movie, info.Fingerprint) == nil {
		report(JoinEvent{In: info.Frames, Kept: true, Done: true, Seconds: time.Since(begun).Seconds()})
		return nil
	}
	report(JoinEvent{})
	if err := dir.WriteFile(name, func(f *store.File) error { return movie.Encode(ctx, f, info, j.reader(report)) }); err != nil {
		var bad *pictureError
		if errors.As(err, &bad) { // which is not a fault of the film's file
			return bad
		}
		return err
	}
	report(JoinEvent{In: info.Frames, Done: true, Seconds: time.Since(begun).Seconds()})
	return nil
}

// look reads the headers of the pictures for the film's size, and the complete pictures
// for its fingerprint. It returns an error that names unusable pictures.
func (j *Join) look(ctx context.Context, format string, info *Info) error {
	if len(j.Pictures) == 0 {
		return errors.New("a film without pictures")
	}
	film, filmErr := os.Stat(j.Film)
	h := sha256.New()
	fmt.Fprintf(h, "join %d\n%s\n%g\n%s\n%d\n", joinVersion, format, j.FPS, j.Encoder, j.CRF)
	var bad []string
	first := "" // the first readable picture, which has the film's size
	for _, path := range j.Pictures {
		if err := ctx.Err(); err != nil {
			return err
		}
		size, stat, err := lookAt(path, h)
		switch {
		case err != nil:
			bad = append(bad, (&pictureError{path, err}).Error())
		case filmErr == nil && os.SameFile(film, stat):
			return fmt.Errorf("the film %s would overwrite a picture of it; give it another name", path)
		case first == "":
			first, info.Width, info.Height = path, size.X, size.Y
		case size != image.Pt(info.Width, info.Height):
			bad = append(bad, fmt.Sprintf("%s: %d×%d pixels, but %s has %d×%d", path, size.X, size.Y, first, info.Width, info.Height))
		}
	}
	info.Fingerprint = hex.EncodeToString(h.Sum(nil))
	const most = 5
	switch n := len(bad); {
	case n > most:
		bad = append(slices.Clip(bad[:most]), fmt.Sprintf("and %d more", n-most))
		fallthrough
	case n > 1:
		return fmt.Errorf("%d of %d pictures are unusable, so no film is made:\n\t%s", n, len(j.Pictures), strings.Join(bad, "\n\t"))
	case n == 1:
		return fmt.Errorf("%s; no film is made", bad[0])
	}
	return info.room()
}

// bytesPicture is the memory per pixel of a picture while it is added to a film, with at
// most 16 bits per channel, and of its conversions.
const bytesPicture = 16

// room returns an error if the pictures that are in memory at a time are more
// than the program may have.
func (i *Info) room() error {
	threads := min(runtime.GOMAXPROCS(0), i.Frames)
	pixels, have := float64(float64(i.Width)*float64(i.Height)), float64(debug.SetMemoryLimit(-1))
	switch one := float64(bytesPicture * pixels); {
	case 2*one > have:
		return fmt.Errorf("pictures of %d×%d pixels need about %.3g GB of memory, and %.3g GB are allowed: make them smaller", i.Width, i.Height, 2*one/1e9, have/1e9)
	case 2*one*float64(threads) > have:
		return fmt.Errorf("pictures of %d×%d pixels need about %.3g GB of memory on %d threads, and %.3g GB are allowed: use fewer threads", i.Width, i.Height, 2*one*float64(threads)/1e9, threads, have/1e9)
	}
	return nil
}

// lookAt returns the size in pixels of a picture that is whole, and writes the
// file to sum.
func lookAt(path string, sum io.Writer) (size image.Point, stat os.FileInfo, err error) {
	f, stat, err := store.OpenRegular(path)
	if err != nil {
		return size, stat, err
	}
	defer f.Close()
	if err := pngfile.EachChunk(f, stat.Size(), func(typ string, _ []byte) error {
		if typ == "acTL" {
			return errors.New("a film, not a picture")
		}
		return nil
	}); err != nil {
		return size, stat, err
	}
	head, err := png.DecodeConfig(io.NewSectionReader(f, 0, stat.Size()))
	if err == nil {
		err = pngfile.CheckSize(head.Width, head.Height)
	}
	if err != nil {
		return size, stat, err
	}
	fmt.Fprintf(sum, "%d\n", stat.Size())
	_, err = io.Copy(sum, io.NewSectionReader(f, 0, stat.Size()))
	return image.Pt(head.Width, head.Height), stat, store.Bare(err)
}

// reader returns a function that reads pictures for a Format, and reports each once.
func (j *Join) reader(report func(JoinEvent)) func(i int) (image.Image, error) {
	var mu sync.Mutex // pictures are asked for by several goroutines
	seen := make([]bool, len(j.Pictures))
	in := 0
	speed := pace.New(len(seen))
	return func(i int) (image.Image, error) {
		data, err := os.ReadFile(j.Pictures[i])
		if err != nil {
			return nil, &pictureError{j.Pictures[i], store.Bare(err)}
		}
		img, err := pngfile.Decode(data)
		if err != nil {
			return nil, &pictureError{j.Pictures[i], fmt.Errorf("%w; no film is made", err)}
		}
		mu.Lock()
		defer mu.Unlock()
		if seen[i] { // some formats look at pictures twice
			return img, nil
		}
		seen[i] = true
		e := JoinEvent{Picture: j.Pictures[in], Seconds: speed.Next(), ETA: speed.ETA()}
		in++
		e.In = in
		report(e)
		return img, nil
	}
}
