package raster

import (
	"image"
	"math"
	"slices"

	"breakwater/raster/bvh"
	"breakwater/sim/par"
)

// An exposure looks at each pixel at some instants, with a ray each, at an instant's own
// place in the pixel, on the lens, and on the sun's disc. After the first few, and after
// each doubling, only pixels whose mean is not yet certain to a visible shade, and their
// neighbours, are refined.
//
// A pixel's instants are spread evenly over the exposure, and lie between the instants
// of its neighbours (interleaved sampling, Keller and Heidrich 2001). Fast objects
// therefore leave a streak, not a row of copies. For that the exposure is cut into
// slabs. In each, all moves on from where it is at its begin to where it is at its end,
// and each ray meets it at the ray's own time.
const (
	firstLook = 4  // instants of every pixel
	instants  = 32 // of a pixel at most
	slabs     = 16
)

// exposed draws the picture as a camera takes it: over the time that the
// shutter is open and the area of the lens.
func (t *tracer) exposed() []rgb {
	w, h := int(t.lens.width), int(t.lens.height)
	sum := make([]rgb, w*h)
	seen := make([]tally, w*h)
	unsure := make([]bool, w*h)
	for i := range unsure {
		unsure[i] = true
	}
	looks := make([]int32, w*h) // number of instants
	var ways []way
	var streaks []streak
	var turn []float64
	if t.motion != nil {
		ways, streaks, turn = make([]way, w*h), make([]streak, w*h), turns(w, h)
	}
	look := func(k int, at place, slab int) {
		t.eachSquare(func(v *wave, square image.Rectangle) {
			points(square, func(x, y int) {
				i := y*w + x
				if !unsure[i] {
					return
				}
				now, on := 0.0, 0.0
				if t.motion != nil {
					if now, on = math.Modf(slabs * instant(k, turn[i])); int(now) != slab {
						return
					}
				}
				r := t.lensRay(float64(x)+at.x, float64(y)+at.y, at, x, y)
				r.when = on
				v.add(r, bvh.Hit{}, i)
			})
			t.cast(v)
			v.fast = v.fast[:0]
			if ways != nil {
				for n, i := range v.pixel {
					var here way
					if v.hits[n].Tri >= 0 {
						here = t.wayOf(v.legs[n].ray, v.hits[n])
					}
					ways[i] = ways[i].longer(here)
					v.fast = append(v.fast, here.len() > fast)
				}
			}
			t.eyes(v)
			for n, i := range v.pixel {
				c := v.sums[n]
				sum[i] = sum[i].add(c)
				seen[i].add(shown(c))
				looks[i] = int32(k + 1)
				if ways != nil && v.fast[n] {
					streaks[i].add(c)
				}
			}
		})
	}
	for k := range instants {
		if k >= firstLook && k&(k-1) == 0 && !t.judge(seen, ways, unsure, k, w, h) {
			break
		}
		at := t.sampleAt(k)
		if t.motion == nil {
			look(k, at, 0)
			continue
		}
		lo, hi := stretchOf(k)
		for slab := int(lo * slabs); slab < int(hi*slabs); slab++ {
			t.moveOver((float64(slab)/slabs-0.5)*t.view.Shutter, (float64(slab+1)/slabs-0.5)*t.view.Shutter)
			look(k, at, slab)
		}
	}
	for i, n := range looks {
		sum[i] = sum[i].scale(1 / float64(max(1, n)))
		if streaks != nil {
			streaks[i].of(n)
		}
	}
	if streaks == nil {
		return sum
	}
	return smoothed(sum, seen, looks, streaks, ways, w, h)
}

// stretchOf returns the part of the exposure, from 0 to 1, that the k-th instant
// of all pixels lies in: they go through it once at first, once for as many
// more, and so on.
func stretchOf(k int) (lo, hi float64) {
	n := firstLook
	for 2*n <= k {
		n *= 2
	}
	i := k
	if k >= n {
		i -= n
	}
	return float64(i) / float64(n), float64(i+1) / float64(n)
}

// instant returns the time, from 0 to 1, of the k-th instant of a pixel whose
// turn is one from 0 to 1. Those after the first lie in the middle between those
// before: after each doubling they are equally far from each other.
func instant(k int, turn float64) float64 {
	lo, hi := stretchOf(k)
	turn /= (hi - lo) * firstLook
	if k >= firstLook {
		turn += 0.5
	}
	return lo + (hi-lo)*(turn-math.Floor(turn))
}

// turns returns numbers from 0 to 1 for the pixels. The numbers of each square of four
// pixels lie in four fifths, of each 4 × 4 square in sixteen of 25 parts, and so on. The
// order of the parts is random (after Ahmed and Wonka 2020), so that no speed is in step
// with them. Twice as many instants are half as far from each other: the numbers are then
// doubled, and their whole parts dropped. That permutes fifths, where quarters would fall
// together.
func turns(w, h int) []float64 {
	const levels = 4
	list := make([]float64, w*h)
	par.Each(h, func(j int) {
		for i := range w {
			turn, part := 0.0, 1.0
			for level, x, y := 0, i, j; level < levels; level, x, y = level+1, x/2, y/2 {
				chance := int(20 * hash(x/2+level<<20, y/2))
				quarter := ((x^y)&1<<1 | y&1) ^ chance%4 // those across are next to each other
				part /= 5
				turn += part * float64((quarter+chance/4)%5)
			}
			list[j*w+i] = turn + part/2
		}
	})
	return list
}

// place is where in the pixel, on the lens and on the sun an instant's rays go.
type place struct{ x, y, lens, turn float64 }

// sampleAt returns the place of instant k: Roberts' sequence in two dimensions
// twice (2018, The unreasonable effectiveness of quasirandom sequences).
func (t *tracer) sampleAt(k int) place {
	step := func(a float64) float64 { a = 0.5 + a*float64(k); return a - math.Floor(a) }
	p := place{x: step(0.7548776662466927), y: step(0.5698402909980532), lens: step(0.8191725133961645), turn: step(0.6710436067037893)}
	// The sun's disc, evenly.
	sin, cos := math.Sincos(2 * math.Pi * p.turn)
	r := t.sky.radius * math.Sqrt(p.lens)
	across := upFor(t.sky.toSun).Cross(t.sky.toSun).Unit()
	t.toSun = t.sky.toSun.Add(across.Mul(r * cos)).Add(t.sky.toSun.Cross(across).Mul(r * sin)).Unit()
	return p
}

// lensRay returns the ray of pixel (px, py) through the point (x, y) of the picture from
// a point of the lens. Each pixel rotates the lens by an angle of its own, so blur
// becomes grain instead of one ghost per instant.
func (t *tracer) lensRay(x, y float64, at place, px, py int) ray {
	r := t.eyeRay(x, y)
	l := t.lens
	if l.aperture == 0 {
		return r
	}
	ahead := -r.d.Dot(l.back)
	focus := r.o.Add(r.d.Mul(l.focus / ahead))
	u, v := at.lens+hash(px, py), at.turn+hash(py, ^px)
	radius := l.aperture * math.Sqrt(u-math.Floor(u))
	sin, cos := math.Sincos(2 * math.Pi * v)
	r.o = r.o.Add(l.right.Mul(radius * cos)).Add(l.up.Mul(radius * sin))
	r.d = focus.Sub(r.o).Unit()
	return r
}

// tally holds sums over the rays of a pixel: of the displayed brightness and of its
// square.
type tally struct{ sum, squares float32 }

func (s *tally) add(x float64) { s.sum, s.squares = s.sum+float32(x), s.squares+float32(x*x) }

// doubt returns the standard error of the mean of n rays.
func (s *tally) doubt(n int) float64 {
	mean := float64(s.sum) / float64(n)
	variance := (float64(s.squares)/float64(n) - mean*mean) * float64(n) / float64(n-1)
	return math.Sqrt(max(0, variance) / float64(n))
}

// judge finds the pixels that need more than their k rays, and reports whether there are
// any. These are uncertain pixels, pixels on the path of fast objects seen in them, and
// their neighbours.
func (t *tracer) judge(seen []tally, ways []way, unsure []bool, k, w, h int) bool {
	poor := make([]bool, len(seen))
	par.Each(h, func(y int) {
		for i := y * w; i < (y+1)*w; i++ {
			limit := t.effort.doubt
			if ways != nil && ways[i].len() > fast {
				limit *= 1.5 // several are taken together, see drawOut
			}
			poor[i] = unsure[i] && seen[i].doubt(k) > limit
		}
	})
	along := poor
	if ways != nil && k <= 2*firstLook {
		along = slices.Clone(poor)
		for i, p := range poor {
			n := ways[i].len()
			if !p || n <= slow {
				continue
			}
			dx, dy := ways[i].x/n, ways[i].y/n
			n = min(n, float32(t.view.reach()))
			for s := -n; s <= n; s += 2 {
				x, y := i%w+int(math.Round(float64(s*dx))), i/w+int(math.Round(float64(s*dy)))
				if x >= 0 && x < w && y >= 0 && y < h {
					along[y*w+x] = true
				}
			}
		}
	}
	any := make([]bool, h)
	par.Each(h, func(y int) {
		for x := range w {
			i := y*w + x
			if !unsure[i] {
				continue
			}
			more := false
			for v := max(0, y-1); v <= min(h-1, y+1); v++ {
				for u := max(0, x-1); u <= min(w-1, x+1); u++ {
					more = more || along[v*w+u]
				}
			}
			unsure[i] = more
			any[y] = any[y] || more
		}
	})
	return slices.Contains(any, true)
}
