package scenes

import (
	"fmt"
	"slices"

	"breakwater/raster/sky"
	"breakwater/scenes/toml"
	"breakwater/sim/registry"
)

// NamedLiquid is a liquid that a scene can name.
type NamedLiquid struct {
	Name           string
	Doc            string           // its exact substance, and the temperature
	Density        float64          // kg/m³
	Viscosity      float64          // dynamic, Pa·s
	SurfaceTension float64          // against air, N/m
	ContactAngle   float64          // on clean glass, degrees
	FoamLife       float64          // of a thin foam, s; 0 for a liquid that takes no air under
	Light          sky.Surroundings // of a scene that says nothing of them; empty for those of other scenes
	Source         string
}

// Liquids are the liquids that a scene can name, the thinnest first. Values that vary
// widely in nature, as of honey, are given to one digit.
var Liquids = []NamedLiquid{
	{"water", "at 20 °C", 998.2, 1.002e-3, 0.0728, 30, 2.5, "", "IAPWS R12-08, R1-76"},
	{"seawater", "35 g of salt per kilogram, at 20 °C", 1024.8, 1.077e-3, 0.0735, 30, 4, "", "Sharqawy et al. 2010; Nayar et al. 2014"},
	{"ethanol", "at 25 °C", 785, 1.074e-3, 0.0220, 10, 0.5, "", "CRC Handbook of Chemistry and Physics"},
	{"mercury", "at 25 °C", 13534, 1.526e-3, 0.4855, 140, 0, sky.Hall, "CRC Handbook of Chemistry and Physics"},
	{"milk", "whole, at 20 °C", 1030, 2.1e-3, 0.047, 40, 60, "", "Walstra et al. 2006"},
	{"blood", "human, at 37 °C and a high rate of shear", 1060, 3.5e-3, 0.0526, 40, 30, "", "Rosina et al. 2007"},
	{"oil", "olive oil at 20 °C", 913, 0.084, 0.032, 20, 1, "", "Sahasrabudhe et al. 2017"},
	{"glycerol", "at 25 °C", 1258, 0.934, 0.0625, 30, 1, "", "CRC Handbook of Chemistry and Physics"},
	{"honey", "with 18 % of water, at 20 °C", 1420, 10, 0.055, 60, 0, "", "Bogdanov 2009"},
	{"lava", "basalt from Hawaii at 1150 °C", 2700, 100, 0.35, 90, 0, "", "Murase and McBirney 1973"},
}

// thickViscosity is from which viscosity on, in Pa·s, a named liquid does not slip on
// solids that say nothing of friction. No liquid slips, but the layer that solids slow
// down is thinner than a spacing in thinner ones.
const thickViscosity = 0.05

// Friction returns the friction of solids that say nothing of it.
func (l NamedLiquid) Friction() float64 {
	if l.Viscosity >= thickViscosity {
		return 1
	}
	return 0
}

// liquidNames returns the names of the liquids.
func liquidNames() (names []string) {
	for _, l := range Liquids {
		names = append(names, l.Name)
	}
	return names
}

// liquid lays the values of the liquid that the scene names over the defaults.
// A name that is not known is reported with the other values.
func (s *Scene) liquid() {
	if x, ok := s.named(); ok {
		l := &s.Liquid
		l.Density, l.SurfaceTension, l.ContactAngle = x.Density, x.SurfaceTension, x.ContactAngle
		l.DynamicViscosity = x.Viscosity
		l.Viscosity = l.DynamicViscosity / l.Density
		s.Look.Kind = x.Name // there is a look for each
		if x.Light != "" {
			s.Light.Kind = x.Light
		}
		if w := s.Whitewater; x.FoamLife > 0 {
			w.FoamLife = x.FoamLife
		} else {
			w.Air = 0
		}
	}
}

// named returns the liquid that the scene names.
func (s *Scene) named() (l NamedLiquid, ok bool) {
	n := s.root.Find("liquid", "name")
	if n == nil || n.Kind != toml.String {
		return l, false
	}
	i := slices.Index(liquidNames(), n.Text)
	if i < 0 {
		return l, false
	}
	return Liquids[i], true
}

// complete derives the two viscosities of one liquid from each other, and gives walls and
// bodies the friction of a named liquid, after the file's values are read.
func (s *Scene) complete() {
	if named, ok := s.named(); ok {
		for i := range s.Wall {
			if w := &s.Wall[i]; w.Shape.Node.Get("friction") == nil {
				w.Friction = named.Friction()
			}
		}
		for i := range s.Body {
			if b := &s.Body[i]; b.Shape.Node.Get("friction") == nil {
				b.Friction = named.Friction()
			}
		}
	}
	l := &s.Liquid
	switch at := s.root.Find("liquid"); {
	case !(l.Density > 0):
	case at.Get("viscosity") != nil:
		l.DynamicViscosity = l.Viscosity * l.Density
	case at.Get("dynamic_viscosity") != nil || at.Get("name") != nil:
		l.Viscosity = l.DynamicViscosity / l.Density
	default:
		l.DynamicViscosity = l.Viscosity * l.Density
	}
}

// liquid reports contradictions in the liquid.
func (c *checker) liquid() {
	at := c.scene.root.Find("liquid")
	nu, mu := at.Get("viscosity"), at.Get("dynamic_viscosity")
	if nu != nil && mu != nil {
		c.Report.Value(mu, "the kinematic viscosity is given too%s, and each determines the other; remove one of them", lineOf(mu, nu))
		return
	}
	c.thickness()
}

// displaced names the settings that a value of a file replaces besides itself in the
// scene that the file extends: a liquid's name replaces all of the other liquid, the
// end of a film its duration, and keyframes in the scene those in a file.
var displaced = map[string][]string{
	"liquid.name":              {"density", "viscosity", "dynamic_viscosity", "surface_tension", "contact_angle"},
	"liquid.viscosity":         {"dynamic_viscosity"},
	"liquid.dynamic_viscosity": {"viscosity"},
	"time.duration":            {"end"},
	"time.end":                 {"duration"},
	"camera.key":               {"keyframes"},
	"camera.keyframes":         {"key"},
}

// Numbers returns the liquid's values in words.
func (l NamedLiquid) Numbers() string {
	slip := "slips"
	if l.Friction() > 0 {
		slip = "does not slip"
	}
	return fmt.Sprintf("%s: %s kg/m³, %s Pa·s, %s N/m, %s° on glass, %s", l.Doc,
		registry.Number(l.Density), registry.Number(l.Viscosity), registry.Number(l.SurfaceTension), registry.Number(l.ContactAngle), slip)
}
