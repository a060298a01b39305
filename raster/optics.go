package raster

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// fresnel returns the reflectance of unpolarized light at a smooth boundary of two
// dielectrics, and the cosine of the refracted ray (Born and Wolf 1999, §1.5.2). cosI ≥
// 0 is the cosine of incidence and eta is the index on the incident side over the index
// on the other. Past the critical angle the reflectance is 1.
func fresnel(cosI, eta float64) (reflectance, cosT float64) {
	sin2 := float64(eta * eta * (1 - float64(cosI*cosI)))
	if sin2 >= 1 {
		return 1, 0
	}
	cosT = math.Sqrt(1 - sin2)
	s := (float64(eta*cosI) - cosT) / (float64(eta*cosI) + cosT)
	p := (cosI - float64(eta*cosT)) / (cosI + float64(eta*cosT))
	return (float64(s*s) + float64(p*p)) / 2, cosT
}

// reflect returns the mirror image of the direction d at a surface of normal n.
func reflect(d, n vec.Vec3) vec.Vec3 { return d.Sub(n.Mul(2 * d.Dot(n))) }

// refract returns the direction that d takes behind a surface whose normal n faces it,
// by Snell's law. cosI and cosT are as in fresnel.
func refract(d, n vec.Vec3, eta, cosI, cosT float64) vec.Vec3 {
	return d.Mul(eta).Add(n.Mul(float64(eta*cosI) - cosT))
}

// paneReflectance returns the reflectance of a thin pane of glass, both faces and all
// reflections between them counted.
func paneReflectance(cosI float64) float64 {
	r, _ := fresnel(cosI, 1/glassIndex)
	return 2 * r / (1 + r)
}

// glassIndex is the refractive index of the tank, soda-lime glass.
const glassIndex = 1.52

// medium is the medium of light in the liquid.
type medium struct {
	index float64
	sigma color.RGB // absorption coefficient, 1/m
}

// transmittance returns the share of light left after x metres, exp(-σx)
// (Beer-Lambert).
func (m *medium) transmittance(x float64) color.RGB {
	return color.New(num.Decay(m.sigma.R*x), num.Decay(m.sigma.G*x), num.Decay(m.sigma.B*x))
}
