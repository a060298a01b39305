package scenes

import (
	"strings"

	"breakwater/scenes/toml"
	"breakwater/sim/gauge"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// maxRows is how many rows a gauge may make: with more, nobody reads them.
const maxRows = 1e6

// gauges checks that each gauge has a name of its own, measures no more often
// than anyone reads, and is where liquid may be.
func (c *checker) gauges() {
	names := map[string]*toml.Node{}
	end := c.scene.Time.At(c.scene.Time.Frames())
	for i := range c.scene.Gauge {
		g := &c.scene.Gauge[i]
		at := g.What.Node
		place := at
		if n := at.Get("name"); n != nil && !n.Broken() {
			place = n
			if g.Name == "" || len(g.Name) > 64 || strings.Trim(strings.ToLower(g.Name), "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
				c.Report.Value(n, "%q is not a valid file name; expected up to 64 letters, digits, - and _", g.Name)
				continue
			}
		}
		name := strings.ToLower(c.scene.GaugeName(i)) // some file systems know no case
		if first := names[name]; first != nil {
			c.Report.Value(place, "the name %q is already used by %s%s; choose another", c.scene.GaugeName(i), first.Path, lineOf(place, first))
		} else {
			names[name] = at
		}
		if n := at.Get("interval"); n != nil && !n.Broken() && !c.badValue("time") {
			if rows := end / c.scene.interval(i); rows > maxRows {
				c.Report.Value(n, "makes %.2g rows; expected at most %.2g: use %.2g s or more", rows, maxRows, end/maxRows)
			}
		}
		switch x := c.parts.gauges[i].(type) {
		case *gauge.ForceOn:
			if err := x.Check(len(c.scene.Wall)); err != nil {
				c.Report.Value(at.Get("wall").Or(at), "%v", err)
			}
		case *gauge.BodyState:
			if n := len(c.scene.Body); x.Body > n {
				c.Report.Value(at.Get("body").Or(at), "there is no body %d; expected %s", x.Body, upTo(n))
			}
		case *gauge.Jerk:
			if c.scene.Gas == nil {
				names := namesOf(&gauge.Gauges, func(g gauge.Gauge) bool { _, gas := g.(*gauge.Jerk); return !gas })
				c.Report.Value(at.Get("kind").Or(at), "the gauge %q measures a gas; expected one of %s", g.What.Kind, strings.Join(names, ", "))
			}
		case *gauge.Level:
			if x.From == x.To {
				c.Report.Value(at, "has no line; add one, such as from = [0.5, 0, 0.5] and to = [0.5, 2, 0.5]")
			}
		case *gauge.Front:
			c.front(at, x)
		case *gauge.PressureAt:
			c.reached(at, x.At)
		case *gauge.VelocityAt:
			c.reached(at, x.At)
		}
	}
}

// front checks that a gauge of a front has a line, and no key without effect.
func (c *checker) front(gauge *toml.Node, x *gauge.Front) {
	direction := gauge.Get("direction")
	switch {
	case direction == nil:
		c.Report.Value(gauge, "has no direction; add a line such as direction = [1, 0, 0]")
	case direction.Broken():
	case x.Direction == (vec.Vec3{}):
		c.Report.Value(direction, "[0, 0, 0] is not a direction; expected the direction of the line, such as [1, 0, 0]")
	case x.Upright() && x.Height > 0:
		if height := gauge.Get("height"); !height.Broken() {
			c.Report.Value(height, "has no effect on an upright line, which has no side above it; leave it out, or use width")
		}
	}
}

// reached checks that a gauge at x is not in a wall.
func (c *checker) reached(gauge *toml.Node, x vec.Vec3) {
	at := gauge.Get("at")
	if at == nil {
		c.Report.Value(gauge, "has no position; add a line such as at = [0.5, 0.1, 0.5]")
		return
	}
	if at.Broken() {
		return
	}
	medium := "liquid"
	if c.scene.Gas != nil {
		medium = "gas"
	}
	for j, w := range c.parts.walls {
		if w == nil {
			continue
		}
		if t, n := w.Dist(x); t < -1e-6 {
			wall := c.scene.Wall[j].Shape.Node
			c.Report.Value(at, "%s is %.3g m inside %s%s, where there is no %s; the nearest point on the wall is %s", point(x), -t, wall.Path, lineOf(at, wall), medium, point(x.Sub(n.Mul(t))))
			return
		}
	}
}

// upTo says which numbers of n things there are.
func upTo(n int) string {
	if n == 0 {
		return "a [[body]] to measure: add one"
	}
	return "1 to " + registry.Number(float64(n))
}
