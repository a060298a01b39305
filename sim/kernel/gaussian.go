package kernel

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/registry"
)

// gaussianSteepness makes the cut at h remove 0.04 % of the integral.
const gaussianSteepness = 3

func init() {
	Kernels.Register(registry.Entry[func(dim int, h float64) Kernel]{
		Name: "gaussian", Doc: "Gaussian, cut off at h", Cite: "Gingold and Monaghan 1977",
		New: func(d registry.Decode) (func(dim int, h float64) Kernel, error) {
			s := struct {
				Steepness float64 `toml:"steepness" unit:"1" range:"[0.1, 10]" doc:"Ratio of h to the Gaussian's own length. With 1 the kernel drops from 37 % of its peak to nothing at h."`
			}{gaussianSteepness}
			err := d(&s)
			return func(dim int, h float64) Kernel { return NewGaussian(dim, h, s.Steepness) }, err
		},
	})
}

// Gaussian is the kernel of Gingold and Monaghan, Smoothed particle hydrodynamics:
// theory and application to non-spherical stars, MNRAS 181, 1977, cut off at q = 1, with
// σ such that the remaining function has unit integral:
//
//	w(q) = exp(−(aq)²)
//
// It jumps at h by exp(−a²) of its peak.
type Gaussian struct {
	scale
	a float64
}

// NewGaussian returns the Gaussian of dimension dim, 1 to 3, support radius
// h > 0 in metres, and steepness a > 0.
func NewGaussian(dim int, h, a float64) *Gaussian {
	tail := num.Exp(-a * a)
	line := math.Sqrt(math.Pi) * num.Erf(a) / a
	return &Gaussian{newScale(dim, h, [3]float64{
		1 / line,
		a * a / (math.Pi * (1 - tail)),
		a * a / (math.Pi * (line - float64(2*tail))),
	}), a}
}

// W implements Kernel.
func (k *Gaussian) W(r float64) float64 {
	q := r * k.invH
	if q >= 1 {
		return 0
	}
	return k.w * num.Exp(-k.a*k.a*q*q)
}

// DW implements Kernel.
func (k *Gaussian) DW(r float64) float64 {
	q := r * k.invH
	if q >= 1 {
		return 0
	}
	return k.dw * -2 * k.a * k.a * q * num.Exp(-k.a*k.a*q*q)
}

// Marginal implements Kernel.
func (k *Gaussian) Marginal(z float64) float64 {
	if k.dim == 2 {
		s := math.Abs(z) * k.invH
		if s >= 1 {
			return 0
		}
		return k.w * k.h * k.chord(s)
	}
	s, f := k.plane(z)
	if s >= 1 {
		return 0
	}
	return f * (num.Exp(-k.a*k.a*s*s) - num.Exp(-k.a*k.a)) / (2 * k.a * k.a)
}

// DMarginal implements Kernel. In two dimensions it grows without bound towards
// |z| = h, where the cut is tangent to the line.
func (k *Gaussian) DMarginal(z float64) float64 {
	if k.dim == 2 {
		s := math.Abs(z) * k.invH
		if s >= 1 {
			return 0
		}
		slope := float64(-2*k.a*k.a*s*k.chord(s)) - 2*num.Exp(-k.a*k.a)*s/math.Sqrt(1-float64(s*s))
		return k.w * slope * math.Copysign(1, z)
	}
	return k.dPlane(z, k.W(math.Abs(z)))
}

// chord returns ∫ exp(−a²(s²+y²)) dy over the line at distance s < 1.
func (k *Gaussian) chord(s float64) float64 {
	return num.Exp(-k.a*k.a*s*s) * math.Sqrt(math.Pi) / k.a * num.Erf(k.a*math.Sqrt(1-float64(s*s)))
}
