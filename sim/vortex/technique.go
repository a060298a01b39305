package vortex

import (
	"math"

	"breakwater/sim/biot"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// Technique computes velocities from vorticity.
type Technique interface {
	// Velocities sets u to the velocities at the points at, in m/s. The grid is fitted to
	// the vortons. at may be the points of the grid, in order, or any points if the
	// technique is not an OnGrid.
	Velocities(u, at []vec.Vec3, s *biot.Sources, g *grid.Grid)
}

// OnGrid is a Technique that gives velocities at the points of the grid only.
type OnGrid interface {
	Technique
	// Margin returns by how much of its size the grid is extended at each side.
	Margin() float64
}

// Regridder is a Technique that may replace the vortons of a flow by others at the points
// of the grid.
type Regridder interface {
	Technique
	Regrid(f *Flow, gas *Gas, g *grid.Grid)
}

// Techniques are the known techniques.
var Techniques = registry.Set[Technique]{Kind: "technique"}

// Induced returns the velocity at a distance d from a vorton of strength α, whose core
// has the radius r (Gourlay, part 12):
//
//	u = α × d / (4π max(|d|, r)³)
//
// In the article's terms, with the angular velocity Ω = ω/2, the spreading range factor R
// and the spreading circulation factor C = R⁻³, it is (2/3) r³ (Ω × d) L C with
// L = 1/max(|d|, r)³ and r the vorton's radius times R.
func Induced(d, a vec.Vec3, r float64) vec.Vec3 {
	l := max(d.Len(), r)
	return a.Cross(d).Mul(1 / (4 * math.Pi * l * l * l))
}
