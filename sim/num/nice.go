package num

import "math"

// Nice returns the number nearest to x, by ratio, of 1, 2, 5, 10, ...
func Nice(x float64) float64 {
	decade := Pow(10, math.Floor(math.Log10(x)))
	best := decade
	for _, m := range [...]float64{2, 5, 10} {
		if math.Abs(math.Log(x/(m*decade))) < math.Abs(math.Log(x/best)) {
			best = m * decade
		}
	}
	return best
}
