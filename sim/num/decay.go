package num

import "math"

// Hash returns a pseudorandom number in [0, 1) for the cell (x, y) of a grid.
func Hash(x, y int) float64 {
	h := uint64(int64(x))*0x9e3779b97f4a7c15 ^ uint64(int64(y))*0xc2b2ae3d27d4eb4f
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9 // from the finalizer of SplitMix64 (Steele, Lea and Flood 2014)
	h ^= h >> 32
	return float64(float64(h>>11) / (1 << 53))
}

// Decay returns exp(-x) for x ≥ 0 with a relative error below 1e-8, in a third of the
// time of math.Exp.
func Decay(x float64) float64 {
	x = float64(x * math.Log2E)
	if !(x < 1000) {
		return 0
	}
	k := int(x + 0.5)
	f := float64((float64(k) - x) * math.Ln2) // exp(-x) = 2^-k exp(f), |f| ≤ ln √2
	e := 1.0/720 + float64(f*(1.0/5040))
	e = 1.0/120 + float64(f*e)
	e = 1.0/24 + float64(f*e)
	e = 1.0/6 + float64(f*e)
	e = 1.0/2 + float64(f*e)
	e = 1 + float64(f*e)
	e = 1 + float64(f*e)
	return float64(e * math.Float64frombits(uint64(1023-k)<<52))
}
