package fft

import (
	"math"

	"breakwater/sim/num"
)

// slopes returns −i times the transform of central differences of the order 10 on a line of
// n numbers: Σ 2 w_d sin(2πdk/n).
func slopes(n int) []float32 {
	s := make([]float32, n)
	for k := range s {
		sum := 0.
		for d, w := range num.Central10 {
			sum += float64(2 * w * math.Sin(2*math.Pi*float64((d+1)*k%n)/float64(n)))
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
