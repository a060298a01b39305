package raster

import "math"

// rgb is a linear colour or radiance with the Rec. 709 primaries.
type rgb struct{ R, G, B float64 }

func (a rgb) add(b rgb) rgb                    { return rgb{a.R + b.R, a.G + b.G, a.B + b.B} }
func (a rgb) mul(b rgb) rgb                    { return rgb{a.R * b.R, a.G * b.G, a.B * b.B} }
func (a rgb) scale(s float64) rgb              { return rgb{s * a.R, s * a.G, s * a.B} }
func (a rgb) lerp(b rgb, t float64) rgb        { return a.scale(1 - t).add(b.scale(t)) }
func (a rgb) max() float64                     { return max(a.R, a.G, a.B) }
func (a rgb) luminance() float64               { return 0.2126*a.R + 0.7152*a.G + 0.0722*a.B } // Rec. 709
func (a rgb) each(f func(float64) float64) rgb { return rgb{f(a.R), f(a.G), f(a.B)} }

// hash returns a number in [0, 1) that looks random for neighbouring cells.
func hash(x, y int) float64 {
	h := uint64(int64(x))*0x9e3779b97f4a7c15 ^ uint64(int64(y))*0xc2b2ae3d27d4eb4f
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9 // from the finalizer of SplitMix64 (Steele, Lea and Flood 2014)
	h ^= h >> 32
	return float64(h>>11) / (1 << 53)
}

// decay returns exp(-x) for x ≥ 0, to 1e-8 of it, in a third of the time of
// math.Exp: light is absorbed, fades and glows at every surface of every path.
func decay(x float64) float64 {
	x *= math.Log2E
	if !(x < 1000) {
		return 0
	}
	k := int(x + 0.5)
	f := (float64(k) - x) * math.Ln2 // exp(-x) = 2^-k exp(f), |f| ≤ ln √2
	e := 1 + f*(1+f*(1.0/2+f*(1.0/6+f*(1.0/24+f*(1.0/120+f*(1.0/720+f*(1.0/5040)))))))
	return e * math.Float64frombits(uint64(1023-k)<<52)
}

// Linear returns the linear value of an sRGB code value, both in [0, 1] (IEC
// 61966-2-1).
func Linear(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// toSRGB returns the sRGB code value in [0, 1] of a linear value (IEC
// 61966-2-1).
func toSRGB(x float64) float64 {
	if x <= 0.0031308 {
		return 12.92 * max(0, x)
	}
	return 1.055*math.Pow(min(1, x), 1/2.4) - 0.055
}
