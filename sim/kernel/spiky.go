package kernel

import "math"

func init() {
	register("spiky", "spiky: its gradient does not vanish at the centre, so that particles do not cluster",
		"Desbrun and Gascuel 1996", func(dim int, h float64) Kernel { return NewSpiky(dim, h) })
}

// Spiky is the kernel of Desbrun and Gascuel, Smoothed Particles: A New
// Paradigm for Animating Highly Deformable Bodies, 1996:
//
//	w(q) = (1−q)³
type Spiky struct{ scale }

// NewSpiky returns the spiky kernel of dimension dim, 1 to 3, and support
// radius h > 0 in metres.
func NewSpiky(dim int, h float64) *Spiky {
	return &Spiky{newScale(dim, h, [3]float64{2, 10 / math.Pi, 15 / math.Pi})}
}

// W implements Kernel.
func (k *Spiky) W(r float64) float64 {
	u := max(0, 1-r*k.invH)
	return k.w * u * u * u
}

// DW implements Kernel. At r = 0 it returns the limit from r > 0.
func (k *Spiky) DW(r float64) float64 {
	u := max(0, 1-r*k.invH)
	return k.dw * -3 * u * u
}

// Pairs implements Kernel. The gradient's limit at r = 0 has no direction, so
// g is 0 there.
func (k *Spiky) Pairs(r2, w, g []float64) {
	w, g = w[:len(r2)], g[:len(r2)]
	for i, rr := range r2 {
		q := math.Sqrt(rr) * k.invH
		u := max(0, 1-q)
		w[i], g[i] = k.w*u*u*u, 0
		if q > 0 {
			g[i] = k.g * -3 * u * u / q
		}
	}
}

// spiky is w in powers of q.
var spiky = []piece{{1, []float64{1, -3, 3, -1}}}

// Marginal implements Kernel.
func (k *Spiky) Marginal(z float64) float64 {
	if k.dim == 2 {
		sum, _ := k.line(z, spiky)
		return sum
	}
	s, f := k.plane(z)
	u := max(0, 1-s)
	return f * u * u * u * u * (1./4 - 1./5*u)
}

// DMarginal implements Kernel.
func (k *Spiky) DMarginal(z float64) float64 {
	if k.dim == 2 {
		_, slope := k.line(z, spiky)
		return slope
	}
	return k.dPlane(z, k.W(math.Abs(z)))
}
