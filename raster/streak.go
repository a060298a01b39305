package raster

import (
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/sim/par"
)

// displacement is how far an object moves in the picture while the shutter is open, px.
type displacement struct{ x, y float32 }

func (a displacement) len() float32 { return max(a.x, -a.x, a.y, -a.y) }

func (a displacement) longer(b displacement) displacement {
	if b.len() > a.len() {
		return b
	}
	return a
}

// reach returns how far a streak is smoothed to both sides along the displacement, px: a
// sixth of its length, and half a pixel.
func (a displacement) reach() float64 { return min(6, float64(a.len())/6) + 0.5 }

// displacementOf returns the path of the object that r meets at h. Liquid that slides along a side
// of the tank is flat and invisible there, so its path is the path of the object behind.
func (t *tracer) displacementOf(r ray, h bvh.Hit) displacement {
	l := t.lens
	far := float64(h.T * -r.d.Dot(l.Back)) // from the eye
	a := t.displacementAt(h.Tri, far)
	if t.kind(h.Tri) != liquid || a.len() <= streakLimit {
		return a
	}
	s := t.liquidHit(r, h)
	if s.exiting || !t.onPane(s.p, s.ng, r.time) {
		return a
	}
	r.o, r.d = s.p.Sub(s.ng.Mul(t.epsilon)), s.refracted
	behind := t.intersect(r, t.floor.distance(r.o, r.d))
	if behind.Tri < 0 {
		return displacement{}
	}
	return t.displacementAt(behind.Tri, far-float64(behind.T*r.d.Dot(l.Back)))
}

// displacementAt returns the path of a triangle at the given distance from the lens, in metres.
func (t *tracer) displacementAt(tri int32, far float64) displacement {
	v, l := t.motion.velocity[t.tri[tri][0]], t.lens
	px := t.view.Shutter / (far * l.PixelAngle())
	return displacement{float32(v.Dot(l.Right) * px), float32(-v.Dot(l.Up) * px)}
}

const (
	denoiseLimit = 6 // px, the longest displacement that is denoised; pixels along longer ones are refined
	streakLimit  = 2 // px, the longest displacement that is neither smoothed nor denoised
)

// streak is the contribution of fast objects to a pixel: their light, and the part of
// the exposure in which they are seen.
type streak struct {
	light    color.RGB
	coverage float64
}

func (s *streak) add(c color.RGB) { s.light, s.coverage = s.light.Add(c), s.coverage+1 }

// average divides the sums over n samples by n.
func (s *streak) average(n int32) {
	f := 1 / float64(max(1, n))
	s.light, s.coverage = s.light.Scale(f), s.coverage*f
}

// smoothStreaks returns the picture with its streaks smoothed along themselves. A pixel
// catches a glint of a fast object in only a few samples, which would be grain. Pixels
// before and behind it on the path catch the glint in other samples. Each pixel
// therefore takes the mean over a short part of the path, which lengthens the streak
// only a little. The background stays sharp.
func smoothStreaks(sum []color.RGB, streaks []streak, displacements []displacement, w, h int) []color.RGB {
	smoothed := make([]color.RGB, len(sum))
	par.Each(h, func(y int) {
		for x := range w {
			i := y*w + x
			own := streaks[i]
			smoothed[i] = sum[i]
			if own.coverage == 0 {
				continue
			}
			n := displacements[i].len()
			dx, dy := float64(displacements[i].x/n), float64(displacements[i].y/n)
			reach := displacements[i].reach()
			mean, taken := streak{}, 0.0
			for s := -math.Floor(reach + 0.5); s < reach+0.5; s++ {
				u, v := x+int(math.Round(s*dx)), y+int(math.Round(s*dy))
				if u >= 0 && u < w && v >= 0 && v < h {
					o, weight := streaks[v*w+u], min(1, reach+0.5-math.Abs(s))
					mean.light, mean.coverage = mean.light.Add(o.light.Scale(weight)), mean.coverage+float64(weight*o.coverage)
					taken += weight
				}
			}
			mean.light, mean.coverage = mean.light.Scale(1/taken), mean.coverage/taken
			if own.coverage > 0.99 { // nothing behind it is known
				smoothed[i] = mean.light.Scale(1 / mean.coverage)
				continue
			}
			behind := sum[i].Add(own.light.Scale(-1)).Scale(1 / (1 - own.coverage))
			smoothed[i] = mean.light.Add(behind.Scale(1 - mean.coverage))
		}
	})
	return smoothed
}
