package raster

import (
	"math"

	"breakwater/sim/par"
)

// An exposure is cut into instants: at each, all that moves stands where it is
// then, the tree is refitted, and one ray goes through each pixel that still
// needs one, at an instant's own place in the pixel, on the lens, and on the
// sun's disc. After the first few, only those go on whose mean is not yet sure
// to a shade that can be told, and those beside them. Instants follow van der
// Corput's sequence, so that those that a pixel has are spread evenly over the
// exposure wherever it stops.
const instants = 32

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
	for k := range instants {
		if k >= firstLook && k&(k-1) == 0 && !t.judge(seen, unsure, k, w, h) {
			break
		}
		t.moveTo((instant(k) - 0.5) * t.view.Shutter)
		at := t.sampleAt(k)
		t.pixels(func(x, y int) {
			i := y*w + x
			if !unsure[i] {
				return
			}
			r := t.lensRay(float64(x)+at.x, float64(y)+at.y, at, x, y)
			c := t.eye(r, t.tree.Cast(r.o, r.d, math.Inf(1)))
			sum[i] = sum[i].add(c)
			seen[i].add(shown(c))
			share[i] = 1 / float64(k+1)
		})
	}
	for i := range sum {
		sum[i] = sum[i].scale(share[i])
	}
	return sum
}

// instant returns the time of the k-th instant, from 0 to 1.
func instant(k int) float64 { return vanDerCorput(k) + 0.5/instants }

// vanDerCorput returns the k-th number of van der Corput's sequence in base 2.
func vanDerCorput(k int) float64 {
	x, half := 0.0, 0.5
	for ; k > 0; k, half = k/2, half/2 {
		if k&1 != 0 {
			x += half
		}
	}
	return x
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

// judge finds the pixels that need more than the k rays they have, among those
// that have k, and reports whether there are any.
func (t *tracer) judge(seen []tally, unsure []bool, k, w, h int) bool {
	poor := make([]bool, len(seen))
	par.Each(h, func(y int) {
		for i := y * w; i < (y+1)*w; i++ {
			poor[i] = unsure[i] && seen[i].doubt(k) > t.effort.doubt
		}
	})
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
					more = more || poor[v*w+u]
				}
			}
			unsure[i] = more
			any[y] = any[y] || more
		}
	})
	for _, a := range any {
		if a {
			return true
		}
	}
	return false
}
