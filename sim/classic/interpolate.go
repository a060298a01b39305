package classic

import (
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// Samples are values f at points x, each of which stands for 1/n of the space
// around it: n is the number density, 1/mᵈ. The mass form of any of these sums
// has m/ρ for 1/n, for ρ = m n.
type Samples struct {
	X []vec.Vec3
	F []float64
	N []float64
}

// NumberDensity returns the number density at x, 1/mᵈ,
//
//	n(x) = Σ_j W(x − x_j).
func NumberDensity(k kernel.Kernel, pos []vec.Vec3, x vec.Vec3) (n float64) {
	for _, y := range pos {
		n += k.W(x.Sub(y).Len())
	}
	return n
}

// SumWeights sets N from the points.
func (s *Samples) SumWeights(k kernel.Kernel) {
	s.N = s.N[:0]
	for _, x := range s.X {
		s.N = append(s.N, NumberDensity(k, s.X, x))
	}
}

// At returns f at x: the Monte Carlo estimate of ∫ f(y) W(x − y) dy with samples of
// probability n,
//
//	f(x) = Σ_j f_j/n_j W(x − x_j).
func (s *Samples) At(k kernel.Kernel, x vec.Vec3) (f float64) {
	for j, y := range s.X {
		f += float64(s.F[j] / s.N[j] * k.W(x.Sub(y).Len()))
	}
	return f
}

// Gradient returns ∇f at sample i in one of the forms.
func (s *Samples) Gradient(k kernel.Kernel, i int, form Form) (g vec.Vec3) {
	for j, y := range s.X {
		if d := s.X[i].Sub(y); j != i && d.Len() > 0 {
			g = g.Add(d.Unit().Mul(form.weight(s.F[i], s.F[j], s.N[i], s.N[j]) * k.DW(d.Len())))
		}
	}
	return g
}

// Form is a formula for the gradient of a sum,
//
//	∇f_i = Σ_j weight ∇W_ij.
type Form string

// The forms of Monaghan, Smoothed particle hydrodynamics, 1992, sec. 2.2, as
// tabled by Gourlay 2013.
const (
	// Canonical is the derivative of the sum for f, f_j/n_j. It points inwards at
	// the edge of a constant f, and momentum is not conserved.
	Canonical Form = "canonical"
	// Difference is from ∇(nf): (f_j − f_i)/n_i. It vanishes for constant f, at walls
	// too, and is not affected by the edge of a drop.
	Difference Form = "difference"
	// Symmetric is from ∇(f/n): n_i (f_i/n_i² + f_j/n_j²). A pressure makes opposite
	// forces on the two of a pair, and momentum is conserved.
	Symmetric Form = "symmetric"
)

// Forms are all of them.
var Forms = []Form{Canonical, Difference, Symmetric}

// weight returns the factor of ∇W.
func (f Form) weight(fi, fj, ni, nj float64) float64 {
	switch f {
	case Canonical:
		return fj / nj
	case Difference:
		return (fj - fi) / ni
	}
	return ni * (fi/(ni*ni) + fj/(nj*nj))
}
