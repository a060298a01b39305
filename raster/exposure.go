package raster

import (
	"image"
	"math"
	"math/bits"
	"slices"

	"breakwater/raster/bvh"
	"breakwater/sim/par"
)

// An exposure is cut into instants: at each, all that moves stands where it is
// then, the tree is refitted, and one ray goes through each pixel that still
// needs one, at an instant's own place in the pixel, on the lens, and on the
// sun's disc. After the first few, only those go on whose mean is not yet sure
// to a shade that can be told, and those beside them. Instants follow van der
// Corput's sequence, so that those that a pixel has are spread evenly over the
// exposure wherever it stops. Neighbours have instants of their own, between
// each other's (interleaved sampling, Keller and Heidrich 2001): what is fast
// leaves a streak and not a row of copies of itself.
const (
	instants = 32 // of a pixel
	shifts   = 2  // of squares as on a chessboard; 4 look no better and take 2 s more at 960×540
)

// firstLook is how many instants every pixel has. After it and after each
// doubling it is decided which pixels go on.
const firstLook = 4

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
	share := make([]float64, w*h) // 1 over the number of rays
	var ways []way
	if t.motion != nil {
		ways = make([]way, w*h)
	}
	for k := range instants {
		if k >= firstLook && k&(k-1) == 0 && !t.judge(seen, ways, unsure, k, w, h) {
			break
		}
		at := t.sampleAt(k)
		look := func(v *wave, square image.Rectangle, wanted func(x, y int) bool) {
			points(square, func(x, y int) {
				if unsure[y*w+x] && wanted(x, y) {
					v.add(t.lensRay(float64(x)+at.x, float64(y)+at.y, at, x, y), bvh.Hit{}, y*w+x)
				}
			})
			t.cast(v)
			if ways != nil {
				for n, i := range v.pixel {
					if v.hits[n].Tri >= 0 {
						ways[i] = ways[i].longer(t.wayOf(v.legs[n].ray, v.hits[n]))
					}
				}
			}
			t.eyes(v)
			for n, i := range v.pixel {
				c := v.sums[n]
				sum[i] = sum[i].add(c)
				seen[i].add(shown(c))
				share[i] = 1 / float64(k+1)
			}
		}
		if t.motion == nil {
			t.eachSquare(func(v *wave, square image.Rectangle) {
				look(v, square, func(x, y int) bool { return true })
			})
			continue
		}
		for shift := range shifts {
			t.moveTo((instant(k, shift) - 0.5) * t.view.Shutter)
			t.eachSquare(func(v *wave, square image.Rectangle) {
				look(v, square, func(x, y int) bool { return (x+y)&1 == shift })
			})
		}
	}
	for i := range sum {
		sum[i] = sum[i].scale(share[i])
	}
	return sum
}

// instant returns the time, from 0 to 1, of the k-th instant of the pixels with
// a shift. The shift flips bits of van der Corput's number such that after any
// power of two of instants those of both shifts together are well spread.
func instant(k, shift int) float64 {
	const all = instants * shifts
	at := int(bits.Reverse32(uint32(k))>>(32-6)) ^ shift*(all/8+all/32+all/64)
	return (float64(at) + 0.5) / all
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

// lensRay returns the ray of pixel (px, py) through the point (x, y) of the
// picture from a point of the lens. Each pixel turns the lens by an angle of
// its own, so that what is out of focus is grain and not as many ghosts as
// there are instants.
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

// tally is what is known of the rays of a pixel: the sum of how bright they are
// shown, and of its square.
type tally struct{ sum, squares float32 }

func (s *tally) add(x float64) { s.sum, s.squares = s.sum+float32(x), s.squares+float32(x*x) }

// doubt returns the standard error of the mean of n rays.
func (s *tally) doubt(n int) float64 {
	mean := float64(s.sum) / float64(n)
	variance := (float64(s.squares)/float64(n) - mean*mean) * float64(n) / float64(n-1)
	return math.Sqrt(max(0, variance) / float64(n))
}

// way is how far something goes in the picture while the shutter is open, px.
type way struct{ x, y float32 }

func (a way) len() float32 { return max(a.x, -a.x, a.y, -a.y) }

func (a way) longer(b way) way {
	if b.len() > a.len() {
		return b
	}
	return a
}

// wayOf returns the way of what r meets at h.
func (t *tracer) wayOf(r ray, h bvh.Hit) way {
	v := t.motion.velocity[t.tri[h.Tri][0]]
	l := t.lens
	px := t.view.Shutter / (h.T * -r.d.Dot(l.back) * l.pixel())
	return way{float32(v.Dot(l.right) * px), float32(-v.Dot(l.up) * px)}
}

// judge finds the pixels that need more than the k rays they have, among those
// that have k, and reports whether there are any. They are those in doubt, those
// that may be on the way of what is fast and is seen in those, and all about them.
func (t *tracer) judge(seen []tally, ways []way, unsure []bool, k, w, h int) bool {
	poor := make([]bool, len(seen))
	par.Each(h, func(y int) {
		for i := y * w; i < (y+1)*w; i++ {
			poor[i] = unsure[i] && seen[i].doubt(k) > t.effort.doubt
		}
	})
	const slow = 6 // px, which those about a pixel cover
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
