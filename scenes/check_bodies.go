package scenes

import (
	"strings"

	"breakwater/scenes/toml"
	"breakwater/sim"
)

// touching is how deep, in spacings, a body may start in another solid: more than
// rounding in a scene's numbers may cause.
const touching = 0.01

// A body's mean density is at least this part of the liquid's, and at most this many
// times it. Air has 1/800 of the density of water. With a hundredth of that, bodies would
// be so light that the impulse of a single particle throws them about. Osmium has 23
// times the density of water.
const (
	lightest = 1. / 2000
	heaviest = 1000
)

// weights checks that each body has a mass that the liquid can move.
func (c *checker) weights() {
	if c.badValue("liquid") {
		return
	}
	for i, b := range c.parts.bodies {
		if b == nil {
			continue
		}
		at, unit, per := c.scene.Body[i].Shape.Node.Get("density"), "kg/m³", 1.
		if at == nil {
			at, unit, per = c.scene.Body[i].Shape.Node.Get("mass"), "kg", b.Free.Volume()
		}
		liquid := c.scene.Liquid.Density
		least, most := lightest*liquid, heaviest*liquid
		switch density := b.Free.Mass / b.Free.Volume(); {
		case density < least*(1-1e-9):
			c.Report.Value(at, "makes the body lighter than 1/2000 of the displaced liquid; expected at least %.3g %s", least*per, unit)
		case density > most*(1+1e-9):
			c.Report.Value(at, "makes the body heavier than 1000 times the displaced liquid; expected at most %.3g %s", most*per, unit)
		}
	}
}

// bodies checks that each body has a name of its own, is thick enough for the
// spacing, and starts clear of the walls and of the other bodies.
func (c *checker) bodies(d float64) {
	c.bodyNames()
	c.weights()
	if _, alone := c.parts.solver.(sim.Compressible); alone && len(c.parts.bodies) > 0 {
		c.Report.Value(c.scene.Body[0].Shape.Node, "the solver %q does not support bodies; expected isph, iisph, dfsph or wcsph", c.scene.Solver.Kind)
	}
	k := c.scene.kernel(d)
	for i, b := range c.parts.bodies {
		if b == nil {
			continue
		}
		at := c.scene.Body[i].Shape.Node
		if err := b.Init(k); err != nil {
			c.Report.Value(at, "%v", err)
			c.parts.bodies[i] = nil
			continue
		}
		c.bodyClear(i, d)
	}
}

// bodyClear checks that body i starts clear of the walls and of the bodies before it.
func (c *checker) bodyClear(i int, d float64) {
	b, at := c.parts.bodies[i], c.scene.Body[i].Shape.Node
	for j, w := range c.parts.walls {
		if w == nil {
			continue
		}
		if deep, where := b.Penetration(w); deep > touching*d {
			wall, how := c.scene.Wall[j].Shape.Node, "starts inside"
			if container(w) {
				how = "reaches out of"
			}
			c.Report.Value(at, "%s %s%s by %.3g m, at %s; move the body that far, or move the wall", how, wall.Path, lineOf(at, wall), deep, point(where))
		}
	}
	for j, other := range c.parts.bodies[:i] {
		if other == nil || c.scene.joinedTo(i) == j || c.scene.joinedTo(j) == i { // which do not touch
			continue
		}
		if deep, where := b.Penetration(other); deep > touching*d {
			first := c.scene.Body[j].Shape.Node
			c.Report.Value(at, "overlaps %s%s by %.3g m, at %s; move one of them that far", first.Path, lineOf(at, first), deep, point(where))
			break // with how many more matters little
		}
	}
}

func (c *checker) bodyNames() {
	names := map[string]*toml.Node{}
	for i := range c.scene.Body {
		at := c.scene.Body[i].Shape.Node
		place := at
		if n := at.Get("name"); n != nil && !n.Broken() {
			place = n
			if name := c.scene.Body[i].Name; !validName(name) {
				c.Report.Value(n, "%q is not a valid object name for mesh files; expected up to 64 letters, digits, - and _", name)
				continue
			}
		}
		name := strings.ToLower(c.scene.BodyName(i))
		if first := names[name]; first != nil {
			c.Report.Value(place, "the name %q is already used by %s%s; choose another", c.scene.BodyName(i), first.Path, lineOf(place, first))
		} else if name == "liquid" {
			c.Report.Value(place, "the name %q is reserved for the liquid; choose another", c.scene.BodyName(i))
		} else {
			names[name] = at
		}
	}
}
