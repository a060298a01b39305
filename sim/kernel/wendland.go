package kernel

import "math"

func init() {
	register("wendland-c2", "Wendland C2: positive definite, so that particles do not pair",
		"Wendland 1995; Dehnen and Aly 2012", func(dim int, h float64) Kernel { return NewWendlandC2(dim, h) })
}

// WendlandC2 is the C² function of Wendland, Piecewise polynomial, positive
// definite and compactly supported radial functions of minimal degree, Adv.
// Comput. Math. 4, 1995, as given for SPH by Dehnen and Aly, MNRAS 425, 2012,
// table 1:
//
//	w(q) = (1−q)³(1+3q)   in one dimension
//	       (1−q)⁴(1+4q)   in two and three
type WendlandC2 struct{ scale }

// NewWendlandC2 returns the Wendland C2 kernel of dimension dim, 1 to 3, and
// support radius h > 0 in metres.
func NewWendlandC2(dim int, h float64) *WendlandC2 {
	return &WendlandC2{newScale(dim, h, [3]float64{5. / 4, 7 / math.Pi, 21 / (2 * math.Pi)})}
}

// W implements Kernel.
func (k *WendlandC2) W(r float64) float64 {
	q := r * k.invH
	u := max(0, 1-q)
	if k.dim == 1 {
		return k.w * u * u * u * (1 + 3*q)
	}
	return k.w * u * u * u * u * (1 + 4*q)
}

// DW implements Kernel.
func (k *WendlandC2) DW(r float64) float64 {
	q := r * k.invH
	u := max(0, 1-q)
	if k.dim == 1 {
		return k.dw * -12 * q * u * u
	}
	return k.dw * -20 * q * u * u * u
}

// wendlandC2 is w in powers of q, in two dimensions.
var wendlandC2 = []piece{{1, []float64{1, 0, -10, 20, -15, 4}}}

// Marginal implements Kernel.
func (k *WendlandC2) Marginal(z float64) float64 {
	if k.dim == 2 {
		sum, _ := k.line(z, wendlandC2)
		return sum
	}
	s, f := k.plane(z)
	u := max(0, 1-s)
	u5 := u * u * u * u * u
	return f * u5 * (1 - u*(3./2-4./7*u))
}

// DMarginal implements Kernel.
func (k *WendlandC2) DMarginal(z float64) float64 {
	if k.dim == 2 {
		_, slope := k.line(z, wendlandC2)
		return slope
	}
	return k.dPlane(z, k.W(math.Abs(z)))
}
