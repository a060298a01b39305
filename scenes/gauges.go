package scenes

import (
	"fmt"

	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/gauge"
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
		if name != "" && free < 0 && s.WallName(k) == name {
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
