package sky

import (
	"strings"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// Surroundings are the source of all light other than the sun's.
type Surroundings string

// The kinds of surroundings.
const (
	Studio   Surroundings = "studio"
	Dark     Surroundings = "dark"
	Hall     Surroundings = "hall"
	Clear    Surroundings = "sky"
	Hills    Surroundings = "hills"
	Overcast Surroundings = "overcast"
)

// place describes one kind of surroundings.
type place struct {
	kind    Surroundings
	outdoor bool                                 // the floor reaches the horizon, and only haze hides it
	dome    func(l Light, to vec.Vec3) dome      // to is the direction to the sun
	sun     func(l Light, to vec.Vec3) color.RGB // irradiance over π at strength 1, on a surface that faces it
	halo    float64                              // radiance of the haze around the sun, over sun
	radius  float64                              // of the sun's disc, rad
}

// lamp is the radius of a lamp of 10 cm seen from over 3 m, in radians.
const lamp = 0.015

// places are all kinds of surroundings, the default first.
var places = []place{
	{Studio, false, func(_ Light, to vec.Vec3) dome { return newStudio(to) }, spotlight(1.7), 0.02, lamp},
	{Dark, false, func(_ Light, to vec.Vec3) dome { return newDark(to) }, spotlight(1.5), 0.01, lamp},
	{Hall, false, func(_ Light, to vec.Vec3) dome { return newHall(to) }, spotlight(1.5), 0.02, lamp},
	{Clear, true, func(l Light, to vec.Vec3) dome { return newPreetham(to, l.Turbidity) }, sunlight, 0.05, solarRadius},
	{Hills, true, func(l Light, to vec.Vec3) dome { return newHills(to, l.Turbidity) }, sunlight, 0.05, solarRadius},
	{Overcast, true, func(Light, vec.Vec3) dome { return newOvercast() }, veiled, 0, 10 * solarRadius},
}

const solarRadius = 0.0047

// Known reports whether there are surroundings of the kind; "" is the default.
func (k Surroundings) Known() bool { return k == "" || k.place().kind == k }

// Names returns the names of all kinds, separated by commas.
func Names() string {
	var names []string
	for _, p := range places {
		names = append(names, string(p.kind))
	}
	return strings.Join(names, ", ")
}

// place returns the description of the kind, or of the default.
func (k Surroundings) place() *place {
	for i := range places {
		if places[i].kind == k {
			return &places[i]
		}
	}
	return &places[0]
}

// spotlight returns the light of a warm lamp.
func spotlight(strength float64) func(Light, vec.Vec3) color.RGB {
	return func(Light, vec.Vec3) color.RGB { return color.New(1, 0.95, 0.87).Scale(strength) }
}

// sunlight is the light of the sun through clear air.
func sunlight(l Light, to vec.Vec3) color.RGB { return sunColor(to.Y, l.Turbidity).Scale(1.5) }

// veiled is the little light of the sun through thin clouds.
func veiled(Light, vec.Vec3) color.RGB { return color.New(0.30, 0.30, 0.295) }
