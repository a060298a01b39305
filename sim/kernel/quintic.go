package kernel

func init() {
	register("quintic-spline", "quintic B-spline, close to a Gaussian",
		"Schoenberg 1946; Morris et al. 1997", func(dim int, h float64) Kernel { return NewQuinticSpline(dim, h) })
}

// QuinticSpline is the quintic B-spline of Schoenberg, 1946, as used by Morris,
// Fox and Zhu, Modeling Low Reynolds Number Incompressible Flows Using SPH, J.
// Comput. Phys. 136, 1997, eq. 24, with h the support radius, which is three
// times the paper's:
//
//	w(q) = (1−q)⁵ − 6(2/3−q)⁵ + 15(1/3−q)⁵,  each where it is positive,
//	σ = 3⁵/40, 3⁷ 7/(478π), 3⁷/(40π)
type QuinticSpline struct{ powers }

// NewQuinticSpline returns the quintic spline of dimension dim, 1 to 3, and
// support radius h > 0 in metres.
func NewQuinticSpline(dim int, h float64) *QuinticSpline {
	return &QuinticSpline{newPowers(dim, h, power{1, 1, 5}, power{-6, 2. / 3, 5}, power{15, 1. / 3, 5})}
}
