// Package kernel holds the smoothing kernels of SPH: radial functions W(r)
// of unit integral that vanish at and beyond the support radius h.
//
// One file holds one kernel. Each is written in q = r/h as
//
//	W(r) = σ/hᵈ w(q)
//
// with w and the factor σ of dimension d = 1, 2 or 3. Lengths are in metres,
// W in 1/mᵈ.
package kernel

import (
	"fmt"
	"math"

	"breakwater/sim/num"
	"breakwater/sim/registry"
)

// Kernel is a smoothing kernel of one dimension and one support radius. Its
// methods may be called from many goroutines.
type Kernel interface {
	// H returns the support radius, m.
	H() float64
	// W returns the kernel at distance r ≥ 0, 1/mᵈ.
	W(r float64) float64
	// DW returns dW/dr at distance r ≥ 0, 1/mᵈ⁺¹. It is never positive.
	DW(r float64) float64
	// Dim returns the number of dimensions.
	Dim() int
	// Marginal returns the integral of W over the plane at distance |z|, or over a line
	// in two dimensions, in 1/m. It is the term of an evenly filled plane in a sum at a
	// point beside it. It panics in one dimension.
	Marginal(z float64) float64
	// DMarginal returns the derivative of Marginal, 1/m².
	DMarginal(z float64) float64
}

// Support returns the support radius that the solvers and the surface methods use
// at a particle spacing: twice the spacing.
func Support(spacing float64) float64 { return 2 * spacing }

// Spacing returns the particle spacing for which k's radius is the Support.
func Spacing(k Kernel) float64 { return k.H() / 2 }

// Kernels are the known kernels. A variant makes the kernel of dimension dim
// and support radius h.
var Kernels = registry.Set[func(dim int, h float64) Kernel]{Kind: "kernel"}

// register adds a kernel to the family; each kernel's file calls it.
func register(name, doc, cite string, make func(dim int, h float64) Kernel) {
	Kernels.Add(name, doc, cite, func() func(int, float64) Kernel { return make })
}

// scale holds what all kernels of one h and dimension share.
type scale struct {
	dim     int
	h, invH float64
	w       float64 // σ/hᵈ
	dw      float64 // σ/hᵈ⁺¹
}

// newScale returns the factors for σ of 1, 2 and 3 dimensions.
func newScale(dim int, h float64, sigma [3]float64) scale {
	if dim < 1 || dim > 3 || !(h > 0) || math.IsInf(h, 1) {
		panic(fmt.Sprintf("kernel: invalid dimension %d or support radius %g m", dim, h))
	}
	w := sigma[dim-1] / num.Pow(h, float64(dim))
	return scale{dim, h, 1 / h, w, w / h}
}

// H returns the support radius, m.
func (k *scale) H() float64 { return k.h }

// Dim returns the number of dimensions.
func (k *scale) Dim() int { return k.dim }

// plane returns s = |z|/h and the factor 2πσ/h of the marginal
//
//	∫ W dA = 2π ∫_|z|^h W(r) r dr = 2πσ/h ∫_s^1 w(q) q dq.
func (k *scale) plane(z float64) (s, factor float64) {
	if k.dim != 3 {
		panic("kernel: a plane needs two dimensions or more")
	}
	return float64(math.Abs(z) * k.invH), 2 * math.Pi * k.w * k.h * k.h
}

// dPlane returns the derivative of the marginal in three dimensions, −2πz W,
// given W at |z|.
func (k *scale) dPlane(z, w float64) float64 {
	k.plane(z)
	return -2 * math.Pi * z * w
}
