package raster

import (
	"math"

	"breakwater/raster/bvh"
	"breakwater/sim/par"
)

// way is how far something goes in the picture while the shutter is open, px.
type way struct{ x, y float32 }

func (a way) len() float32 { return max(a.x, -a.x, a.y, -a.y) }

func (a way) longer(b way) way {
	if b.len() > a.len() {
		return b
	}
	return a
}

// reach returns how far to both sides a streak is smoothed along its way, px: a
// sixth of the way, and half a pixel.
func (a way) reach() float64 { return min(6, float64(a.len())/6) + 0.5 }

// wayOf returns the path of the object that r meets at h. Liquid that slides along a side
// of the tank is flat and invisible there, so its path is the path of the object behind.
func (t *tracer) wayOf(r ray, h bvh.Hit) way {
	l := t.lens
	far := h.T * -r.d.Dot(l.back) // from the eye
	a := t.wayAt(h.Tri, far)
	if t.kind(h.Tri) != liquid || a.len() <= fast {
		return a
	}
	s := t.surface(r, h)
	if s.exiting || !t.onPane(s.p, s.flat, r.when) {
		return a
	}
	r.o, r.d = s.p.Sub(s.flat.Mul(t.near)), s.refracted
	behind := t.next(r, t.floor.distance(r.o, r.d))
	if behind.Tri < 0 {
		return way{}
	}
	return t.wayAt(behind.Tri, far-behind.T*r.d.Dot(l.back))
}

// wayAt returns the path of a triangle at the given distance from the lens, in metres.
func (t *tracer) wayAt(tri int32, far float64) way {
	v, l := t.motion.velocity[t.tri[tri][0]], t.lens
	px := t.view.Shutter / (far * l.pixel())
	return way{float32(v.Dot(l.right) * px), float32(-v.Dot(l.up) * px)}
}

const (
	slow = 6 // px, the longest way that those beside a pixel cover when they are looked at again, and that is denoised
	fast = 2 // px, the longest way that leaves neither a streak nor grain to be smoothed
)

// streak is the contribution of fast objects to a pixel: their light, and the part of
// the exposure in which they are seen.
type streak struct {
	light rgb
	cover float64
}

func (s *streak) add(c rgb) { s.light, s.cover = s.light.add(c), s.cover+1 }

// of makes sums over n instants means.
func (s *streak) of(n int32) {
	f := 1 / float64(max(1, n))
	s.light, s.cover = s.light.scale(f), s.cover*f
}

// drawOut returns the picture with its streaks smoothed along themselves. A pixel
// catches a glint of a fast object at only a few instants, which would be grain. Pixels
// before and behind it on the path catch the glint at other instants. Each pixel
// therefore takes the mean over a short part of the path, which lengthens the streak
// only a little. The background stays sharp.
func drawOut(sum []rgb, streaks []streak, ways []way, w, h int) []rgb {
	smoothed := make([]rgb, len(sum))
	par.Each(h, func(y int) {
		for x := range w {
			i := y*w + x
			own := streaks[i]
			smoothed[i] = sum[i]
			if own.cover == 0 {
				continue
			}
			n := ways[i].len()
			dx, dy := float64(ways[i].x/n), float64(ways[i].y/n)
			reach := ways[i].reach()
			mean, taken := streak{}, 0.0
			for s := -math.Floor(reach + 0.5); s < reach+0.5; s++ {
				u, v := x+int(math.Round(s*dx)), y+int(math.Round(s*dy))
				if u >= 0 && u < w && v >= 0 && v < h {
					o, weight := streaks[v*w+u], min(1, reach+0.5-math.Abs(s))
					mean.light, mean.cover = mean.light.add(o.light.scale(weight)), mean.cover+weight*o.cover
					taken += weight
				}
			}
			mean.light, mean.cover = mean.light.scale(1/taken), mean.cover/taken
			if own.cover > 0.99 { // nothing behind it is known
				smoothed[i] = mean.light.scale(1 / mean.cover)
				continue
			}
			behind := sum[i].add(own.light.scale(-1)).scale(1 / (1 - own.cover))
			smoothed[i] = mean.light.add(behind.scale(1 - mean.cover))
		}
	})
	return smoothed
}
