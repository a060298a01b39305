package kernel

import "math"

func init() {
	register("poly6", "poly6: smooth and needs no square root, but its gradient lets particles cluster",
		"Müller et al. 2003", func(dim int, h float64) Kernel { return NewPoly6(dim, h) })
}

// Poly6 is the kernel of Müller, Charypar and Gross, Particle-Based Fluid
// Simulation for Interactive Applications, 2003, eq. 20:
//
//	w(q) = (1−q²)³
type Poly6 struct{ scale }

// NewPoly6 returns the poly6 kernel of dimension dim, 1 to 3, and support
// radius h > 0 in metres.
func NewPoly6(dim int, h float64) *Poly6 {
	return &Poly6{newScale(dim, h, [3]float64{35. / 32, 4 / math.Pi, 315 / (64 * math.Pi)})}
}

// W implements Kernel.
func (k *Poly6) W(r float64) float64 {
	q := r * k.invH
	u := max(0, 1-float64(q*q))
	return k.w * u * u * u
}

// DW implements Kernel.
func (k *Poly6) DW(r float64) float64 {
	q := r * k.invH
	u := max(0, 1-float64(q*q))
	return k.dw * -6 * q * u * u
}

// poly6 is w in powers of q.
var poly6 = []piece{{1, []float64{1, 0, -3, 0, 3, 0, -1}}}

// Marginal implements Kernel.
func (k *Poly6) Marginal(z float64) float64 {
	if k.dim == 2 {
		sum, _ := k.line(z, poly6)
		return sum
	}
	s, f := k.plane(z)
	u := max(0, 1-float64(s*s))
	return f * u * u * u * u / 8
}

// DMarginal implements Kernel.
func (k *Poly6) DMarginal(z float64) float64 {
	if k.dim == 2 {
		_, slope := k.line(z, poly6)
		return slope
	}
	return k.dPlane(z, k.W(math.Abs(z)))
}
