// Package scatter gives the phase functions of a drop in air and of a bubble in water:
// how a transparent ball much larger than the wavelength spreads the light that falls on
// it.
//
// The method is ray optics without diffraction (van de Hulst 1957, Light Scattering by
// Small Particles, chapter 12). A ray that meets the ball is reflected and refracted by
// Fresnel's equations, again at each inner reflection, and the light that leaves is
// counted by its angle to the incident ray. Diffraction sends as much light again into a
// cone of less than a degree, which looks like light that did not meet the ball. The
// extinction cross-section is therefore the ball's own, πr².
package scatter

import "math"

// bins is the number of equal angles that a phase function is tabulated in: one per
// degree, about the width of a rainbow.
const bins = 180

// rays is the number of rays that a phase function is made from. They fall on strata of
// the ball's cross-section of equal area, so that the table has no noise.
const rays = 100_000

// orders is the number of inner reflections that are followed. After that many, less than
// 1e-6 of the light of a drop is left.
const orders = 12

// Phase is a phase function: the share of scattered light per steradian. It depends on
// the angle between the directions of light before and after.
type Phase struct {
	p [bins + 2]float64 // per steradian at the middles of the bins, and once more at both ends
}

// Ball returns the phase function of a ball whose refractive index is ratio times the
// index around it: 1.333 for a drop in air and 1/1.333 for a bubble in water.
func Ball(ratio float64) *Phase {
	var light [bins]float64
	leave := func(deflection, part float64) {
		angle := math.Abs(math.Remainder(deflection, 2*math.Pi))
		light[min(bins-1, int(angle*bins/math.Pi))] += part
	}
	for k := range rays {
		sin := math.Sqrt((float64(k) + 0.5) / rays) // of the angle of incidence: the distance from the axis over the radius
		in := math.Asin(sin)
		cos := math.Cos(in)
		rs, rp, cosT := Fresnel(cos, 1/ratio)
		leave(math.Pi-float64(2*in), float64((rs+rp)/2))
		if rs >= 1 && rp >= 1 {
			continue
		}
		out := math.Acos(cosT)
		s, p := float64((1-rs)*(1-rs)/2), float64((1-rp)*(1-rp)/2)
		for order := range orders {
			leave(float64(2*(in-out))+float64(float64(order)*(math.Pi-float64(2*out))), s+p)
			s, p = float64(s*rs), float64(p*rp)
		}
	}
	return counted(&light)
}

// Matte returns the phase function of a white matte ball (Lambert's law), which does not
// depend on its size.
func Matte() *Phase { return matte }

// Mirror returns the phase function of a ball that reflects all light: the same in every
// direction.
func Mirror() *Phase { return mirror }

var (
	matte = shaped(func(angle float64) float64 {
		sin, cos := math.Sincos(angle)
		return sin - float64(angle*cos)
	})
	mirror = shaped(func(float64) float64 { return 1 })
)

// shaped returns the phase function that is proportional to p of the angle.
func shaped(p func(angle float64) float64) *Phase {
	var light [bins]float64
	for i := range light {
		light[i] = p((float64(i)+0.5)*math.Pi/bins) * solidAngle(i)
	}
	return counted(&light)
}

// counted returns the phase function of light by angle.
func counted(light *[bins]float64) *Phase {
	total := 0.0
	for _, x := range light {
		total += x
	}
	f := &Phase{}
	for i, x := range light {
		f.p[i+1] = x / total / solidAngle(i)
	}
	f.p[0], f.p[bins+1] = f.p[1], f.p[bins]
	return f
}

// solidAngle returns the solid angle of bin i.
func solidAngle(i int) float64 {
	const width = math.Pi / bins
	return 2 * math.Pi * (math.Cos(float64(i)*width) - math.Cos(float64(i+1)*width))
}

// Fresnel returns the reflectances of a smooth boundary for the two polarizations, across
// the plane of incidence and in it, and the cosine of the refracted ray. cosI ≥ 0 is the
// cosine of incidence, and eta is the index on the incident side over the index on the
// other. Past the critical angle the reflectances are 1.
func Fresnel(cosI, eta float64) (s, p, cosT float64) {
	sin2 := float64(eta * eta * (1 - float64(cosI*cosI)))
	if sin2 >= 1 {
		return 1, 1, 0
	}
	cosT = math.Sqrt(1 - sin2)
	s = (float64(eta*cosI) - cosT) / (float64(eta*cosI) + cosT)
	p = (cosI - float64(eta*cosT)) / (cosI + float64(eta*cosT))
	return float64(s * s), float64(p * p), cosT
}

// At returns the share of the light per steradian that leaves at an angle of the given
// cosine to its old direction.
func (f *Phase) At(cos float64) float64 {
	x := math.Acos(min(1, max(-1, cos)))*bins/math.Pi + 0.5
	i := min(bins, int(x))
	x -= float64(i)
	return f.p[i] + float64(x*(f.p[i+1]-f.p[i]))
}

// Moment returns the mean over the scattered light of the Legendre polynomial of degree l
// in the cosine: 1 for l = 0, the asymmetry g for l = 1. A harmonic of degree l of the
// light all around is scattered with this factor.
func (f *Phase) Moment(l int) float64 {
	const fine = 16 // steps per bin
	sum := 0.0
	for i := range bins * fine {
		angle := (float64(i) + 0.5) * math.Pi / (bins * fine)
		sin, cos := math.Sincos(angle)
		sum += float64(f.At(cos) * legendre(l, cos) * sin)
	}
	return sum * 2 * math.Pi * math.Pi / (bins * fine)
}

// legendre returns the Legendre polynomial of degree l by Bonnet's recursion.
func legendre(l int, x float64) float64 {
	a, b := 1.0, x
	for k := range l {
		n := float64(k + 1)
		a, b = b, (float64((float64(2*n)+1)*x*b)-float64(n*a))/(n+1)
	}
	return a
}
