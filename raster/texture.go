package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
)

// Texture is a picture laid over solids, and repeated beyond its edges. It is stored at
// halves, quarters and so on of its size, so that distant solids do not flicker
// (Williams 1983, Pyramidal parametrics).
type Texture struct {
	levels []texels
}

// texels are the pixels of a picture in linear light, from the upper left.
type texels struct {
	w, h int
	pix  []rgb
}

// NewTexture returns the texture of an sRGB picture.
func NewTexture(img image.Image) *Texture {
	b := img.Bounds()
	x := texels{w: b.Dx(), h: b.Dy(), pix: make([]rgb, b.Dx()*b.Dy())}
	for j := range x.h {
		for i := range x.w {
			r, g, b, _ := img.At(b.Min.X+i, b.Min.Y+j).RGBA()
			x.pix[j*x.w+i] = rgb{linearOf(r), linearOf(g), linearOf(b)}
		}
	}
	t := &Texture{levels: []texels{x}}
	for x.w > 1 || x.h > 1 {
		x = x.half()
		t.levels = append(t.levels, x)
	}
	return t
}

// linearOf returns the light of an sRGB value of 16 bits.
func linearOf(v uint32) float64 {
	return Linear(float64(v) / 0xffff)
}

// half returns x in half its size, means of pixels.
func (x *texels) half() texels {
	y := texels{w: max(1, x.w/2), h: max(1, x.h/2)}
	y.pix = make([]rgb, y.w*y.h)
	for j := range y.h {
		for i := range y.w {
			sum, n := rgb{}, 0.0
			for v := j * x.h / y.h; v < (j+1)*x.h/y.h; v++ {
				for u := i * x.w / y.w; u < (i+1)*x.w/y.w; u++ {
					sum, n = sum.add(x.pix[v*x.w+u]), n+1
				}
			}
			y.pix[j*y.w+i] = sum.scale(1 / n)
		}
	}
	return y
}

// at returns the colour at (u, v), which run from the left lower corner to 1,
// interpolated between the pixels.
func (x *texels) at(u, v float64) rgb {
	u, v = (u-math.Floor(u))*float64(x.w)-0.5, (1-(v-math.Floor(v)))*float64(x.h)-0.5
	i, j := math.Floor(u), math.Floor(v)
	u, v = u-i, v-j
	p := func(di, dj int) rgb { return x.pix[(int(j)+dj+x.h)%x.h*x.w+(int(i)+di+x.w)%x.w] }
	return p(0, 0).lerp(p(1, 0), u).lerp(p(0, 1).lerp(p(1, 1), u), v)
}

// at returns the mean colour over an area about (u, v) that is wide of the
// picture's width and height.
func (t *Texture) at(u, v, wide float64) rgb {
	first := &t.levels[0]
	level := math.Log2(max(1, wide*math.Sqrt(float64(first.w)*float64(first.h))))
	k := min(int(level), len(t.levels)-1)
	c := t.levels[k].at(u, v)
	if k == len(t.levels)-1 {
		return c
	}
	return c.lerp(t.levels[k+1].at(u, v), level-float64(k))
}

// textured returns the colour of the picture of k at h, for a ray that is wide metres
// wide.
func (g *geometry) textured(k *skin, h bvh.Hit, wide float64) rgb {
	at := &k.places[h.Tri-k.first]
	w := 1 - h.U - h.V
	place := func(c int) float64 { return w*at[0][c] + h.U*at[1][c] + h.V*at[2][c] }
	// The picture's area over the triangle's gives its scale.
	a, b, c := g.corners(h.Tri)
	area := b.Sub(a).Cross(c.Sub(a)).Len()
	shown := math.Abs((at[1][0]-at[0][0])*(at[2][1]-at[0][1]) - (at[2][0]-at[0][0])*(at[1][1]-at[0][1]))
	scale := 0.0
	if area > 0 {
		scale = math.Sqrt(shown / area)
	}
	return k.picture.at(place(0), place(1), wide*scale)
}
