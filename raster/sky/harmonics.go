package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// Harmonics are the coefficients of the spherical harmonics up to the second degree of
// the light around a point. They give the irradiance of a matte surface to about 1 %
// (Ramamoorthi and Hanrahan 2001, An efficient representation for irradiance environment
// maps).
type Harmonics [9]color.RGB

// basis returns the spherical harmonics in the unit direction d.
func basis(d vec.Vec3) [9]float64 {
	return [9]float64{
		0.282095,
		0.488603 * d.Y, 0.488603 * d.Z, 0.488603 * d.X,
		1.092548 * d.X * d.Y, 1.092548 * d.Y * d.Z, 0.315392 * (float64(3*d.Z*d.Z) - 1),
		1.092548 * d.X * d.Z, 0.546274 * (float64(d.X*d.X) - float64(d.Y*d.Y)),
	}
}

// project returns the harmonics of the radiance f, summed over cells of equal
// solid angle.
func project(f func(d vec.Vec3) color.RGB) (h Harmonics) {
	const levels, turns = 64, 128
	for i := range levels {
		y := 1 - float64(2*(float64(i)+0.5)/levels)
		r := math.Sqrt(1 - float64(y*y))
		for j := range turns {
			sin, cos := math.Sincos(float64(2 * math.Pi * (float64(j) + 0.5) / turns))
			d := vec.Vec3{X: float64(r * sin), Y: y, Z: float64(r * cos)}
			c := f(d).Scale(4 * math.Pi / (levels * turns))
			for k, b := range basis(d) {
				h[k] = h[k].Add(c.Scale(b))
			}
		}
	}
	return h
}

// irradiance returns the irradiance over π on a surface with the unit normal
// n, by equation 12 of the paper.
func (h *Harmonics) irradiance(n vec.Vec3) color.RGB {
	// The cosine lobe's own coefficients over π.
	const a1, a2 = 2.0 / 3, 1.0 / 4
	b := basis(n)
	e := h[0].Scale(b[0])
	for k := 1; k < 4; k++ {
		e = e.Add(h[k].Scale(a1 * b[k]))
	}
	for k := 4; k < 9; k++ {
		e = e.Add(h[k].Scale(a2 * b[k]))
	}
	return e.Each(func(x float64) float64 { return max(0, x) })
}
