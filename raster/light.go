package raster

import (
	"math"

	"breakwater/sim/vec"
)

// Light is the sun and the sky. The scene's [light] table decodes into it.
type Light struct {
	Azimuth   float64 `toml:"azimuth" unit:"deg" range:"[-360, 360]" doc:"Direction the sun stands in, from +z towards +x."`
	Elevation float64 `toml:"elevation" unit:"deg" range:"[5, 90]" doc:"Height of the sun above the horizon."`
	Sun       float64 `toml:"sun" unit:"1" range:"[0, 100]" doc:"Strength of the sun."`
	Sky       float64 `toml:"sky" unit:"1" range:"[0, 100]" doc:"Strength of the sky."`
	Exposure  float64 `toml:"exposure" unit:"EV" range:"[-10, 10]" doc:"Exposure correction of the picture in stops."`
}

// DefaultLight is a high sun behind the tank and to the left of the camera
// that Frame returns, so that the water is lit through and its shadow falls
// towards the viewer.
func DefaultLight() Light {
	return Light{Azimuth: -105, Elevation: 52, Sun: 1, Sky: 1}
}

// sky is all that light comes from: a gradient, a bright veil of cloud for
// the water to mirror, and a sun blurred by haze.
type sky struct {
	strength, sun float64
	toSun         vec.Vec3 // unit
	veil, across  vec.Vec3 // unit: the middle of the veil and its long axis
}

// Radiances for a strength of 1, chosen so that a white floor in sun and sky
// has a radiance of about 1.5. As in a studio, the backdrop is dark, so that
// drops stand out against it, and the light comes from above, nearly white:
// drops show the zenith in their lower halves.
var (
	zenithColor  = rgb{0.60, 0.66, 0.72}
	horizonColor = rgb{0.20, 0.24, 0.28}
	veilColor    = rgb{2.0, 2.0, 1.95}
	sunColor     = rgb{1, 0.93, 0.82}
	skyAmbient   = rgb{0.16, 0.195, 0.235} // less than the mean of the upper half without the veil, as stands and flags would leave in a studio: shadows keep their depth
)

func newSky(l Light) *sky {
	az, el := l.Azimuth*math.Pi/180, l.Elevation*math.Pi/180
	s := &sky{strength: l.Sky, sun: l.Sun}
	s.toSun = vec.Vec3{X: math.Sin(az) * math.Cos(el), Y: math.Sin(el), Z: math.Cos(az) * math.Cos(el)}
	// The veil stands below the sun, a little to its side, tilted.
	va, ve := az+35*math.Pi/180, 48*math.Pi/180
	s.veil = vec.Vec3{X: math.Sin(va) * math.Cos(ve), Y: math.Sin(ve), Z: math.Cos(va) * math.Cos(ve)}
	level := vec.Vec3{Y: 1}.Cross(s.veil).Unit()
	s.across = level.Add(s.veil.Cross(level).Mul(0.35)).Unit()
	return s
}

// radiance returns what comes from the unit direction d, which counts as
// level if it points down.
func (s *sky) radiance(d vec.Vec3) rgb {
	h := max(0, d.Y)
	c := zenithColor.lerp(horizonColor, decay(2.5*h))
	if a := d.Dot(s.veil); a > 0 {
		x := d.Dot(s.across) / a
		y := d.Dot(s.veil.Cross(s.across)) / a
		w := smooth(1.1, 0.55, math.Abs(x)) * smooth(0.62, 0.22, math.Abs(y)) * smooth(0, 0.25, h)
		c = c.add(veilColor.scale(w))
	}
	c = c.scale(s.strength)
	return c.add(s.glow(d))
}

// glow returns what comes from the sun and the haze about it from the unit
// direction d.
func (s *sky) glow(d vec.Vec3) rgb {
	a := 1 - d.Dot(s.toSun) // half the squared angle, near 0
	if a > 0.5 {            // less than 1e-7 is left
		return rgb{}
	}
	return sunColor.scale(s.sun * (24*decay(a/0.0012) + 0.45*decay(a/0.03)))
}

// horizon returns the radiance at eye level in the direction of d, which the
// veil does not reach down to.
func (s *sky) horizon(d vec.Vec3) rgb {
	d.Y = 0
	return horizonColor.scale(s.strength).add(s.glow(d.Unit()))
}

// ambient returns the irradiance over π that the sky gives a surface with the
// unit normal n in the open, with what the bright floor throws back from below.
func (s *sky) ambient(n vec.Vec3) rgb {
	up := (1 + n.Y) / 2
	veil := veilColor.scale(0.16 * s.strength * max(0, n.Dot(s.veil)))
	return skyAmbient.scale(s.strength * up).add(veil).add(rgb{0.20, 0.195, 0.19}.scale((s.strength + s.sun) / 2 * (1 - up)))
}

// direct returns the irradiance over π of the sun on a surface that faces it.
func (s *sky) direct() rgb { return sunColor.scale(1.85 * s.sun) }
