package raster

import (
	"image"

	"breakwater/sim/par"
)

// part returns the pixels to compute for a picture of v: all, or the pixels of its
// region and a margin for effects that read neighbours, such as outlines.
func (v *View) part() image.Rectangle {
	whole := image.Rect(0, 0, v.Width, v.Height)
	if v.Region.Empty() {
		return whole
	}
	around := 8 + v.Height/64
	if v.Shutter > 0 {
		around += 2*v.reach() + 7 // and the pixels that smooth streaks
	}
	return v.Region.Inset(-around).Intersect(whole)
}

// reach returns how far, in pixels, a moving object makes others on its path sample more
// finely, in each of two rounds.
func (v *View) reach() int { return 4 + v.Height/32 }

// eachSquare calls f for all pixels that are worked out, in parallel, square by
// square, each with an empty wavefront.
func (w *scene) eachSquare(f func(v *wavefront, square image.Rectangle)) {
	squares(w.region, func(square image.Rectangle) { withWavefront(func(v *wavefront) { f(v, square) }) })
}

// pixels calls f for every pixel that is worked out, in parallel, square by
// square.
func (w *scene) pixels(f func(x, y int)) {
	squares(w.region, func(square image.Rectangle) { points(square, f) })
}

// squares calls f for squares that cover r, in parallel: rays through
// neighbours meet the same part of the tree, which then is in the cache.
func squares(r image.Rectangle, f func(square image.Rectangle)) {
	list := squaresOf(r)
	par.Each(len(list), func(i int) { f(list[i]) })
}

// squaresOf returns squares that cover r, row by row.
func squaresOf(r image.Rectangle) (list []image.Rectangle) {
	const side = 16
	for y := r.Min.Y; y < r.Max.Y; y += side {
		for x := r.Min.X; x < r.Max.X; x += side {
			list = append(list, image.Rect(x, y, x+side, y+side).Intersect(r))
		}
	}
	return list
}

// points calls f for every point of r, row by row.
func points(r image.Rectangle, f func(x, y int)) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			f(x, y)
		}
	}
}
