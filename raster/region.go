package raster

import (
	"image"

	"breakwater/sim/par"
)

// part returns the pixels that are worked out of a picture of v: all, or those
// of its region and so many around it that what looks at its neighbours, such
// as an outline, finds them.
func (v *View) part() image.Rectangle {
	whole := image.Rect(0, 0, v.Width, v.Height)
	if v.Region.Empty() {
		return whole
	}
	around := 8 + v.Height/64
	if v.Shutter > 0 {
		around += 2 * v.reach()
	}
	return v.Region.Inset(-around).Intersect(whole)
}

// reach returns how far, in pixels, what moves makes others on its way look more
// closely, in each of two rounds.
func (v *View) reach() int { return 4 + v.Height/32 }

// pixels calls f for every pixel that is worked out, in parallel, square by
// square.
func (w *world) pixels(f func(x, y int)) { squares(w.part, f) }

// tiles calls f for every cell of a w×h grid, in parallel, square by square.
func tiles(w, h int, f func(x, y int)) { squares(image.Rect(0, 0, w, h), f) }

// squares calls f for every point of r, in parallel, square by square: rays
// through neighbours meet the same part of the tree, which then is in the
// cache.
func squares(r image.Rectangle, f func(x, y int)) {
	const side = 16
	cols := (r.Dx() + side - 1) / side
	par.Each(cols*((r.Dy()+side-1)/side), func(i int) {
		x0, y0 := r.Min.X+i%cols*side, r.Min.Y+i/cols*side
		for y := y0; y < min(r.Max.Y, y0+side); y++ {
			for x := x0; x < min(r.Max.X, x0+side); x++ {
				f(x, y)
			}
		}
	})
}
