package classic

import (
	"math"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// samples returns the values of f on a cubic lattice of n³ points of distance 1, which
// are displaced a little if disorder is above 0.
func samples(n int, disorder float64, f func(x vec.Vec3) float64) *Samples {
	s := &Samples{}
	for k := range n * n * n {
		i := float64(k)
		x := vec.New(float64(k%n), float64(k/n%n), float64(k/(n*n)))
		x = x.Add(vec.New(math.Sin(3*i), math.Cos(5*i), math.Sin(7*i+1)).Mul(disorder))
		s.X, s.F = append(s.X, x), append(s.F, f(x))
	}
	return s
}

// TestInterpolation checks that a linear function is reproduced in the middle of its
// samples, at and between them, and half of a constant function at their edge.
func TestInterpolation(t *testing.T) {
	k := kernel.NewCubicSpline(3, 3)
	s := samples(9, 0, func(x vec.Vec3) float64 { return 2 + x.X - 3*x.Y })
	s.SumWeights(k)
	for _, x := range []vec.Vec3{vec.New(4, 4, 4), vec.New(4.5, 4.2, 3.9), vec.New(3.7, 4, 4.5)} {
		if got, want := s.At(k, x), 2+x.X-3*x.Y; math.Abs(got-want) > 0.02*math.Abs(want) {
			t.Errorf("at %v f = %g, want %g", x, got, want)
		}
	}
	if n := NumberDensity(k, s.X, vec.New(4.4, 4, 4)); math.Abs(n-1) > 0.01 {
		t.Errorf("%g points in a cubic metre, want 1", n)
	}
	if n := NumberDensity(k, s.X, vec.New(-0.5, 4, 4)); math.Abs(n-0.5) > 0.01 {
		t.Errorf("%g points in a cubic metre at the edge, want 0.5", n)
	}
}

// TestGradientForms checks the article's statements on each formula.
func TestGradientForms(t *testing.T) {
	k := kernel.NewCubicSpline(3, 2.5)
	const middle = 4 + 9*(4+9*4)
	linear := samples(9, 0, func(x vec.Vec3) float64 { return 10 + x.X - 3*x.Y })
	linear.SumWeights(k)
	for _, form := range Forms {
		g, want := linear.Gradient(k, middle, form), vec.New(1, -3, 0)
		if g.Sub(want).Len() > 0.05*want.Len() {
			t.Errorf("%s: gradient %v in the middle, want %v", form, g, want)
		}
	}
	flat := samples(9, 0.1, func(vec.Vec3) float64 { return 5 })
	flat.SumWeights(k)
	const face = 9 * (4 + 9*4) // x = 0
	if g := flat.Gradient(k, face, Difference); g.Len() != 0 {
		t.Errorf("difference: gradient %v of a constant, want none", g)
	}
	if g := flat.Gradient(k, face, Canonical); g.X < 0.5 {
		t.Errorf("canonical: gradient %v at the face of a constant, want one that points inwards", g)
	}
	// Forces of pairs, ∇f/n, are opposite in the symmetric form alone.
	uneven := samples(6, 0.2, func(x vec.Vec3) float64 { return x.Dot(x) })
	uneven.SumWeights(k)
	for _, form := range Forms {
		var sum vec.Vec3
		size := 0.
		for i := range uneven.X {
			f := uneven.Gradient(k, i, form).Mul(1 / uneven.N[i])
			sum, size = sum.Add(f), size+f.Len()
		}
		if kept := sum.Len() < 1e-12*size; kept != (form == Symmetric) {
			t.Errorf("%s: forces of %g in all add up to %g", form, size, sum.Len())
		}
	}
}
