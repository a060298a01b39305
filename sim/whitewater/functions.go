package whitewater

import "math"

// expOf returns e^x to 2e-7 of it, for |x| < 700. It is three times as fast as math.Exp, and the
// same on all processors.
func expOf(x float64) float64 {
	x = min(700, max(-700, x))
	const log2e = 1 / math.Ln2
	n := math.Floor(float64(x*log2e) + 0.5)
	y := x - float64(n*math.Ln2) // |y| < 0.35
	e := 1 + float64(y*(1+float64(y*(1./2+float64(y*(1./6+float64(y*(1./24+float64(y*(1./120+float64(y*(1./720))))))))))))
	return float64(math.Float64frombits(uint64(int(n)+1023)<<52) * e)
}
