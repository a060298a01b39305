package scenes

import (
	"fmt"
	"strings"

	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/gauge"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Gauge is one [[gauge]] table.
type Gauge struct {
	What     toml.Variant `toml:",inline"` // a variant of gauge.Gauges: its kind and its keys
	Name     string       `toml:"name" doc:"Name of the file gauges/NAME.csv: letters, digits, - and _. The default is the kind and a number."`
	On       string       `toml:"on" recipe:"set" doc:"Name of a moving wall or a body that the gauge moves and turns with. The gauge's points are given as the scene begins. It must be of the kind front, level, pressure or velocity. Velocities are still relative to the scene, along its axes."`
	Interval float64      `toml:"interval" unit:"s" range:"[0, inf)" doc:"Simulated time between rows, independent of the time steps; 0 writes one row per frame."`
}

// GaugeName returns the name of gauge i, from 0.
func (s *Scene) GaugeName(i int) string {
	if g := &s.Gauge[i]; g.Name != "" {
		return g.Name
	}
	return fmt.Sprintf("%s-%d", s.Gauge[i].What.Kind, i+1)
}

// interval returns the time from row to row of gauge i, s.
func (s *Scene) interval(i int) float64 {
	if t := s.Gauge[i].Interval; t > 0 {
		return t
	}
	return s.Time.At(2)
}

// meters returns the meters of s, whose gauges p has.
func (s *Scene) meters(p *parts) (list []*gauge.Meter) {
	for i, g := range p.gauges {
		if wall, free := s.rides(i); wall >= 0 {
			g = gauge.On(p.walls[wall].(*body.Body), g.(gauge.Movable))
		} else if free >= 0 {
			g = gauge.On(p.bodies[free], g.(gauge.Movable))
		}
		list = append(list, &gauge.Meter{Gauge: g, Interval: s.interval(i)})
	}
	return list
}

// rides returns the number of the wall or of the body that gauge i rides on, from 0, and −1
// for the others.
func (s *Scene) rides(i int) (wall, free int) {
	wall, free = -1, -1
	name := s.Gauge[i].On
	for k := range s.Body {
		if name != "" && s.BodyName(k) == name {
			free = k
		}
	}
	for k := range s.Wall {
		if name != "" && free < 0 && s.wallName(k) == name {
			wall = k
		}
	}
	return wall, free
}

// addRide lists what gauge i rides on.
func (s *Scene) addRide(r *stage.Recipe, key string, i int) {
	if wall, free := s.rides(i); wall >= 0 {
		r.Line(key+".on", fmt.Sprintf("wall %d", wall+1))
	} else if free >= 0 {
		r.Line(key+".on", fmt.Sprintf("body %d", free+1))
	}
}

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
			if !validName(g.Name) {
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
		c.rides(i)
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

// rides checks that what gauge i rides on moves, and that the gauge can ride.
func (c *checker) rides(i int) {
	s := c.scene
	n := s.Gauge[i].What.Node.Get("on")
	if n == nil || n.Broken() {
		return
	}
	g := c.parts.gauges[i]
	_, can := g.(gauge.Movable)
	wall, free := s.rides(i)
	switch {
	case s.Gas != nil:
		c.Report.Value(n, "is for gauges in a liquid; leave it out")
	case g == nil: // which has a fault of its own
	case !can:
		kinds := namesOf(&gauge.Gauges, func(g gauge.Gauge) bool { _, ok := g.(gauge.Movable); return ok })
		c.Report.Value(n, "a gauge of the kind %q does not move with anything; expected one of %s", s.Gauge[i].What.Kind, strings.Join(kinds, ", "))
	case wall < 0 && free < 0:
		var names []string
		for k := range s.Wall {
			if !s.Wall[k].Motion.Still() {
				names = append(names, s.wallName(k))
			}
		}
		for k := range s.Body {
			names = append(names, s.BodyName(k))
		}
		if len(names) == 0 {
			c.Report.Value(n, "nothing in this scene moves; give a [[wall]] a motion, add a [[body]], or leave it out")
		} else {
			c.Report.Value(n, "there is no moving wall or body %q; %s", s.Gauge[i].On, toml.Expected(s.Gauge[i].On, names))
		}
	case wall >= 0 && s.Wall[wall].Motion.Still():
		c.Report.Value(n, "%q does not move, so the gauge need not ride on it; leave it out, or give the wall a motion", s.Gauge[i].On)
	}
}

// wallNames checks that each wall that has a name has one of its own.
func (c *checker) wallNames() {
	names := map[string]*toml.Node{}
	add := func(name string, at *toml.Node) { names[strings.ToLower(name)] = at }
	for i := range c.scene.Wall {
		if at := c.scene.Wall[i].Shape.Node; at.Get("name") == nil {
			add(c.scene.wallName(i), at)
		}
	}
	for i := range c.scene.Body {
		add(c.scene.BodyName(i), c.scene.Body[i].Shape.Node)
	}
	for i := range c.scene.Wall {
		n := c.scene.Wall[i].Shape.Node.Get("name")
		if n == nil || n.Broken() {
			continue
		}
		name := c.scene.Wall[i].Name
		if !validName(name) {
			c.Report.Value(n, "%q is not a valid name; expected up to 64 letters, digits, - and _", name)
		} else if first := names[strings.ToLower(name)]; first != nil {
			c.Report.Value(n, "the name %q is already used by %s%s; choose another", name, first.Path, lineOf(n, first))
		} else {
			add(name, c.scene.Wall[i].Shape.Node)
		}
	}
}

// validName reports whether a name is one of a file, a wall or a body.
func validName(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
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
