package kernel

import "math"

// piece is a polynomial Σ cₙ qⁿ that is w(q) from the end of the piece before
// up to q = end.
type piece struct {
	end float64
	c   []float64
}

// line returns the integral of a two-dimensional kernel of the given pieces
// along the line at distance |z|, and its derivative with respect to z:
//
//	2σ/h Σ cₙ ∫ qⁿ dy,  q² = s² + y²,  s = |z|/h.
//
// Since d(y qⁿ)/dy = qⁿ + n y² qⁿ⁻² and y² = q² − s², each power follows from
// the one two below,
//
//	(n+1) ∫ qⁿ dy = y qⁿ + n s² ∫ qⁿ⁻² dy,
//
// down to ∫ dy = y and ∫ dy/q = arsinh(y/s).
func (k *scale) line(z float64, pieces []piece) (sum, slope float64) {
	s := math.Abs(z) * k.invH
	from := 0.
	for _, p := range pieces {
		if p.end <= s {
			continue
		}
		to := math.Sqrt(float64(p.end*p.end) - float64(s*s))
		a, da := p.antiderivative(s, from)
		b, db := p.antiderivative(s, to)
		sum, slope = sum+b-a, slope+db-da
		from = to
	}
	return 2 * k.w * k.h * sum, 2 * k.w * slope * math.Copysign(1, z)
}

// antiderivative returns Σ cₙ ∫₀ʸ qⁿ dy, and its derivative with respect to s,
// Σ cₙ n s ∫₀ʸ qⁿ⁻² dy.
func (p *piece) antiderivative(s, y float64) (sum, slope float64) {
	if y == 0 {
		return 0, 0
	}
	q := math.Sqrt(float64(s*s) + float64(y*y))
	var odd float64 // s ∫ dy/q, which vanishes with s
	if s > 0 {
		odd = s * math.Asinh(y/s)
	}
	below := [2]float64{0, y} // ∫ qⁿ⁻² and ∫ qⁿ⁻¹ for the next n, except for n = −1
	sum = p.c[0] * y
	power := 1. // qⁿ
	for n := 1; n < len(p.c); n++ {
		power *= q
		f, lower := float64(n), s*below[0]
		if n == 1 {
			lower = odd
		}
		all := (float64(y*power) + float64(f*s*lower)) / (f + 1)
		sum += float64(p.c[n] * all)
		slope += float64(p.c[n] * f * lower)
		below = [2]float64{below[1], all}
	}
	return sum, slope
}
