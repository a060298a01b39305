package kernel

func init() {
	register("far", "quadratic spike: the density of double density relaxation",
		"Clavet et al. 2005", func(dim int, h float64) Kernel { return NewFar(dim, h) })
	register("near", "quartic spike, steeper than the spiky kernel: a near density",
		"Clavet et al. 2005; Gourlay 2013", func(dim int, h float64) Kernel { return NewNear(dim, h) })
}

// Far is the kernel of the density of Clavet, Beaudoin and Poulin,
// Particle-based Viscoelastic Fluid Simulation, 2005, eq. 1, which leave out σ:
//
//	w(q) = (1−q)²,  σ = 3/2, 6/π, 15/(2π)
type Far struct{ powers }

// NewFar returns the quadratic spike of dimension dim, 1 to 3, and support
// radius h > 0 in metres.
func NewFar(dim int, h float64) *Far { return &Far{newPowers(dim, h, power{1, 1, 2})} }

// Near goes with the spiky kernel as that goes with Far:
//
//	w(q) = (1−q)⁴,  σ = 5/2, 15/π, 105/(4π)
type Near struct{ powers }

// NewNear returns the quartic spike of dimension dim, 1 to 3, and support
// radius h > 0 in metres.
func NewNear(dim int, h float64) *Near { return &Near{newPowers(dim, h, power{1, 1, 4})} }
