// Package texture has the colours of surfaces. Each is filtered by the footprint of the
// ray that sees it, so that distant surfaces do not flicker.
//
//	image.go   pictures, at halves, quarters and so on of their size
//	paving.go  floors: slabs, checkerboard, concrete, boards
//	wood.go    the rings of a trunk
package texture

import (
	"image"
	"math"

	"breakwater/raster/color"
)

// Image is a picture laid over solids, and repeated beyond its edges. It is stored at
// halves, quarters and so on of its size, so that distant solids do not flicker
// (Williams 1983, Pyramidal parametrics).
type Image struct {
	levels []level
}

// level are the pixels of a picture in linear light, from the upper left.
type level struct {
	w, h int
	pix  []color.RGB
}

// NewImage returns the texture of an sRGB picture.
func NewImage(img image.Image) *Image {
	b := img.Bounds()
	x := level{w: b.Dx(), h: b.Dy(), pix: make([]color.RGB, b.Dx()*b.Dy())}
	for j := range x.h {
		for i := range x.w {
			r, g, b, _ := img.At(b.Min.X+i, b.Min.Y+j).RGBA()
			x.pix[j*x.w+i] = color.New(linearOf(r), linearOf(g), linearOf(b))
		}
	}
	t := &Image{levels: []level{x}}
	for x.w > 1 || x.h > 1 {
		x = x.half()
		t.levels = append(t.levels, x)
	}
	return t
}

// linearOf returns the light of an sRGB value of 16 bits.
func linearOf(v uint32) float64 { return color.Linear(float64(v) / 0xffff) }

// half returns x in half its size, means of pixels.
func (x *level) half() level {
	y := level{w: max(1, x.w/2), h: max(1, x.h/2)}
	y.pix = make([]color.RGB, y.w*y.h)
	for j := range y.h {
		for i := range y.w {
			sum, n := color.RGB{}, 0.0
			for v := j * x.h / y.h; v < (j+1)*x.h/y.h; v++ {
				for u := i * x.w / y.w; u < (i+1)*x.w/y.w; u++ {
					sum, n = sum.Add(x.pix[v*x.w+u]), n+1
				}
			}
			y.pix[j*y.w+i] = sum.Scale(1 / n)
		}
	}
	return y
}

// at returns the colour at (u, v), which run from the left lower corner to 1,
// interpolated between the pixels.
func (x *level) at(u, v float64) color.RGB {
	u, v = float64((u-math.Floor(u))*float64(x.w))-0.5, float64((1-(v-math.Floor(v)))*float64(x.h))-0.5
	i, j := math.Floor(u), math.Floor(v)
	u, v = u-i, v-j
	p := func(di, dj int) color.RGB { return x.pix[(int(j)+dj+x.h)%x.h*x.w+(int(i)+di+x.w)%x.w] }
	return p(0, 0).Lerp(p(1, 0), u).Lerp(p(0, 1).Lerp(p(1, 1), u), v)
}

// At returns the mean colour over an area about (u, v) that is wide of the
// picture's width and height.
func (t *Image) At(u, v, wide float64) color.RGB {
	first := &t.levels[0]
	level := math.Log2(max(1, wide*math.Sqrt(float64(first.w)*float64(first.h))))
	k := min(int(level), len(t.levels)-1)
	c := t.levels[k].at(u, v)
	if k == len(t.levels)-1 {
		return c
	}
	return c.Lerp(t.levels[k+1].at(u, v), level-float64(k))
}
