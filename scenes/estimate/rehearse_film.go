package estimate

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/png"
	"os"
	"runtime"
	"slices"

	"breakwater/out/film"
	"breakwater/out/store"
	"breakwater/scenes"
)

// Pictures of the longer of two films that are made to see how long they take.
// The longer takes more for what it has more.
const timedPictures = 9

// timeFilms returns what the films of s take on this machine to begin with, and
// for each pixel of a frame, in s. It makes short ones in a
// folder that it removes, from a picture in a PNG file, which is shifted so that
// something moves. Of the machine's processors, no program uses the given number. Both
// results are 0 if films cannot be made here.
func timeFilms(s *scenes.Scene, ctx context.Context, movies []scenes.Named[film.Format], file []byte, unused float64) (start, pixel float64, err error) {
	folder, err := os.MkdirTemp("", "breakwater-")
	if err != nil {
		return 0, 0, nil // nothing is known of it
	}
	defer os.RemoveAll(folder)
	dir, err := store.OpenDir(folder)
	if err != nil {
		return 0, 0, nil
	}
	defer dir.Close()
	for _, movie := range movies {
		few, _, err := timeFilm(s, ctx, dir, movie.As, file, 1, unused)
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if err != nil {
			return 0, 0, nil // as without a program that it is made by
		}
		many, pixels, err := timeFilm(s, ctx, dir, movie.As, file, timedPictures, unused)
		if err != nil {
			return 0, 0, ctx.Err()
		}
		each := float64(max(0, many-few) / (timedPictures - 1))
		start += max(0, few-each)
		pixel += each / pixels
	}
	return start, pixel, nil
}

// timeFilm makes a film of the given number of pictures and returns its time, and the
// pixels of each.
func timeFilm(s *scenes.Scene, ctx context.Context, dir *store.Dir, movie film.Format, file []byte, pictures int, unused float64) (seconds, pixels float64, err error) {
	first, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return 0, 0, err
	}
	b := first.Bounds()
	info := film.Info{
		Width: b.Dx(), Height: b.Dy(), FPS: s.Time.FPS, Frames: pictures, Fingerprint: noFingerprint,
		Encoder: s.Video.Encoder, CRF: s.Video.CRF,
	}
	begun := startWatch()
	err = dir.WriteFile("film."+movie.Ext(), func(f *store.File) error {
		return movie.Encode(ctx, f, info, func(i int) (image.Image, error) {
			picture, err := png.Decode(bytes.NewReader(file)) // as each frame is
			if err != nil {
				return nil, err
			}
			to := image.NewRGBA(b)
			draw.Draw(to, b, picture, b.Min, draw.Src)
			for y := range b.Dy() {
				row := to.Pix[y*to.Stride:][:4*b.Dx()]
				shift := 4 * (i % b.Dx())
				copy(row, slices.Concat(row[shift:], row[:shift]))
			}
			return to, nil
		})
	})
	var all rate
	all.add(true, 1, begun)
	return all.seconds * (1 + all.idle(unused)) / float64(runtime.GOMAXPROCS(0)), float64(b.Dx() * b.Dy()), err
}

// noFingerprint is one of nothing.
const noFingerprint = "0000000000000000000000000000000000000000000000000000000000000000"
