package march

import (
	"math"

	"breakwater/sim/num"
)

// BlackBody returns the radiance of a black body at a temperature in K, linear with the
// Rec. 709 primaries, over the luminance of one at 2000 K. Colours outside of these
// primaries lose saturation until they fit. It is zero below 500 K, where nothing is seen.
func BlackBody(kelvin float64) [3]float64 {
	if !(kelvin >= coldest) {
		return [3]float64{}
	}
	u := (min(kelvin, hottest) - coldest) / tableStep
	i := min(len(bodies)-2, int(u))
	f := u - float64(i)
	var c [3]float64
	for a := range c {
		// The logarithm of the radiance is close to linear in the temperature.
		c[a] = num.Exp(bodies[i][a]+float64(f*(bodies[i+1][a]-bodies[i][a]))) - least
	}
	return c
}

const (
	coldest   = 500   // K
	hottest   = 10000 // K
	tableStep = 25
	least     = 1e-12 // added before the logarithm
)

// bodies has the logarithms of the radiance from coldest to hottest.
var bodies = func() (list [(hottest-coldest)/tableStep + 1][3]float64) {
	_, unit, _ := tristimulus(2000)
	for i := range list {
		x, y, z := tristimulus(coldest + float64(tableStep*float64(i)))
		for a, v := range rec709(x/unit, y/unit, z/unit) {
			list[i][a] = math.Log(v + least)
		}
	}
	return list
}()

// rec709 returns a colour with the Rec. 709 primaries. One that has a negative part is
// mixed with white of the same luminance y until that is 0.
func rec709(x, y, z float64) [3]float64 {
	c := [3]float64{float64(3.2406*x) - float64(1.5372*y) - float64(0.4986*z), float64(-0.9689*x) + float64(1.8758*y) + float64(0.0415*z), float64(0.0557*x) - float64(0.2040*y) + float64(1.0570*z)}
	if low := min(c[0], c[1], c[2]); low < 0 {
		f := y / (y - low)
		for a := range c {
			c[a] = max(0, y+float64(f*(c[a]-y)))
		}
	}
	return c
}

// tristimulus returns the CIE 1931 tristimulus values of a black body.
func tristimulus(kelvin float64) (x, y, z float64) {
	for i, m := range observer {
		b := planck((380+float64(10*float64(i)))*1e-9, kelvin)
		x, y, z = x+float64(b*m[0]), y+float64(b*m[1]), z+float64(b*m[2])
	}
	return x, y, z
}

// planck returns the spectral radiance of a black body over a constant, for a wavelength
// in m (Planck 1901).
func planck(l, kelvin float64) float64 {
	const c2 = 1.438776877e-2 // second radiation constant, m K
	return 1e-32 / (l * l * l * l * l * math.Expm1(c2/(l*kelvin)))
}

// observer has the colour matching functions of the CIE 1931 standard observer from 380 to
// 780 nm, every 10 nm (CIE 15:2004, table T.4).
var observer = [41][3]float64{
	{0.0014, 0, 0.0065}, {0.0042, 0.0001, 0.0201}, {0.0143, 0.0004, 0.0679}, {0.0435, 0.0012, 0.2074},
	{0.1344, 0.004, 0.6456}, {0.2839, 0.0116, 1.3856}, {0.3483, 0.023, 1.7471}, {0.3362, 0.038, 1.7721},
	{0.2908, 0.06, 1.6692}, {0.1954, 0.091, 1.2876}, {0.0956, 0.139, 0.813}, {0.032, 0.208, 0.4652},
	{0.0049, 0.323, 0.272}, {0.0093, 0.503, 0.1582}, {0.0633, 0.71, 0.0782}, {0.1655, 0.862, 0.0422},
	{0.2904, 0.954, 0.0203}, {0.4334, 0.995, 0.0087}, {0.5945, 0.995, 0.0039}, {0.7621, 0.952, 0.0021},
	{0.9163, 0.87, 0.0017}, {1.0263, 0.757, 0.0011}, {1.0622, 0.631, 0.0008}, {1.0026, 0.503, 0.0003},
	{0.8544, 0.381, 0.0002}, {0.6424, 0.265, 0}, {0.4479, 0.175, 0}, {0.2835, 0.107, 0},
	{0.1649, 0.061, 0}, {0.0874, 0.032, 0}, {0.0468, 0.017, 0}, {0.0227, 0.0082, 0},
	{0.0114, 0.0041, 0}, {0.0058, 0.0021, 0}, {0.0029, 0.001, 0}, {0.0014, 0.0005, 0},
	{0.0007, 0.0002, 0}, {0.0003, 0.0001, 0}, {0.0002, 0.0001, 0}, {0.0001, 0, 0},
	{0, 0, 0},
}
