package figure

import (
	"math"

	"breakwater/sim/num"
)

// Axis is a horizontal or vertical axis.
type Axis struct {
	Label string // with the unit
	Log   bool
	Names []string // at 0, 1, 2 … in place of numbers
}

// span is the range of an axis and its ticks. Drawings are in units of scale's result:
// the number itself or its decimal logarithm.
type span struct {
	log    bool
	lo, hi float64
	ticks  []tick
	power  string // of ten, that the numbers at the ticks are times, as ·10^{−16}
}

type tick struct {
	at   float64 // in the same units
	text string  // "" for a tick between
}

// scale returns where x lies on the axis; ok is false if it has no place.
func (s *span) scale(x float64) (at float64, ok bool) {
	if s.log {
		if !(x > 0) {
			return 0, false
		}
		x = math.Log10(x)
	}
	return x, !math.IsNaN(x) && !math.IsInf(x, 0)
}

// newSpan returns a span that has all values, about n steps long, and ends at
// ticks if loose.
func (a Axis) newSpan(values func(yield func(float64) bool), n int, loose bool) span {
	s := span{log: a.Log, lo: math.Inf(1), hi: math.Inf(-1)}
	for v := range values {
		if at, ok := s.scale(v); ok {
			s.lo, s.hi = min(s.lo, at), max(s.hi, at)
		}
	}
	if a.Names != nil {
		s.lo, s.hi = -0.5, float64(len(a.Names))-0.5
		for k, name := range a.Names {
			s.ticks = append(s.ticks, tick{float64(k), name})
		}
		return s
	}
	if s.lo > s.hi { // no values
		s.lo, s.hi = 0, 1
	}
	if s.log {
		s.decades()
		return s
	}
	if s.lo == s.hi {
		s.lo, s.hi = s.lo-0.5, s.hi+0.5
	}
	step := niceStep((s.hi - s.lo) / float64(n))
	first, last := math.Ceil(s.lo/step-1e-9), math.Floor(s.hi/step+1e-9)
	if loose {
		first, last = math.Floor(s.lo/step+1e-9), math.Ceil(s.hi/step-1e-9)
		s.lo, s.hi = first*step, last*step
	}
	// If most digits would be zeros, the power of ten is factored out and printed once.
	const digits = 5
	exponent, places := magnitude(max(math.Abs(first), math.Abs(last), 1)*step), -magnitude(step)
	if places < digits && exponent <= digits {
		exponent = 0
	} else if places += exponent; exponent != 0 {
		s.power = "·10^{" + num.Decimals(float64(exponent), 0) + "}"
	}
	for k := first; k <= last; k++ {
		s.ticks = append(s.ticks, tick{k * step, num.Decimals(k*step/num.Pow(10, float64(exponent))+0, max(0, places))})
	}
	return s
}

// magnitude returns the power of ten of x > 0.
func magnitude(x float64) int { return int(math.Floor(float64(math.Log10(x)) + 1e-9)) }

// decades ends s at powers of ten, with small ticks at their multiples.
func (s *span) decades() {
	s.lo, s.hi = math.Floor(s.lo+1e-9), math.Ceil(s.hi-1e-9)
	if s.lo == s.hi {
		s.hi++
	}
	every := math.Ceil((s.hi - s.lo) / 6) // so that texts do not touch
	for d := s.lo; d <= s.hi; d++ {
		text := ""
		if math.Mod(d-s.lo, every) == 0 {
			text = num.Decimals(num.Pow(10, d), max(0, -int(d)))
			if d < -4 || d > 4 {
				text = "10^{" + num.Decimals(d, 0) + "}"
			}
		}
		s.ticks = append(s.ticks, tick{d, text})
		for m := 2.; m < 10 && d < s.hi && every == 1; m++ {
			s.ticks = append(s.ticks, tick{d + float64(math.Log10(m)), ""})
		}
	}
}

// niceStep returns the least of 1, 2 or 5 times a power of ten that is not
// below x.
func niceStep(x float64) float64 {
	p := num.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= x*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}
