package scenes

import (
	"strings"

	"breakwater/sim"
	"breakwater/sim/vec"
)

// maxRows is how many rows a gauge may make: with more, nobody reads them.
const maxRows = 1e6

// gauges checks that each gauge has a name of its own, measures no more often
// than anyone reads, and is where liquid may be.
func (c *checker) gauges() {
	names := map[string]*node{}
	end := c.scene.Time.At(c.scene.Time.Frames())
	for i := range c.scene.Gauge {
		g := &c.scene.Gauge[i]
		at := g.What.node
		place := at
		if n := at.get("name"); n != nil && !n.broken() {
			place = n
			if g.Name == "" || len(g.Name) > 64 || strings.Trim(strings.ToLower(g.Name), "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
				c.faults.value(n, "%q is no name of a file; expected up to 64 letters, digits, - and _", g.Name)
				continue
			}
		}
		name := strings.ToLower(c.scene.gaugeName(i)) // some file systems know no case
		if first := names[name]; first != nil {
			c.faults.value(place, "the name %q is taken by %s%s; give it another", c.scene.gaugeName(i), first.path, lineOf(place, first))
		} else {
			names[name] = at
		}
		if n := at.get("interval"); n != nil && !n.broken() && !c.badValue("time") {
			if rows := end / c.scene.interval(i); rows > maxRows {
				c.faults.value(n, "makes %.2g rows; expected at most %.2g: make it %.2g s or more", rows, maxRows, end/maxRows)
			}
		}
		switch x := c.parts.gauges[i].(type) {
		case *sim.ForceOn:
			if err := x.Check(len(c.scene.Wall)); err != nil {
				c.faults.value(at.get("wall").or(at), "%v", err)
			}
		case *sim.BodyState:
			if n := len(c.scene.Body); x.Body > n {
				c.faults.value(at.get("body").or(at), "there is no body %d; expected %s", x.Body, upTo(n))
			}
		case *sim.Level:
			if x.From == x.To {
				c.faults.value(at, "has no line; add one, such as from = [0.5, 0, 0.5] and to = [0.5, 2, 0.5]")
			}
		case *sim.PressureAt:
			c.reached(at, x.At)
		case *sim.VelocityAt:
			c.reached(at, x.At)
		}
	}
}

// or returns n, or other if n is nil.
func (n *node) or(other *node) *node {
	if n == nil {
		return other
	}
	return n
}

// reached checks that a gauge at x is not in a wall.
func (c *checker) reached(gauge *node, x vec.Vec3) {
	at := gauge.get("at")
	if at == nil {
		c.faults.value(gauge, "is nowhere; add a line such as at = [0.5, 0.1, 0.5]")
		return
	}
	if at.broken() {
		return
	}
	for j, w := range c.parts.walls {
		if w == nil {
			continue
		}
		if t, n := w.Dist(x); t < -1e-6 {
			wall := c.scene.Wall[j].Shape.node
			c.faults.value(at, "%s is %.3g m inside %s%s, where no liquid gets; on the wall it would be %s", point(x), -t, wall.path, lineOf(at, wall), point(x.Sub(n.Mul(t))))
			return
		}
	}
}

// upTo says which numbers of n things there are.
func upTo(n int) string {
	if n == 0 {
		return "a [[body]] to measure: add one"
	}
	return "1 to " + number(float64(n))
}
