package run

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/out/pace"
	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/stage"
)

// film makes the films from the frames of this run.
func (r *runner) film(ctx context.Context) error {
	if err := r.dropOldFilms(); err != nil {
		return err
	}
	for _, f := range r.filmFiles(r.first, r.last) {
		if err := r.filmAs(ctx, f); err != nil {
			return err
		}
		if r.opt.Film != "" {
			if err := r.copyFilm(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyFilm puts a film, which is whole, where it is asked for too.
func (r *runner) copyFilm(f product) error {
	to, err := store.OpenDir(filepath.Dir(r.opt.Film))
	if err != nil {
		return err
	}
	defer to.Close()
	if err := to.Clean("."); err != nil {
		return err
	}
	name := filepath.Base(r.opt.Film)
	want, err := r.dir.Sum(f.name)
	if err != nil {
		return err
	}
	if got, err := to.Sum(name); err == nil && got[0].SHA256 == want[0].SHA256 {
		return nil
	}
	return r.dir.Read(f.name, func(from io.Reader) error {
		return to.Write(name, func(w io.Writer) error {
			_, err := io.Copy(w, from)
			return err
		})
	})
}

// filmFiles names the films of frames first … last, one for each format.
func (r *runner) filmFiles(first, last int) (files []product) {
	for _, movie := range r.movies {
		files = append(files, r.filmFile(movie, first, last))
	}
	return files
}

func (r *runner) filmFile(movie scenes.Named[film.Format], first, last int) product {
	return product{name: r.scene.Name + "." + movie.As.Ext(), format: movie.As, fingerprint: r.keys.film(first, last, movie.Name)}
}

func (r *runner) filmAs(ctx context.Context, file product) error {
	frames := r.last - r.first + 1
	e := stage.Event{Stage: stage.Film, What: file.name, Frames: frames}
	if !r.opt.Force && r.fresh(file) == nil {
		e.Frame, e.Kept, e.Done = frames, frames, true
		r.report(e)
		return nil
	}
	var all []int
	for n := r.first; n <= r.last; n++ {
		all = append(all, n)
	}
	if err := r.need(work{from: r.pictureFiles, fromWhat: stage.Draw}, all); err != nil {
		return err
	}
	r.sayDamaged(stage.Film, file)
	if err := r.dir.Remove(manifestName); err != nil {
		return err
	}
	r.report(e)

	size := r.scene.Picture.Size
	info := film.Info{
		Width: size[0], Height: size[1], FPS: r.scene.Time.FPS, Frames: frames, Fingerprint: file.fingerprint,
		Encoder: r.scene.Video.Encoder, CRF: r.scene.Video.CRF,
	}
	p := pace.New(frames)
	var mu sync.Mutex // pictures are asked for by several goroutines
	seen := make([]bool, frames)
	err := r.dir.WriteFile(file.name, func(f *store.File) error {
		return file.format.(film.Format).Encode(ctx, f, info, func(i int) (image.Image, error) {
			picture, err := r.readFrame(r.pictureFiles(r.first + i)[0])
			if err != nil {
				return nil, err
			}
			mu.Lock()
			defer mu.Unlock()
			if seen[i] { // some formats look at pictures twice
				return picture.Image, nil
			}
			seen[i] = true
			e.Made++
			e.Frame, e.Time = e.Made, r.scene.Time.At(r.first+e.Made-1)
			e.Seconds, e.ETA = p.Next(), p.ETA()
			r.report(e)
			return picture.Image, nil
		})
	})
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return &Interrupted{stage.Film, r.first, r.last}
		}
		return err
	}
	e.Frame, e.Made, e.Seconds, e.ETA, e.Done = frames, frames, p.Seconds(), 0, true
	r.report(e)
	return nil
}

// dropOldFilms removes films of the scene in formats that are not wanted now
// and that show something else than this run does. What another program has
// put there is left alone.
func (r *runner) dropOldFilms() error {
	all, err := scenes.Resolve(&film.Formats, film.Formats.Names())
	if err != nil {
		return err
	}
	for _, movie := range all {
		file := r.filmFile(movie, r.first, r.last)
		if slices.ContainsFunc(r.movies, func(m scenes.Named[film.Format]) bool { return m.Name == movie.Name }) || r.fresh(file) == nil || !r.isOurs(file) {
			continue
		}
		r.report(stage.Event{Stage: stage.Film, Message: fmt.Sprintf("video %s was made with other settings: removed", file.name)})
		if err := r.dir.Remove(file.name); err != nil {
			return err
		}
	}
	return nil
}

// readyToFilm returns an error if this machine lacks what a film needs: better
// now than after all else is made.
func (r *runner) readyToFilm(ctx context.Context) error {
	for _, movie := range r.movies {
		if err := film.Ready(ctx, movie.As, r.scene.Video.Encoder); err != nil {
			return fmt.Errorf("%s: %w", stage.Film, err)
		}
	}
	return nil
}

// sayDamaged reports a film or an archive that is made again because it is
// damaged.
func (r *runner) sayDamaged(st stage.Name, f product) {
	var damaged *store.Damaged
	if errors.As(r.fresh(f), &damaged) {
		r.report(stage.Event{Stage: st, Message: fmt.Sprintf("%-5s %s is damaged: made again", st, f.name)})
	}
}

// readFrame reads back what a stage has written, in Breakwater's axes. A file
// that is damaged, or was there and is gone, is a *lostFile.
func (r *runner) readFrame(p product) (frame *out.Frame, err error) {
	err = r.dir.Read(p.name, func(in io.Reader) error {
		if frame, err = p.format.(out.Decoder).Decode(in); err == nil {
			frame = frame.Ours()
		}
		return err
	})
	var damaged *store.Damaged
	if errors.As(err, &damaged) || errors.Is(err, fs.ErrNotExist) {
		return nil, &lostFile{p.name, err}
	}
	return frame, err
}
