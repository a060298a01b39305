package raster

import (
	"math"

	"breakwater/sim/vec"
)

// Light is the lighting of the picture. The scene's [light] table decodes into it.
type Light struct {
	Kind        Surroundings `toml:"kind" oneof:"studio sky" doc:"Surroundings that light the scene and that the water mirrors: a seamless backdrop with softboxes, or a clear sky (Preetham et al. 1999)."`
	Environment string       `toml:"environment" doc:"Radiance picture (.hdr) of the surroundings, by longitude and latitude, as a path from the folder of the scene file. It replaces kind: it lights the scene and is its background. Its sun, or its brightest lamp, casts the shadows and is turned to azimuth. Elevation and turbidity have no effect. Its brightness is scaled to that of the studio."`
	Panorama    *Panorama    `toml:"-"` // of Environment
	Azimuth     float64      `toml:"azimuth" unit:"deg" range:"[-360, 360]" doc:"Direction towards the sun, measured from +z towards +x."`
	Elevation   float64      `toml:"elevation" unit:"deg" range:"[5, 90]" doc:"Height of the sun above the horizon."`
	Sun         float64      `toml:"sun" unit:"1" range:"[0, 100]" doc:"Strength of the sun, or of the spotlight that replaces it in a studio."`
	Sky         float64      `toml:"sky" unit:"1" range:"[0, 100]" doc:"Strength of the sky, or of the backdrop and the softboxes."`
	Turbidity   float64      `toml:"turbidity" unit:"1" range:"[2, 10]" doc:"Haze in a clear sky: 2 after rain, 3 on a fine day, 10 on a hazy one."`
	Exposure    float64      `toml:"exposure" unit:"EV" range:"[-10, 10]" doc:"Exposure correction of the picture, in stops."`
}

// Surroundings are the source of all light other than the sun's.
type Surroundings string

const (
	Studio Surroundings = "studio"
	Clear  Surroundings = "sky"
)

// DefaultLight is a studio with a high spotlight behind the tank and to the
// left of the camera that Frame returns, so that the water is lit through and
// its shadow falls towards the viewer.
func DefaultLight() Light {
	return Light{Kind: Studio, Azimuth: -105, Elevation: 52, Sun: 1, Sky: 1, Turbidity: 3}
}

// dome is the upper half of the surroundings, without the sun.
type dome interface {
	// radiance returns the radiance from the unit direction d, with d.Y ≥ 0.
	radiance(d vec.Vec3) rgb
}

// sky is all that light comes from.
type sky struct {
	dome     dome
	strength float64
	toSun    vec.Vec3 // unit
	radius   float64  // of the sun's disc, rad
	beam     rgb      // irradiance over π of the sun on a surface that faces it
	corona   float64  // radiance of the haze about the sun, over beam
	ambience harmonics
	pictured bool                 // the sun is seen in the dome
	still    func(d vec.Vec3) rgb // the result of around, without a sun that is in the dome
}

// newSky returns the sky of l over a floor of the mean colour albedo.
func newSky(l Light, albedo rgb) *sky {
	az, el := l.Azimuth*math.Pi/180, l.Elevation*math.Pi/180
	s := &sky{strength: l.Sky}
	s.toSun = vec.Vec3{X: math.Sin(az) * math.Cos(el), Y: math.Sin(el), Z: math.Cos(az) * math.Cos(el)}
	s.still = s.around
	if l.Panorama != nil {
		var dome *turnedPanorama
		dome, s.toSun = l.Panorama.turnedTo(az)
		s.dome, s.pictured = dome, !dome.sharp
		s.beam, s.corona, s.radius = dome.beam.scale(l.Sun), 0.02, dome.radius
		s.still = func(d vec.Vec3) rgb { return dome.still(d).scale(s.strength) }
	} else if l.Kind == Clear {
		s.dome = newPreetham(s.toSun, l.Turbidity)
		s.beam, s.corona = sunColor(s.toSun.Y, l.Turbidity).scale(1.5*l.Sun), 0.05
		s.radius = 0.0047
	} else {
		s.dome = newStudio(az)
		s.beam, s.corona = rgb{1, 0.95, 0.87}.scale(1.7*l.Sun), 0.02
		s.radius = 0.015 // a lamp of 10 cm from over 3 m
	}
	// The light that the floor reflects follows from the light on it.
	upper := project(func(d vec.Vec3) rgb {
		if d.Y < 0 {
			return rgb{}
		}
		return s.still(d)
	})
	e := upper.irradiance(vec.Vec3{Y: 1}).add(s.beam.scale(s.toSun.Y)).mul(albedo)
	lower := project(func(d vec.Vec3) rgb {
		if d.Y < 0 {
			return e
		}
		return rgb{}
	})
	for i := range upper {
		s.ambience[i] = upper[i].add(lower[i])
	}
	return s
}

// around returns the radiance from the unit direction d without the sun.
func (s *sky) around(d vec.Vec3) rgb {
	if d.Y < 0 {
		d.Y = 0
		d = d.Unit()
	}
	return s.dome.radiance(d).scale(s.strength)
}

// radiance returns the radiance from the unit direction d, which counts as level if it
// points down.
func (s *sky) radiance(d vec.Vec3) rgb { return s.around(d).add(s.glow(d)) }

// glow returns the radiance of the sun and the haze about it from the unit direction d.
// The disc is drawn wider than it is, so that a wave that mirrors it does not sparkle
// pixel by pixel.
func (s *sky) glow(d vec.Vec3) rgb {
	a := 1 - d.Dot(s.toSun)    // half the squared angle, near 0
	if a > 0.5 || s.pictured { // less than 1e-7 is left
		return rgb{}
	}
	return s.beam.scale(16*decay(a/0.0010) + s.corona*decay(a/0.03))
}

// horizon returns the radiance at eye level in the direction of d.
func (s *sky) horizon(d vec.Vec3) rgb {
	d.Y = 0
	return s.radiance(d.Unit())
}

// ambient returns the irradiance over π that a surface with the unit normal n
// gets in the open from all but the sun, the floor below included.
func (s *sky) ambient(n vec.Vec3) rgb { return s.ambience.irradiance(n) }

// direct returns the irradiance over π of the sun on a surface that faces it.
func (s *sky) direct() rgb { return s.beam }
