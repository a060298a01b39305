package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/filter"
	"breakwater/sim/par"
)

// renderAdaptive draws the picture. Where nothing moves, a pixel has one sample where the
// picture is smooth, and two where the brightness changes. Pixels in which these two differ,
// in which the brightness changes much, or in which things move, are exposed.
func (t *tracer) renderAdaptive() []color.RGB {
	e := t.newExposure()
	w, h := e.w, e.h
	seen := make([]int32, 4*w*h) // by sample, 2 × 2 per pixel
	for i := range seen {
		seen[i] = -1
	}
	t.cameraPass(2).Draw(len(t.tri), t.corners, func(tri int32, _ bool, x, y int) { seen[y*2*w+x] = tri })
	moving := t.movingTiles()
	sample := func(v *wavefront, x, y, k int) {
		u, s := 2*x+k%2, 2*y+k/2
		r := t.cameraRay((float64(u)+0.5)/2, (float64(s)+0.5)/2)
		first := bvh.Hit{T: math.Inf(1), Tri: seen[s*2*w+u]}
		if first.Tri >= 0 {
			first = t.intersectPlane(r.o, r.d, first.Tri)
		}
		e.add(v, r, first, y*w+x)
	}
	level := make([]filter.Tones, w*h)
	cover := make([]float32, w*h) // of grains, which need no more samples: each one shows their mean over the pixel
	t.eachSquare(func(v *wavefront, square image.Rectangle) {
		points(square, func(x, y int) {
			if moving.at(x, y) {
				e.unsure[y*w+x] = true
				return
			}
			sample(v, x, y, 0)
		})
		t.tracePaths(v)
		e.collect(v)
		for i, k := range v.pixel {
			level[k], cover[k] = filter.TonesOf(v.light[i]), v.cover[i]
		}
	})
	const ( // what a pixel needs
		another = 1 + iota // sample
		several
	)
	need := make([]uint8, w*h)
	par.Each(h, func(y int) {
		for x := range w {
			i := y*w + x
			if e.unsure[i] {
				continue
			}
			step := e.contrast(level, cover, x, y)
			switch {
			case step > edgeStep && (t.bendsLight(seen, x, y, w) || t.mixedKinds(seen, x, y, w)):
				need[i] = several
			case step > visibleStep || t.mixedKinds(seen, x, y, w):
				need[i] = another
			}
		}
	})
	t.eachSquare(func(v *wavefront, square image.Rectangle) {
		points(square, func(x, y int) {
			if need[y*w+x] > 0 {
				sample(v, x, y, 3) // the opposite corner: it shows whether more are needed
			}
		})
		t.tracePaths(v)
		for i, k := range v.pixel {
			limit := float32(edgeStep)
			x, y := int(k)%w, int(k)/w
			if t.mixedKinds(seen, x, y, w) || t.bendsLight(seen, x, y, w) {
				limit = 2 * visibleStep
			}
			e.unsure[k] = need[k] == several || filter.TonesOf(e.sum[k]).Step(filter.TonesOf(v.light[i])) > limit
		}
		e.collect(v)
	})
	e.refine()
	return e.picture()
}

const (
	maxSample   = 6    // bounds a sample, so that a glint smaller than a pixel does not light all of it
	visibleStep = 0.02 // of the display's range: just visible in a calm area
	edgeStep    = 0.10 // of the display's range: an edge whose stairs would show
)

// mixedKinds reports whether things of different kinds meet in the pixel.
func (t *tracer) mixedKinds(seen []int32, x, y, w int) bool {
	i := 2*y*2*w + 2*x
	k := t.kind(seen[i])
	return k != t.kind(seen[i+1]) || k != t.kind(seen[i+2*w]) || k != t.kind(seen[i+2*w+1])
}

// bendsLight reports whether a thing that refracts or mirrors is seen in the pixel.
func (t *tracer) bendsLight(seen []int32, x, y, w int) bool {
	i := 2*y*2*w + 2*x
	for _, tri := range [4]int32{seen[i], seen[i+1], seen[i+2*w], seen[i+2*w+1]} {
		switch t.kind(tri) {
		case liquid:
			return true
		case solid:
			if s := t.material(tri).Substance; s == Glass || s == Metal {
				return true
			}
		}
	}
	return false
}

// contrast returns how far the tones of the pixel and its neighbours are apart, without what
// grains explain. Pixels without a sample have none.
func (e *exposure) contrast(level []filter.Tones, cover []float32, x, y int) float32 {
	lo := level[y*e.w+x]
	hi, grains := lo, cover[y*e.w+x]
	for _, n := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
		if i := n[1]*e.w + n[0]; n[0] >= 0 && n[1] >= 0 && n[0] < e.w && n[1] < e.h && e.samples[i] > 0 {
			for k, l := range level[i] {
				lo[k], hi[k] = min(lo[k], l), max(hi[k], l)
			}
			grains = max(grains, cover[i])
		}
	}
	return lo.Step(hi) - grains
}
