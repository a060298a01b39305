// Package gauge measures a liquid or a gas while it is simulated. A Gauge defines a measured
// quantity, one kind per file. A Meter reads it at multiples of an interval, and is a
// sim.Observer. query.go finds particles and fits values to them; coverage.go finds the share of a wall
// that particles cover.
package gauge

import (
	"breakwater/sim"
	"breakwater/sim/registry"
)

// Gauge measures something of the liquid.
type Gauge interface {
	// Columns names the measured quantities, each with its unit, such as "level_m".
	Columns() []string
	// Read appends to dst a value for each column. A value that cannot be measured is
	// NaN, as the velocity without liquid. The pressure is 0 there. p is the pressure of
	// each particle in Pa, nil before the first step, when values that depend on it are
	// NaN.
	Read(dst []float64, w *sim.World, p []float64) []float64
}

// Gauges are the known kinds.
var Gauges = registry.Set[Gauge]{Kind: "gauge"}
