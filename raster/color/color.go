// Package color has linear colours, and turns them into the bytes of a picture.
//
//	color.go    linear colours and sRGB
//	tone.go     a linear picture developed into sRGB bytes: tone curve and dither
//	viridis.go  a colour map for measured values
package color

import (
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// RGB is a linear colour or radiance with the Rec. 709 primaries.
type RGB struct{ R, G, B float64 }

// New returns the colour with the parts r, g and b.
func New(r, g, b float64) RGB { return RGB{r, g, b} }

// Vec returns the parts of a as a vector.
func (a RGB) Vec() vec.Vec3 { return vec.Vec3{X: a.R, Y: a.G, Z: a.B} }

// Add returns a + b. The conversions round products in a and b, which some processors would
// otherwise fuse with the sum.
func (a RGB) Add(b RGB) RGB {
	return RGB{float64(a.R) + float64(b.R), float64(a.G) + float64(b.G), float64(a.B) + float64(b.B)}
}

// Mul returns the products of the parts.
func (a RGB) Mul(b RGB) RGB { return RGB{float64(a.R * b.R), float64(a.G * b.G), float64(a.B * b.B)} }

// Scale returns s·a.
func (a RGB) Scale(s float64) RGB { return RGB{float64(s * a.R), float64(s * a.G), float64(s * a.B)} }

// Lerp returns a + t·(b−a).
func (a RGB) Lerp(b RGB, t float64) RGB { return a.Scale(1 - float64(t)).Add(b.Scale(t)) }

// Max returns the largest part.
func (a RGB) Max() float64 { return max(a.R, a.G, a.B) }

// Luminance returns the luminance by Rec. 709.
func (a RGB) Luminance() float64 {
	return float64(0.2126*a.R) + float64(0.7152*a.G) + float64(0.0722*a.B)
}

// Each returns f of each part.
func (a RGB) Each(f func(float64) float64) RGB { return RGB{f(a.R), f(a.G), f(a.B)} }

// Linear returns the linear value of an sRGB code value, both in [0, 1] (IEC
// 61966-2-1).
func Linear(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return num.Pow((x+0.055)/1.055, 2.4)
}

// SRGB returns the sRGB code value in [0, 1] of a linear value (IEC
// 61966-2-1).
func SRGB(x float64) float64 {
	if x <= 0.0031308 {
		return 12.92 * max(0, x)
	}
	return float64(1.055*num.Pow(min(1, x), 1/2.4)) - 0.055
}
