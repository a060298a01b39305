package kernel

import (
	"fmt"
	"math"

	"breakwater/sim/num"
)

// Viscosity is the kernel that Müller, Charypar and Gross, Particle-Based Fluid
// Simulation for Interactive Applications, 2003, eq. 22, use for viscosity alone,
// because its Laplacian is nowhere negative: no pair of particles is ever driven
// apart in velocity. W itself has no bound at r = 0.
//
//	∇²W = 45/(πh⁶) (h−r)   in three dimensions
//	      40/(πh⁵) (h−r)   in two
//
// The two-dimensional form follows from the same three conditions, W, dW/dr and
// ∇²W all 0 at h, and the unit integral.
type Viscosity struct {
	dim      int
	h        float64
	factor   float64 // of W
	lapScale float64
}

// NewViscosity returns the viscosity kernel of dimension dim, 2 or 3, and support
// radius h > 0 in metres.
func NewViscosity(dim int, h float64) *Viscosity {
	if !(h > 0) || math.IsInf(h, 1) {
		panic(fmt.Sprintf("kernel: invalid support radius %g m", h))
	}
	switch dim {
	case 2:
		return &Viscosity{dim, h, 40 / (math.Pi * h * h), 40 / (math.Pi * num.Pow(h, 5))}
	case 3:
		return &Viscosity{dim, h, 15 / (2 * math.Pi * h * h * h), 45 / (math.Pi * num.Pow(h, 6))}
	}
	panic(fmt.Sprintf("kernel: no viscosity kernel for dimension %d", dim))
}

// W returns the kernel at distance r > 0, 1/mᵈ.
func (k *Viscosity) W(r float64) float64 {
	q := r / k.h
	switch {
	case q >= 1:
		return 0
	case k.dim == 2:
		return float64(k.factor * (float64(q*q/4) - q*q*q/9 - math.Log(q)/6 - 5./36))
	}
	return float64(k.factor * (float64(-q*q*q/2) + float64(q*q) + 1/(2*q) - 1))
}

// Laplacian returns ∇²W at distance r ≥ 0, 1/mᵈ⁺².
func (k *Viscosity) Laplacian(r float64) float64 { return k.lapScale * max(0, k.h-r) }
