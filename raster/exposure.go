package raster

import (
	"image"
	"math"
	"slices"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/filter"
	"breakwater/sim/num"
	"breakwater/sim/par"
)

// An exposure has several samples per pixel. Each sample has a point in the pixel, on the
// lens and on the sun's disc, and an instant. After the first few samples, and after each
// doubling, only pixels whose mean still has a visible standard error are refined, and
// their neighbours.
//
// A pixel's instants are spread evenly over the exposure, and lie between the instants
// of its neighbours (interleaved sampling, Keller and Heidrich 2001). Fast objects
// therefore leave a streak, not a row of copies. For that the exposure is cut into
// slabs. In each, all moves on from where it is at its begin to where it is at its end,
// and each ray meets it at the ray's own time.
const (
	maxSamples = 32 // at most, of any pixel
	timeSlabs  = 16 // at most

	// The standard error of fewer samples says little, and one sample has none. There a pixel is
	// uncertain, too, if its brightness is a step from a neighbour's, whose samples have other
	// times.
	fewSamples = 4
	unlikeStep = 2.5 * visibleStep
	calmStep   = visibleStep / 2 // of pixels with one sample, which show the scatter of their times as grain
)

// exposure is the picture that a camera takes: over the time that the shutter is open and
// the area of the lens.
type exposure struct {
	*tracer
	w, h          int
	sum           []color.RGB       // by pixel, of the light of its samples
	seen          []filter.Stats    // by pixel
	samples       []int32           // by pixel: number of samples
	unsure        []bool            // by pixel: whether it needs more samples
	squares       []image.Rectangle // with pixels that are unsure
	displacements []filter.Displacement
	streaks       []filter.Streak
	offsets       []float64
	moved         int      // number of the slab that all is in, from 1; 0 for the middle of the exposure
	passed        []passed // by pixel: the grains before what it sees; nil without grains or with a lens
}

func (t *tracer) newExposure() *exposure {
	w, h := int(t.lens.Width), int(t.lens.Height)
	e := &exposure{
		tracer: t, w: w, h: h, sum: make([]color.RGB, w*h), seen: make([]filter.Stats, w*h),
		samples: make([]int32, w*h), unsure: make([]bool, w*h),
	}
	if t.motion != nil {
		e.displacements, e.streaks, e.offsets = make([]filter.Displacement, w*h), make([]filter.Streak, w*h), timeOffsets(w, h)
	}
	if t.spray != nil && t.lens.Aperture == 0 {
		e.passed = make([]passed, w*h)
	}
	return e
}

// renderExposure draws the picture with several samples of every pixel.
func (t *tracer) renderExposure() []color.RGB {
	e := t.newExposure()
	for i := range e.unsure {
		e.unsure[i] = true
	}
	e.refine()
	return e.picture()
}

// refine adds samples to the pixels that are unsure, until none is or all have as many as
// there may be.
func (e *exposure) refine() {
	back := false
	for from, to := 0, e.limits.minSamples; from < e.limits.maxSamples; from, to = to, 2*to {
		if from > 0 && !e.findUncertain(from) {
			break
		}
		e.sweep(from, min(to, e.limits.maxSamples), back)
		back = !back
	}
}

// sweep adds the samples from one number to another, in the order of their time or against it.
// Sweeps that go forth and back in turn move everything less often.
func (e *exposure) sweep(from, to int, back bool) {
	type part struct{ k, slab int }
	var parts []part
	slabs := float64(e.limits.timeSlabs)
	for k := from; k < to; k++ {
		if e.motion == nil {
			parts = append(parts, part{k, 0})
			continue
		}
		lo, hi := stratum(k, e.limits.minSamples)
		for slab := int(lo * slabs); slab < int(math.Ceil(hi*slabs)); slab++ {
			parts = append(parts, part{k, slab})
		}
	}
	if back {
		slices.Reverse(parts)
	}
	e.findUnsureSquares()
	for _, p := range parts {
		if e.motion != nil && e.moved != p.slab+1 {
			e.moveOver((float64(p.slab)/slabs-0.5)*e.view.Shutter, (float64(p.slab+1)/slabs-0.5)*e.view.Shutter)
			e.moved = p.slab + 1
		}
		e.sample(p.k, e.sampleAt(p.k), p.slab)
	}
}

// sample adds the k-th sample, at a point of the pixel, to the pixels that are unsure and
// whose sample is in a slab of time.
func (e *exposure) sample(k int, at samplePoint, slab int) {
	par.Each(len(e.squares), func(n int) {
		withWavefront(func(v *wavefront) {
			points(e.squares[n], func(x, y int) {
				i := y*e.w + x
				if !e.unsure[i] {
					return
				}
				now, on := 0.0, 0.0
				if e.motion != nil {
					if now, on = math.Modf(float64(float64(e.limits.timeSlabs) * sampleTime(k, e.limits.minSamples, e.offsets[i]))); int(now) != slab {
						return
					}
				}
				r := e.lensRay(float64(x)+at.x, float64(y)+at.y, at, x, y)
				r.time = on
				e.add(v, r, bvh.Hit{}, i)
			})
			e.intersectAll(v)
			v.fast = v.fast[:0]
			if e.displacements != nil {
				for n, i := range v.pixel {
					var here filter.Displacement
					if v.hits[n].Tri >= 0 {
						here = e.displacementOf(v.segments[n].ray, v.hits[n])
					}
					e.displacements[i] = e.displacements[i].Longer(here)
					v.fast = append(v.fast, here.Len() > filter.StreakLimit)
				}
			}
			e.tracePaths(v)
			e.collect(v)
		})
	})
}

// findUnsureSquares finds the squares with pixels that are unsure.
func (e *exposure) findUnsureSquares() {
	all := squaresOf(e.region)
	some := make([]bool, len(all))
	par.Each(len(all), func(i int) {
		for y := all[i].Min.Y; y < all[i].Max.Y; y++ {
			some[i] = some[i] || slices.Contains(e.unsure[y*e.w+all[i].Min.X:y*e.w+all[i].Max.X], true)
		}
	})
	e.squares = e.squares[:0]
	for i, s := range some {
		if s {
			e.squares = append(e.squares, all[i])
		}
	}
}

// add adds a path of pixel i to v.
func (e *exposure) add(v *wavefront, r ray, first bvh.Hit, i int) {
	if e.passed != nil {
		r.passed = &e.passed[i]
	}
	v.add(r, first, i)
}

// collect adds the light of the paths of v to their pixels.
func (e *exposure) collect(v *wavefront) {
	for n, i := range v.pixel {
		c := v.light[n]
		e.sum[i] = e.sum[i].Add(c)
		e.seen[i].Add(filter.TonesOf(c))
		e.samples[i]++
		if e.displacements != nil && len(v.fast) > 0 && v.fast[n] {
			e.streaks[i].Add(c)
		}
	}
}

// picture returns the mean over the samples, with smooth streaks.
func (e *exposure) picture() []color.RGB {
	for i, n := range e.samples {
		e.sum[i] = e.sum[i].Scale(1 / float64(max(1, n)))
		if e.streaks != nil {
			e.streaks[i].Average(n)
		}
	}
	if e.streaks == nil {
		return e.sum
	}
	return filter.Reconstruct(e.sum, e.seen, e.samples, e.streaks, e.displacements, e.w, e.h)
}

// stratum returns the part of the exposure, from 0 to 1, that contains the k-th sample of
// all pixels. The first samples go through the exposure once, as many more go through it
// a second time, and so on.
func stratum(k, first int) (lo, hi float64) {
	n := first
	for 2*n <= k {
		n *= 2
	}
	i := k
	if k >= n {
		i -= n
	}
	return float64(i) / float64(n), float64(i+1) / float64(n)
}

// sampleTime returns the time, from 0 to 1, of the k-th sample of a pixel whose offset is
// between 0 and 1. Later samples lie in the middle between earlier ones, so after each
// doubling all are equally far apart.
func sampleTime(k, first int, offset float64) float64 {
	lo, hi := stratum(k, first)
	offset /= (hi - lo) * float64(first)
	if k >= first {
		offset += 0.5
	}
	return lo + float64((hi-lo)*(offset-math.Floor(offset)))
}

// timeOffsets returns numbers from 0 to 1 for the pixels. The numbers of each square of four
// pixels lie in four fifths, of each 4 × 4 square in sixteen of 25 parts, and so on. The
// order of the parts is random (after Ahmed and Wonka 2020), so that no speed is in step
// with them. Twice as many instants are half as far from each other: the numbers are then
// doubled, and their whole parts dropped. That permutes fifths, where quarters would fall
// together.
func timeOffsets(w, h int) []float64 {
	const levels = 4
	list := make([]float64, w*h)
	par.Each(h, func(j int) {
		for i := range w {
			turn, part := 0.0, 1.0
			for level, x, y := 0, i, j; level < levels; level, x, y = level+1, x/2, y/2 {
				chance := int(20 * num.Hash(x/2+level<<20, y/2))
				quarter := ((x^y)&1<<1 | y&1) ^ chance%4 // those across are next to each other
				part /= 5
				turn += float64(part * float64((quarter+chance/4)%5))
			}
			list[j*w+i] = turn + float64(part/2)
		}
	})
	return list
}

// samplePoint is the point of a sample in the pixel, on the lens and on the sun.
type samplePoint struct{ x, y, lens, turn float64 }

// sampleAt returns the point of the k-th sample, from Roberts' sequence in two dimensions
// (2018, The unreasonable effectiveness of quasirandom sequences), used twice.
func (t *tracer) sampleAt(k int) samplePoint {
	step := func(a float64) float64 { a = 0.5 + float64(a*float64(k)); return a - math.Floor(a) }
	p := samplePoint{x: step(0.7548776662466927), y: step(0.5698402909980532), lens: step(0.8191725133961645), turn: step(0.6710436067037893)}
	// The sun's disc, evenly.
	sin, cos := math.Sincos(2 * math.Pi * p.turn)
	r := t.sky.SunRadius * math.Sqrt(p.lens)
	across := camera.Up(t.sky.ToSun).Cross(t.sky.ToSun).Unit()
	t.toSun = t.sky.ToSun.Add(across.Mul(r * cos)).Add(t.sky.ToSun.Cross(across).Mul(r * sin)).Unit()
	return p
}

// lensRay returns the ray of pixel (px, py) through the point (x, y) of the picture from
// a point of the lens. Each pixel rotates the lens by an angle of its own, so blur
// becomes grain instead of one ghost per sample.
func (t *tracer) lensRay(x, y float64, at samplePoint, px, py int) ray {
	r := t.cameraRay(x, y)
	l := t.lens
	if l.Aperture == 0 {
		return r
	}
	ahead := -r.d.Dot(l.Back)
	focus := r.o.Add(r.d.Mul(l.Focus / ahead))
	u, v := at.lens+num.Hash(px, py), at.turn+num.Hash(py, ^px)
	radius := l.Aperture * math.Sqrt(u-math.Floor(u))
	sin, cos := math.Sincos(2 * math.Pi * v)
	r.o = r.o.Add(l.Right.Mul(radius * cos)).Add(l.Up.Mul(radius * sin))
	r.d = focus.Sub(r.o).Unit()
	return r
}

// contrastOf returns the largest difference between the means of pixel i and of its neighbours.
func (e *exposure) contrastOf(i int) (most float64) {
	mean := func(i int) filter.Tones { return e.seen[i].Mean(int(e.samples[i])) }
	x, y, own := i%e.w, i/e.w, mean(i)
	for _, n := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
		if k := n[1]*e.w + n[0]; n[0] >= 0 && n[1] >= 0 && n[0] < e.w && n[1] < e.h && e.samples[k] > 0 {
			most = max(most, float64(own.Step(mean(k))))
		}
	}
	return most
}

// uncertain reports whether pixel i needs more samples after the k-th. The error of a pixel with
// several may exceed the limits by the factor room.
func (e *exposure) uncertain(i, k int, room float64) bool {
	if k == 1 {
		return e.contrastOf(i) > calmStep
	}
	if float64(e.seen[i].StandardError(int(e.samples[i])).Max()) > room*e.limits.maxError {
		return true
	}
	return k < fewSamples && e.contrastOf(i) > room*unlikeStep
}

// findUncertain finds the pixels that need more samples after the k-th, and reports whether there
// are any. These are uncertain pixels, pixels on the path of fast objects seen in them, and,
// from the second sample on, their neighbours.
func (e *exposure) findUncertain(k int) bool {
	w, h := e.w, e.h
	poor := make([]bool, len(e.seen))
	par.Each(h, func(y int) {
		for i := y * w; i < (y+1)*w; i++ {
			room := 1.0 // beyond the limits, where reconstruct takes the mean over several pixels
			if e.displacements != nil && e.displacements[i].Len() > filter.StreakLimit {
				room = min(2, max(1.5, math.Sqrt(2*e.displacements[i].Reach())))
			}
			poor[i] = e.unsure[i] && e.uncertain(i, k, room)
		}
	})
	along := poor
	if e.displacements != nil && k <= max(fewSamples, 2*e.limits.minSamples) {
		along = slices.Clone(poor)
		for i, p := range poor {
			n := e.displacements[i].Len()
			if !p || n <= filter.DenoiseLimit {
				continue
			}
			dx, dy := e.displacements[i].X/n, e.displacements[i].Y/n
			n = min(n, float32(e.view.reach()))
			for s := -n; s <= n; s += 2 {
				x, y := i%w+int(math.Round(float64(s*dx))), i/w+int(math.Round(float64(s*dy)))
				if x >= 0 && x < w && y >= 0 && y < h {
					along[y*w+x] = true
				}
			}
		}
	}
	around := 1
	if k == 1 { // a step marks the pixels on both of its sides
		around = 0
	}
	rows := make([]bool, h) // that have some
	par.Each(h, func(y int) {
		for x := range w {
			i := y*w + x
			if !e.unsure[i] {
				continue
			}
			more := false
			for v := max(0, y-around); v <= min(h-1, y+around); v++ {
				for u := max(0, x-around); u <= min(w-1, x+around); u++ {
					more = more || along[v*w+u]
				}
			}
			e.unsure[i] = more
			rows[y] = rows[y] || more
		}
	})
	return slices.Contains(rows, true)
}
