package scenes

import (
	"math"
	"strings"

	"breakwater/scenes/toml"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// coarsest is how far the positions that the cache keeps, numbers of 24 bits, may lie
// apart, in spacings.
const coarsest = 0.01

// places checks that the liquid is so near to the origin that particles d apart have
// places of their own there.
func (c *checker) places(d float64) {
	far := coarsest * d * (1 << 24) / 2
	reported := false
	check := func(at *toml.Node, b vec.Box) {
		if reported || b.IsEmpty() || at.Broken() {
			return
		}
		most := 0.
		for _, x := range []vec.Vec3{b.Min, b.Max} {
			most = max(most, math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z))
		}
		if reported = most > far; reported {
			c.Report.Value(at, "reaches %.3g m from the origin, where positions are rounded to %.2g of the spacing; expected at most %.3g m: move the scene to the origin, or make liquid.spacing %.2g m or more",
				most, most/far*coarsest, far, most/far*d*1.01)
		}
	}
	for i, shape := range c.shapes {
		if shape != nil {
			check(c.scene.Fluid[i].Shape.Node, shape.Bounds())
		}
	}
	for i := range c.scene.Inflow {
		at := c.scene.Inflow[i].Opening.Node
		check(at, vec.Box{Min: c.scene.Inflow[i].Position, Max: c.scene.Inflow[i].Position})
	}
}

// thickness checks the viscosity that follows from a dynamic one.
func (c *checker) thickness() {
	at, most := c.scene.root.Find("liquid", "dynamic_viscosity"), 0.
	for _, l := range toml.Limits {
		if l.Unit == "m²/s" {
			most = l.Most
		}
	}
	if l := c.scene.Liquid; at != nil && !c.badValue("liquid") && l.Viscosity > most {
		c.Report.Value(at, "is a kinematic viscosity of %.3g m²/s at a density of %s kg/m³; expected at most %s m²/s, here %.3g Pa·s",
			l.Viscosity, registry.Number(l.Density), registry.Number(most), most*l.Density)
	}
}

// title checks that the title is one line.
func (c *checker) title() {
	at := c.scene.root.Get("title")
	if at == nil || at.Bad {
		return
	}
	if strings.ContainsAny(c.scene.Title, "\n\r\v\f\u0085\u2028\u2029") {
		c.Report.Value(at, "has several lines; expected one")
	}
}
