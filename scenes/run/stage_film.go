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

	"breakwater/out"
	"breakwater/out/film"
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
	w, err := r.whole(stage.Film, file, r.pictureFiles, stage.Draw)
	if w == nil {
		return err
	}
	size := r.scene.Picture.Size
	info := film.Info{
		Width: size[0], Height: size[1], FPS: r.scene.Time.FPS, Frames: w.Event.Frames, Fingerprint: file.fingerprint,
		Encoder: r.scene.Video.Encoder, CRF: r.scene.Video.CRF,
	}
	return w.Write(ctx, func(f *store.File, read func(i int)) error {
		return file.format.(film.Format).Encode(ctx, f, info, func(i int) (image.Image, error) {
			picture, err := r.readFrame(r.pictureFiles(r.first + i)[0])
			if err != nil {
				return nil, err
			}
			read(i)
			return picture.Image, nil
		})
	})
}

// dropOldFilms removes films of the scene in formats that are not wanted now and that
// show something else than this run does. Files of other programs are left alone.
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

// readyToFilm returns an error if this machine lacks a requirement of a film: better now
// than after all else is made.
func (r *runner) readyToFilm(ctx context.Context) error {
	for _, movie := range r.movies {
		if err := film.Ready(ctx, movie.As, r.scene.Video.Encoder); err != nil {
			return stage.Elsewhere{Err: fmt.Errorf("%s: %w", stage.Film, err)}
		}
	}
	return nil
}

// readFrame reads back the file of a stage, in Breakwater's axes. A file that is damaged,
// or has been removed, is a *lostFile.
func (r *runner) readFrame(p product) (frame *out.Frame, err error) {
	err = r.dir.ReadMade(p.name, p.format, p.fingerprint, func(in io.Reader) error {
		if frame, err = p.format.(out.Decoder).Decode(in); err == nil {
			frame = frame.Ours()
		}
		return err
	})
	var damaged *store.Damaged
	if errors.As(err, &damaged) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOther) {
		return nil, &lostFile{p.name, err}
	}
	return frame, err
}
