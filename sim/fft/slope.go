package fft

import "math"

// central are the weights of central differences of the order 10 for the distances 1 to 5
// (Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math.
// Comput. 51, 1988, table 1), doubled.
var central = [Border]float64{5. / 3, -10. / 21, 5. / 42, -5. / 252, 1. / 630}

// slopes returns −i times the transform of central differences on a line of n numbers:
// Σ w_d sin(2πdk/n).
func slopes(n int) []float32 {
	s := make([]float32, n)
	for k := range s {
		sum := 0.
		for d, w := range central {
			sum += float64(w * math.Sin(2*math.Pi*float64((d+1)*k%n)/float64(n)))
		}
		s[k] = float32(sum)
	}
	return s
}

// waves returns −i times the transform of the derivative of waves on a line of n numbers, n even.
// The shortest wave has none, since its slope is between the nodes.
func waves(n int) []float32 {
	s := make([]float32, n)
	for k := 1; k < n/2; k++ {
		q := float32(2 * math.Pi * float64(k) / float64(n))
		s[k], s[n-k] = q, -q
	}
	return s
}
