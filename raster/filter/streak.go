package filter

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/par"
)

// Displacement is how far an object moves in the picture while the shutter is open, px.
type Displacement struct{ X, Y float32 }

// Len returns its length along x or y, whichever is longer.
func (a Displacement) Len() float32 { return max(a.X, -a.X, a.Y, -a.Y) }

// Longer returns a, or b if that is longer.
func (a Displacement) Longer(b Displacement) Displacement {
	if b.Len() > a.Len() {
		return b
	}
	return a
}

// Reach returns how far a streak is smoothed to both sides along the displacement, px: a
// sixth of its length, and half a pixel.
func (a Displacement) Reach() float64 { return min(6, float64(a.Len())/6) + 0.5 }

const (
	DenoiseLimit = 6 // px, the longest displacement that is denoised; pixels along longer ones are refined
	StreakLimit  = 2 // px, the longest displacement that is neither smoothed nor denoised
)

// Streak is the contribution of fast objects to a pixel: their light, and the part of
// the exposure in which they are seen.
type Streak struct {
	light    color.RGB
	coverage float64
}

// Add adds the light of a sample.
func (s *Streak) Add(c color.RGB) { s.light, s.coverage = s.light.Add(c), s.coverage+1 }

// Average divides the sums over n samples by n.
func (s *Streak) Average(n int32) {
	f := 1 / float64(max(1, n))
	s.light, s.coverage = s.light.Scale(f), s.coverage*f
}

// smoothStreaks returns the picture with its streaks smoothed along themselves. A pixel
// catches a glint of a fast object in only a few samples, which would be grain. Pixels
// before and behind it on the path catch the glint in other samples. Each pixel
// therefore takes the mean over a short part of the path, which lengthens the streak
// only a little. The background stays sharp.
func smoothStreaks(sum []color.RGB, streaks []Streak, displacements []Displacement, w, h int) []color.RGB {
	smoothed := make([]color.RGB, len(sum))
	par.Each(h, func(y int) {
		for x := range w {
			i := y*w + x
			own := streaks[i]
			smoothed[i] = sum[i]
			if own.coverage == 0 {
				continue
			}
			n := displacements[i].Len()
			dx, dy := float64(displacements[i].X/n), float64(displacements[i].Y/n)
			reach := displacements[i].Reach()
			mean, taken := Streak{}, 0.0
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
