package color

import (
	"image"
	"math"

	"breakwater/sim/par"
)

// Develop turns a linear picture of the given width, whose radiance is multiplied by
// gain, into sRGB bytes.
func Develop(pix []RGB, width int, gain float64) *image.RGBA {
	height := len(pix) / width
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	par.Each(height, func(y int) {
		for x := range width {
			c := film(pix[y*width+x].Scale(gain))
			d := Dither(x, y)
			p := img.Pix[img.PixOffset(x, y):]
			p[0], p[1], p[2], p[3] = quantize(c.R, d), quantize(c.G, d), quantize(c.B, d), 255
		}
	})
	return img
}

// quantize maps a linear value to an sRGB byte; d in [0, 1) decides how it is
// rounded.
func quantize(x, d float64) uint8 {
	if !(x > 0) {
		return 0
	}
	s := float64(shades * math.Sqrt(min(1, x)))
	i := int(s)
	return uint8(min(255, shade[i]+float64((s-float64(i))*(shade[i+1]-shade[i]))+d))
}

// shade has the sRGB levels of the squares of i/shades: between them a line is
// right to a thousandth of a level.
var shade = func() (t [shades + 2]float64) {
	for i := range t {
		x := float64(float64(i) / shades)
		t[i] = float64(255 * SRGB(float64(x*x)))
	}
	return t
}()

const shades = 1024

// film is a filmic tone mapping. Half of it is the curve of each channel, which turns
// overexposed colours white, and half the curve of the luminance, which keeps the
// colour.
func film(c RGB) RGB {
	l := c.Luminance()
	if l <= 0 {
		return RGB{}
	}
	return c.Each(curve).Lerp(c.Scale(curve(l)/l), 0.5).Each(func(x float64) float64 { return min(1, x) })
}

// curve has a soft toe, a near straight middle, and a long shoulder that keeps
// bright skies from clipping (fit of ACES by Narkowicz 2015).
func curve(x float64) float64 {
	return min(1, x*(float64(2.51*x)+0.03)/(float64(x*(float64(2.43*x)+0.59))+0.14))
}

// Dither returns a threshold in [0, 1) that is spread evenly over every small
// neighbourhood (interleaved gradient noise, Jimenez 2014), so that gradients
// do not band.
func Dither(x, y int) float64 {
	a := float64(0.06711056*float64(x)) + float64(0.00583715*float64(y))
	a = float64(52.9829189 * (a - math.Floor(a)))
	return a - math.Floor(a)
}
