package vortex

import (
	"math"

	"breakwater/sim/vortex/grid"
)

// spread returns the spreading range factor R of a vorton, with which its core is about
// as large as a cell of the grid (Gourlay, part 12, auto-mollification):
//
//	R = max(lengthScale (cell volume)^(1/3) / radius, 1)
//
// The far field stays the same, because the strength stays the same (C = R⁻³). A length
// scale of 0 switches it off.
func spread(lengthScale float64, g *grid.Grid, radius float64) float64 {
	return max(lengthScale*math.Cbrt(g.CellVolume())/radius, 1)
}
