package kernel

func init() {
	register("lucy", "Lucy's quartic, the first kernel of SPH",
		"Lucy 1977", func(dim int, h float64) Kernel { return NewLucy(dim, h) })
}

// Lucy is the kernel of Lucy, A numerical approach to the testing of the fission
// hypothesis, Astron. J. 82, 1977:
//
//	w(q) = (1+3q)(1−q)³ = 4(1−q)³ − 3(1−q)⁴,  σ = 5/4, 5/π, 105/(16π)
type Lucy struct{ powers }

// NewLucy returns Lucy's kernel of dimension dim, 1 to 3, and support radius
// h > 0 in metres.
func NewLucy(dim int, h float64) *Lucy {
	return &Lucy{newPowers(dim, h, power{4, 1, 3}, power{-3, 1, 4})}
}
