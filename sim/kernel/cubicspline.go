package kernel

import "math"

func init() {
	register("cubic-spline", "cubic B-spline; its sum over a cubic lattice of spacing h/2 is 1 within 0.02 %",
		"Monaghan 1992", func(dim int, h float64) Kernel { return NewCubicSpline(dim, h) })
}

// CubicSpline is the cubic B-spline of Monaghan, Smoothed particle
// hydrodynamics, Annu. Rev. Astron. Astrophys. 30, 1992, p. 554, with h the
// support radius, which is twice the paper's:
//
//	w(q) = 1 − 6q² + 6q³   for q ≤ ½
//	       2(1−q)³         for ½ ≤ q ≤ 1
type CubicSpline struct{ scale }

// NewCubicSpline returns the cubic spline of dimension dim, 1 to 3, and
// support radius h > 0 in metres.
func NewCubicSpline(dim int, h float64) *CubicSpline {
	return &CubicSpline{newScale(dim, h, [3]float64{4. / 3, 40 / (7 * math.Pi), 8 / math.Pi})}
}

// W implements Kernel.
func (k *CubicSpline) W(r float64) float64 {
	q := float64(r * k.invH)
	switch {
	case q >= 1:
		return 0
	case q >= 0.5:
		u := 1 - q
		return float64(k.w * 2 * u * u * u)
	}
	return float64(k.w * (1 - float64(6*q*q*(1-q))))
}

// DW implements Kernel.
func (k *CubicSpline) DW(r float64) float64 {
	q := float64(r * k.invH)
	switch {
	case q >= 1:
		return 0
	case q >= 0.5:
		u := 1 - q
		return float64(k.dw * -6 * u * u)
	}
	return float64(k.dw * -6 * q * (2 - float64(3*q)))
}

// cubicSpline is w in powers of q.
var cubicSpline = []piece{{0.5, []float64{1, 0, -6, 6}}, {1, []float64{2, -6, 6, -2}}}

// Marginal implements Kernel.
func (k *CubicSpline) Marginal(z float64) float64 {
	if k.dim == 2 {
		sum, _ := k.line(z, cubicSpline)
		return sum
	}
	s, f := k.plane(z)
	switch {
	case s >= 1:
		return 0
	case s >= 0.5:
		u := 1 - s
		return float64(f * u * u * u * u * (1./2 - float64(2./5*u)))
	}
	return float64(f * (7./80 - float64(s*s*(1./2-float64(s*s*(3./2-float64(6./5*s)))))))
}

// DMarginal implements Kernel.
func (k *CubicSpline) DMarginal(z float64) float64 {
	if k.dim == 2 {
		_, slope := k.line(z, cubicSpline)
		return slope
	}
	return k.dPlane(z, k.W(math.Abs(z)))
}
