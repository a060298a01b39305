package fft

import (
	"math"

	"breakwater/sim/num"
)

// greenOf returns the Green's function of −∇² for waves along the axes that repeat, of the given square
// of their wave number, as a function of the square of the distance along the 0 to 2 free axes. It is
// regularised as Green is (Spietz, Hejlesen and Walther, A regularization method for solving the Poisson
// equation for mixed unbounded-periodic domains, J. Comput. Phys. 356, 2018). Its transform is
//
//	e^{−k²/2}/k² Σ (k²/2)^n/n! = ∫ e^{−k²t} dt + e^{−k²/2}/2 Σ (k²/2)^{n−1}/n!,
//
// where t is from 1/2 on, and n from 0 or 1 to order/2 − 1. The integral is one over diffusing blobs. Without waves it
// is known, up to a constant. If all axes repeat, there are no images to avoid: 1/k², and 0 for the mean.
func greenOf(free int, square, wave float64) float64 {
	if free == 0 {
		if wave == 0 {
			return 0
		}
		return 1 / wave
	}
	x, y := square/2, wave/2
	far := 0.
	switch {
	case wave > 0:
		far = spread(free, x, y)
	case free == 1:
		rho := math.Sqrt(square)
		far = -float64(rho/2*num.Erf(rho/math.Sqrt2)) - num.Exp(-x)/math.Sqrt(2*math.Pi)
	case x > 0:
		far = -(math.Log(square) + expInt(x)) / (4 * math.Pi)
	default:
		far = (eulerGamma - math.Ln2) / (4 * math.Pi)
	}
	return far + float64(nearPart(free, x, y)*blobPeak(free)/2)
}

// blobPeak returns (2π)^{−free/2}.
func blobPeak(free int) float64 {
	if free == 1 {
		return 1 / math.Sqrt(2*math.Pi)
	}
	return 1 / (2 * math.Pi)
}

// eulerGamma is Euler's constant.
const eulerGamma = 0.57721566490153286

// nearPart returns e^{−x−y} Σ 1/n! Σ C(n−1, q) y^{n−1−q} q! L_q(x), n from 1 to order/2 − 1 and q up to
// n − 1. L are Laguerre's polynomials with the parameter free/2 − 1.
func nearPart(free int, x, y float64) float64 {
	if x+y > 300 {
		return 0
	}
	alpha := float64(float64(free)/2) - 1
	const most = order/2 - 1
	var l [most]float64
	l[0], l[1] = 1, 1+alpha-x
	for q := 1; q+1 < most; q++ {
		l[q+1] = (float64((float64(2*q+1)+alpha-x)*l[q]) - float64((float64(q)+alpha)*l[q-1])) / float64(q+1)
	}
	sum, factorial := 0., 1.
	for n := 1; n <= most; n++ {
		factorial *= float64(n)
		term := 1. // C(n−1, q) q! = (n−1)!/(n−1−q)!
		for q := range n {
			power := 1.
			for range n - 1 - q {
				power *= y
			}
			sum += float64(term * power * l[q] / factorial)
			term *= float64(n - 1 - q)
		}
	}
	return sum * num.Exp(-x-y)
}

// spread returns ∫ (4πt)^{−free/2} exp(−x/2t − 2yt) dt, t from 1/2 on, by Gauss's rule over
// parts of log t. y is above 0.
func spread(free int, x, y float64) float64 {
	const most = 45. // exponent beyond which a term does not count
	if 2*math.Sqrt(x*y) > most {
		return 0
	}
	// t = e^v/2: exp(−x e^{−v} − y e^v).
	first, last := max(0, math.Log(max(x, 1e-300)/most)), math.Log(most/y)
	if last <= first {
		return 0
	}
	const part = 0.4
	parts := int(math.Ceil((last - first) / part))
	h := (last - first) / float64(parts)
	power := 1 - float64(float64(free)/2)
	sum := 0.
	for p := range parts {
		for g, node := range gaussNodes {
			for _, sign := range [2]float64{-1, 1} {
				v := first + float64(h*(float64(p)+0.5+float64(sign*node/2)))
				t := num.Exp(v)
				sum += float64(gaussWeights[g] * num.Exp(float64(power*v)-x/t-float64(y*t)))
			}
		}
	}
	return sum * h / 4 * blobPeak(free)
}

// Gauss's rule of 8 points on [−1, 1] (Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, table 25.4).
var (
	gaussNodes   = [4]float64{0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363}
	gaussWeights = [4]float64{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763}
)

// expInt returns the exponential integral E₁(x) for x above 0 (Abramowitz and Stegun 1964, 5.1.11 and 5.1.22).
func expInt(x float64) float64 {
	if x > 300 {
		return 0
	}
	if x < 2 {
		sum, term := -eulerGamma-math.Log(x), -1.
		for n := 1.; n < 30; n++ {
			term *= -x / n
			sum += term / n
		}
		return sum
	}
	fraction := 0.
	for n := 60.; n > 0; n-- {
		fraction = n / (1 + n/(x+fraction))
	}
	return num.Exp(-x) / (x + fraction)
}
