// Package optics has what a smooth surface does with light: reflection, refraction, and the
// absorption behind it.
package optics

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Fresnel returns the reflectance of unpolarized light at a smooth boundary of two
// dielectrics, and the cosine of the refracted ray (Born and Wolf 1999, §1.5.2). cosI ≥
// 0 is the cosine of incidence and eta is the index on the incident side over the index
// on the other. Past the critical angle the reflectance is 1.
func Fresnel(cosI, eta float64) (reflectance, cosT float64) {
	sin2 := float64(eta * eta * (1 - float64(cosI*cosI)))
	if sin2 >= 1 {
		return 1, 0
	}
	cosT = math.Sqrt(1 - sin2)
	s := (float64(eta*cosI) - cosT) / (float64(eta*cosI) + cosT)
	p := (cosI - float64(eta*cosT)) / (cosI + float64(eta*cosT))
	return (float64(s*s) + float64(p*p)) / 2, cosT
}

// Reflect returns the mirror image of the direction d at a surface of normal n.
func Reflect(d, n vec.Vec3) vec.Vec3 { return d.Sub(n.Mul(2 * d.Dot(n))) }

// Refract returns the direction that d takes behind a surface whose normal n faces it,
// by Snell's law. cosI and cosT are as in fresnel.
func Refract(d, n vec.Vec3, eta, cosI, cosT float64) vec.Vec3 {
	return d.Mul(eta).Add(n.Mul(float64(eta*cosI) - cosT))
}

// PaneReflectance returns the reflectance of a thin pane of glass, both faces and all
// reflections between them counted.
func PaneReflectance(cosI float64) float64 {
	r, _ := Fresnel(cosI, 1/GlassIndex)
	return 2 * r / (1 + r)
}

// GlassIndex is the refractive index of the tank, soda-lime glass.
const GlassIndex = 1.52

// Medium is the medium of light in the liquid.
type Medium struct {
	Index float64
	Sigma color.RGB // absorption coefficient, 1/m
}

// Transmittance returns the share of light left after x metres, exp(-σx)
// (Beer-Lambert).
func (m *Medium) Transmittance(x float64) color.RGB {
	return color.New(num.Decay(m.Sigma.R*x), num.Decay(m.Sigma.G*x), num.Decay(m.Sigma.B*x))
}
