package scenes

import (
	"fmt"

	"breakwater/scenes/toml"
	"breakwater/sim/gauge"
)

// Gauge is one [[gauge]] table.
type Gauge struct {
	What     toml.Variant `toml:",inline"` // a variant of gauge.Gauges: its kind and its keys
	Name     string       `toml:"name" doc:"Name of the file gauges/NAME.csv: letters, digits, - and _. The default is the kind and a number."`
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
		list = append(list, &gauge.Meter{Gauge: g, Interval: s.interval(i)})
	}
	return list
}
