package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/sim/par"
)

// renderAdaptive traces the whole picture. A pixel has one sample where the picture is
// smooth, and two where the brightness changes. It has four where these two differ much
// or where objects of different kinds meet, and eight at high-contrast outlines.
func (t *tracer) renderAdaptive() []color.RGB {
	w, h := int(t.lens.Width), int(t.lens.Height)
	seen := make([]int32, 4*w*h) // by sample, 2 × 2 per pixel
	for i := range seen {
		seen[i] = -1
	}
	t.cameraPass(2).draw(t.geometry, func(tri int32, _ bool, x, y int) { seen[y*2*w+x] = tri })
	sample := func(v *wavefront, x, y, k int) {
		u, s := 2*x+k%2, 2*y+k/2
		r := t.cameraRay((float64(u)+0.5)/2, (float64(s)+0.5)/2)
		first := bvh.Hit{T: math.Inf(1), Tri: seen[s*2*w+u]}
		if first.Tri >= 0 {
			first = t.intersectPlane(r.o, r.d, first.Tri)
		}
		v.add(r, first, y*w+x)
	}
	pix, level := make([]color.RGB, w*h), make([]float64, w*h)
	cover := make([]float32, w*h) // of grains, which need no more samples: each one shows their mean over the pixel
	t.eachSquare(func(v *wavefront, square image.Rectangle) {
		points(square, func(x, y int) { sample(v, x, y, 0) })
		t.tracePaths(v)
		for i, k := range v.pixel {
			pix[k] = v.light[i]
			level[k], cover[k] = displayed(pix[k]), v.cover[i]
		}
	})
	fine := make([]bool, w*h)
	par.Each(h, func(y int) {
		for x := range w {
			fine[y*w+x] = t.needsSamples(level, cover, seen, x, y, w, h)
		}
	})
	t.eachSquare(func(v *wavefront, square image.Rectangle) {
		points(square, func(x, y int) {
			if fine[y*w+x] {
				sample(v, x, y, 3) // the opposite corner: it shows whether more are needed
			}
		})
		t.tracePaths(v)
		var four, eight []int32 // pixels that need as many samples
		for i, k := range v.pixel {
			a, b := pix[k], v.light[i]
			pix[k] = a.Add(b)
			apart := math.Abs(displayed(a)-displayed(b)) - float64(max(cover[k], v.cover[i]))
			edge := t.mixedKinds(seen, int(k)%w, int(k)/w, w)
			if edge && apart > edgeStep {
				eight = append(eight, k)
			}
			if edge && apart > visibleStep || apart > edgeStep {
				four = append(four, k)
			} else {
				pix[k] = pix[k].Scale(1. / 2)
			}
		}
		v.clear()
		for _, k := range four {
			sample(v, int(k)%w, int(k)/w, 1)
			sample(v, int(k)%w, int(k)/w, 2)
		}
		t.tracePaths(v)
		for i, k := range v.pixel {
			pix[k] = pix[k].Add(v.light[i])
		}
		v.clear()
		for _, k := range eight {
			for _, o := range [4][2]float64{{0.5, 0.1}, {0.9, 0.5}, {0.5, 0.9}, {0.1, 0.5}} {
				v.add(t.cameraRay(float64(int(k)%w)+o[0], float64(int(k)/w)+o[1]), bvh.Hit{}, int(k))
			}
		}
		t.intersectAll(v)
		t.tracePaths(v)
		for i, k := range v.pixel {
			pix[k] = pix[k].Add(v.light[i])
		}
		for _, k := range four {
			n := 4.0
			if len(eight) > 0 && eight[0] == k { // those are among the four, in their order
				n, eight = 8, eight[1:]
			}
			pix[k] = pix[k].Scale(1 / n)
		}
	})
	return pix
}

const (
	maxSample   = 6    // bounds a sample, so that a glint smaller than a pixel does not light all of it
	visibleStep = 0.02 // of the display's range: just visible in a calm area
	edgeStep    = 0.10 // of the display's range: an edge whose stairs would show
)

// displayed returns about how bright c will be, in [0, 1].
func displayed(c color.RGB) float64 {
	l := c.Luminance()
	return math.Sqrt(l / (l + 1))
}

// mixedKinds reports whether things of different kinds meet in the pixel.
func (t *tracer) mixedKinds(seen []int32, x, y, w int) bool {
	i := 2*y*2*w + 2*x
	k := t.kind(seen[i])
	return k != t.kind(seen[i+1]) || k != t.kind(seen[i+2*w]) || k != t.kind(seen[i+2*w+1])
}

// needsSamples reports whether the pixel needs more than one sample.
func (t *tracer) needsSamples(level []float64, cover []float32, seen []int32, x, y, w, h int) bool {
	if t.mixedKinds(seen, x, y, w) {
		return true
	}
	m := level[y*w+x]
	lo, hi := m, m
	grains := cover[y*w+x]
	for _, n := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
		if n[0] >= 0 && n[1] >= 0 && n[0] < w && n[1] < h {
			l := level[n[1]*w+n[0]]
			lo, hi, grains = min(lo, l), max(hi, l), max(grains, cover[n[1]*w+n[0]])
		}
	}
	return hi-lo-float64(grains) > visibleStep
}
