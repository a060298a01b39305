package whitewater

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/dice"
)

// TestDropSizes breaks many particles and fits the slope of the number of their drops by
// radius.
func TestDropSizes(t *testing.T) {
	for _, d := range []float64{0.01, 0.018, 0.036} {
		scene, set := water(d), DefaultSettings()
		var s sizes
		s.init(&set, &scene)
		const bins = 12
		lo, hi := 0.4e-3, 3e-3
		var count [bins]float64
		for k := range 400 {
			var list []Parcel
			s.family.draw(&list, Spray, dice.New(1, uint64(k)), d*d*d)
			for _, p := range list {
				if b := int(bins * math.Log(p.R/lo) / math.Log(hi/lo)); p.R >= lo && b < bins {
					count[b] += p.N
				}
			}
		}
		// The number in a bin of ln r is r^(p+1): a line fits its logarithm.
		var sx, sy, sxx, sxy float64
		for b, n := range count {
			x := (float64(b) + 0.5) / bins * math.Log(hi/lo)
			y := math.Log(n)
			sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
		}
		slope := (bins*sxy-sx*sy)/(bins*sxx-sx*sx) - 1
		if math.Abs(slope+2) > 0.1 {
			t.Errorf("d = %g: the number of drops goes as r^%.3f, want r^-2", d, slope)
		}
	}
}

// TestBubbleSizes compares the number of bubbles by radius with the two power laws, by the
// test of Kolmogorov and Smirnov. Weighted by what each parcel stands for, the sample is as
// good as one of (Σ n)²/Σ n² bubbles.
func TestBubbleSizes(t *testing.T) {
	scene, set := water(0.018), DefaultSettings()
	var s sizes
	s.init(&set, &scene)
	for _, eps := range []float64{0.1, 3, 30} {
		h := min(s.most, max(s.least, s.hinze*math.Pow(eps, -0.4)))
		// The number below r, by integrals of r^(−3/2) and r^(−10/3), equal at h.
		below := func(r float64) float64 {
			if r < h {
				return power(-1.5, s.least, r) * math.Pow(h, 1.5)
			}
			return power(-1.5, s.least, h)*math.Pow(h, 1.5) + power(-10./3, h, r)*math.Pow(h, 10./3)
		}
		type bubble struct{ r, n float64 }
		var list []bubble
		die := dice.New(3, uint64(eps*10))
		var all, squares, air float64
		const parcels = 20000
		for k := range parcels {
			r, n := s.bubble(1e-7, die.Float(uint64(k)), eps)
			list = append(list, bubble{r, n})
			all += n
			squares += n * n
			air += 4 * math.Pi / 3 * n * r * r * r
		}
		if math.Abs(air/(parcels*1e-7)-1) > 0.02 {
			t.Errorf("ε = %g: a parcel has %g m³ on average, want 1e-7", eps, air/parcels)
		}
		slices.SortFunc(list, func(a, b bubble) int { return int(math.Copysign(1, a.r-b.r)) })
		var sum, worst float64
		for _, b := range list {
			want := below(b.r) / below(s.most)
			worst = max(worst, math.Abs(sum/all-want))
			sum += b.n
			worst = max(worst, math.Abs(sum/all-want))
		}
		if sample := all * all / squares; worst*math.Sqrt(sample) > 1.63 { // p = 0.01
			t.Errorf("ε = %g: the numbers differ by %.3g from the law in a sample of %.0f", eps, worst, sample)
		}
	}
}
