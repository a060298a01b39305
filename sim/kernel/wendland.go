package kernel

func init() {
	register("wendland-c2", "Wendland C2: positive definite, so particles do not pair",
		"Wendland 1995; Dehnen and Aly 2012", func(dim int, h float64) Kernel { return NewWendlandC2(dim, h) })
	register("wendland-c4", "Wendland C4: smoother, for more neighbours",
		"Wendland 1995; Dehnen and Aly 2012", func(dim int, h float64) Kernel { return NewWendlandC4(dim, h) })
}

// WendlandC2 is the C² function of Wendland, Piecewise polynomial, positive
// definite and compactly supported radial functions of minimal degree, Adv.
// Comput. Math. 4, 1995, as given for SPH by Dehnen and Aly, MNRAS 425, 2012,
// table 1:
//
//	w(q) = (1−q)³(1+3q)   in one dimension, σ = 5/4
//	       (1−q)⁴(1+4q)   in two and three, σ = 7/π, 21/(2π)
type WendlandC2 struct{ powers }

// NewWendlandC2 returns the Wendland C2 kernel of dimension dim, 1 to 3, and
// support radius h > 0 in metres.
func NewWendlandC2(dim int, h float64) *WendlandC2 {
	if dim == 1 {
		return &WendlandC2{newPowers(dim, h, power{4, 1, 3}, power{-3, 1, 4})}
	}
	return &WendlandC2{newPowers(dim, h, power{5, 1, 4}, power{-4, 1, 5})}
}

// WendlandC4 is the C⁴ function, from the same table:
//
//	w(q) = (1−q)⁵(1+5q+8q²)      in one dimension, σ = 3/2
//	       (1−q)⁶(1+6q+35/3 q²)  in two and three, σ = 9/π, 495/(32π)
type WendlandC4 struct{ powers }

// NewWendlandC4 returns the Wendland C4 kernel of dimension dim, 1 to 3, and
// support radius h > 0 in metres.
func NewWendlandC4(dim int, h float64) *WendlandC4 {
	if dim == 1 {
		return &WendlandC4{newPowers(dim, h, power{14, 1, 5}, power{-21, 1, 6}, power{8, 1, 7})}
	}
	return &WendlandC4{newPowers(dim, h, power{56. / 3, 1, 6}, power{-88. / 3, 1, 7}, power{35. / 3, 1, 8})}
}
