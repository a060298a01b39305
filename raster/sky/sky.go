// Package sky computes the light that comes from each direction.
//
//	sky.go          the Sky: radiance by direction, irradiance, and the sun
//	around.go       tables by the level direction
//	light.go        the settings of a scene
//	surroundings.go the kinds of surroundings
//	studio.go       backdrops with softboxes, light or dark
//	panel.go        one softbox
//	hall.go         a hall with windows
//	preetham.go     a clear sky
//	hills.go        a clear sky over hills
//	overcast.go     a dull day, and lines of trees or hills
//	environment.go  an environment picture, and the sun in it
//	hdr.go          the reader of Radiance pictures
//	harmonics.go    spherical harmonics: the irradiance of a surface
//	export.go       the light for other programs
package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// dome is the upper half of the surroundings, without the sun.
type dome interface {
	// radiance returns the radiance from the unit direction d, with d.Y ≥ 0.
	radiance(d vec.Vec3) color.RGB
}

// Sky is the source of all light: the dome, the sun, and the floor that reflects both.
type Sky struct {
	ToSun     vec.Vec3  // unit
	SunRadius float64   // of the sun's disc, rad
	Ambience  Harmonics // of all light but the sun's

	dome       dome
	strength   float64   // of the dome
	sun        color.RGB // irradiance over π of the sun on a surface that faces it
	halo       float64   // radiance of the haze around the sun, over sun
	outdoor    bool      // the floor reaches the horizon
	pictured   bool      // the sun is seen in the dome
	horizon    *colorsAround
	withoutSun func(d vec.Vec3) color.RGB // the result of domeRadiance, without a sun that is in the dome
}

// New returns the sky of l over a floor of the mean colour albedo.
func New(l Light, albedo color.RGB) *Sky {
	az, el := l.Azimuth*math.Pi/180, l.Elevation*math.Pi/180
	s := &Sky{strength: l.Sky}
	s.ToSun = vec.Vec3{X: math.Sin(az) * math.Cos(el), Y: math.Sin(el), Z: math.Cos(az) * math.Cos(el)}
	s.withoutSun = s.domeRadiance
	if l.Panorama != nil {
		var dome *turnedPanorama
		dome, s.ToSun = l.Panorama.turnedTo(az)
		s.dome, s.pictured, s.outdoor = dome, !dome.removed, true
		s.sun, s.halo, s.SunRadius = dome.sun.Scale(l.Sun), 0.02, dome.radius
		s.withoutSun = func(d vec.Vec3) color.RGB { return dome.withoutSunAt(d).Scale(s.strength) }
	} else {
		p := l.Kind.place()
		s.dome, s.outdoor = p.dome(l, s.ToSun), p.outdoor
		s.sun, s.halo, s.SunRadius = p.sun(l, s.ToSun).Scale(l.Sun), p.halo, p.radius
	}
	s.horizon = newColorsAround(s.Radiance)
	// The light that the floor reflects follows from the light on it.
	upper := project(func(d vec.Vec3) color.RGB {
		if d.Y < 0 {
			return color.RGB{}
		}
		return s.withoutSun(d)
	})
	e := upper.irradiance(vec.Vec3{Y: 1}).Add(s.sun.Scale(s.ToSun.Y)).Mul(albedo)
	lower := project(func(d vec.Vec3) color.RGB {
		if d.Y < 0 {
			return e
		}
		return color.RGB{}
	})
	for i := range upper {
		s.Ambience[i] = upper[i].Add(lower[i])
	}
	return s
}

// Even returns a sky without a sun, of radiance 1 from everywhere, the floor included.
// In it a body that neither absorbs nor emits light cannot be seen (white furnace).
func Even(toSun vec.Vec3) *Sky {
	white := func(vec.Vec3) color.RGB { return color.New(1, 1, 1) }
	s := &Sky{dome: even{}, strength: 1, outdoor: true, ToSun: toSun, Ambience: project(white)}
	s.withoutSun = s.domeRadiance
	s.horizon = newColorsAround(s.Radiance)
	return s
}

// even is the dome of Even.
type even struct{}

func (even) radiance(vec.Vec3) color.RGB { return color.New(1, 1, 1) }

// Indoors reports whether a backdrop hides the horizon.
func (s *Sky) Indoors() bool { return !s.outdoor }

// domeRadiance returns the radiance from the unit direction d without the sun.
func (s *Sky) domeRadiance(d vec.Vec3) color.RGB {
	if d.Y < 0 {
		d.Y = 0
		d = d.Unit()
	}
	return s.dome.radiance(d).Scale(s.strength)
}

// Radiance returns the radiance from the unit direction d. A direction below the horizon
// counts as level.
func (s *Sky) Radiance(d vec.Vec3) color.RGB { return s.domeRadiance(d).Add(s.glow(d)) }

// glow returns the radiance of the sun and the haze around it from the unit direction d.
// The disc is drawn wider than it is, so that its reflections in waves do not sparkle
// from pixel to pixel.
func (s *Sky) glow(d vec.Vec3) color.RGB {
	a := 1 - d.Dot(s.ToSun)    // half the squared angle, near 0
	if a > 0.5 || s.pictured { // less than 1e-7 is left
		return color.RGB{}
	}
	return s.sun.Scale(float64(16*num.Decay(a/0.0010)) + float64(s.halo*num.Decay(a/0.03)))
}

// WithoutSun returns the radiance from the unit direction d without the sun and the haze
// around it.
func (s *Sky) WithoutSun(d vec.Vec3) color.RGB { return s.withoutSun(d) }

// Horizon returns the radiance at eye level in the direction of d.
func (s *Sky) Horizon(d vec.Vec3) color.RGB { return s.horizon.at(d) }

// Irradiance returns the irradiance over π of all light but the sun's on an unoccluded
// surface with the unit normal n. It includes the light that the floor reflects.
func (s *Sky) Irradiance(n vec.Vec3) color.RGB { return s.Ambience.irradiance(n) }

// Sun returns the irradiance over π of the sun on a surface that faces it.
func (s *Sky) Sun() color.RGB { return s.sun }
