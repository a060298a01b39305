package sky

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// MeanRadiance returns the mean radiance of all around but the sun and the floor,
// linear.
func (l Light) MeanRadiance() vec.Vec3 {
	s, sum := New(l, color.RGB{}), color.RGB{}
	const n = 1000
	for i := range n {
		y := (float64(i) + 0.5) / n // evenly over the upper half, by the golden angle
		sin, cos := math.Sincos(2.399963 * float64(i))
		level := math.Sqrt(1 - float64(y*y))
		sum = sum.Add(s.withoutSun(vec.Vec3{X: cos * level, Y: y, Z: sin * level}).Scale(1.0 / n))
	}
	return sum.Vec()
}

// Sunlight returns the unit direction to the sun, its irradiance on a surface
// that faces it, linear, and the radius of its disc in radians.
func (l Light) Sunlight() (toSun, irradiance vec.Vec3, radius float64) {
	s := New(l, color.RGB{})
	return s.ToSun, s.sun.Scale(math.Pi).Vec(), s.SunRadius
}

// WriteSurroundings writes all light but the sun's as a Radiance picture by longitude and
// latitude. The zenith is at its upper edge, +z at its left edge, and −x a quarter of its
// width to the right. Below the horizon it continues the horizon's light. The comment is a
// line of its head.
func (l Light) WriteSurroundings(w io.Writer, width, height int, comment string) error {
	s := New(l, color.RGB{})
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "#?RADIANCE\n# %s\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", comment, height, width)
	for y := range height {
		sin, cos := math.Sincos((float64(y) + 0.5) / float64(height) * math.Pi)
		cos = max(cos, 0)
		if cos == 0 {
			sin = 1
		}
		for x := range width {
			ts, tc := math.Sincos((float64(x) + 0.5) / float64(width) * 2 * math.Pi)
			p := encodeRGBE(s.withoutSun(vec.Vec3{X: -ts * sin, Y: cos, Z: tc * sin}))
			if _, err := b.Write(p[:]); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}

// encodeRGBE returns three mantissas and their exponent for c: the opposite of
// radiance. It never begins as a run does, which 2, 2 would, since a mantissa
// is 128 or more.
func encodeRGBE(c color.RGB) (p [4]byte) {
	most := c.Max()
	if most < 1e-30 {
		return p
	}
	f, e := math.Frexp(most)
	scale := f * 256 / most
	part := func(x float64) byte { return byte(min(255, max(0, x*scale))) }
	return [4]byte{part(c.R), part(c.G), part(c.B), byte(e + 128)}
}
