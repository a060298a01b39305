package whitewater

import (
	"fmt"
	"math"

	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// Scene is what surrounds the parcels.
type Scene struct {
	Spacing        float64  // of the SPH particles at rest, m
	Rho0           float64  // density of the liquid, kg/m³
	Viscosity      float64  // kinematic, m²/s
	SurfaceTension float64  // N/m
	Gravity        vec.Vec3 // m/s²

	Walls  []Wall // that stand still
	Bodies []Wall // that move

	// Place puts Bodies where they are at time t. The free ones are given, in the order
	// of particle.Set.Bodies. It is not needed without Bodies.
	Place func(t float64, free []particle.Body) error

	// Outside are the regions in which parcels are removed.
	Outside []Region
}

// Wall is a boundary of the liquid; every boundary.Boundary is one. Its methods may be
// called from many goroutines.
type Wall interface {
	// Dist returns the signed distance to the wall, m, positive where the liquid may be,
	// and the unit normal into the liquid.
	Dist(x vec.Vec3) (d float64, n vec.Vec3)
	// Vel returns the velocity of the wall nearest to x, m/s.
	Vel(x vec.Vec3) vec.Vec3
}

// Region is where an outflow removes liquid; every boundary.Region is one.
type Region interface {
	// Depth returns how deep x lies in the region, m; negative outside.
	Depth(x vec.Vec3) float64
}

// BreakupTime returns the time, s, in which the fastest wave grows by e that breaks a thread of the liquid
// of the diameter d, one spacing, into drops (Weber 1931, Z. angew. Math. Mech. 11, 136):
//
//	T = √(ρd³/σ) + 3 ρν d/σ
//
// It is infinite without surface tension.
func (s *Scene) BreakupTime() float64 {
	d := s.Spacing
	return math.Sqrt(s.Rho0*d*d*d/s.SurfaceTension) + float64(3*s.Rho0*s.Viscosity*d/s.SurfaceTension)
}

func (s *Scene) check() error {
	if !(s.Spacing > 0) || !(s.Rho0 > 0) || !(s.Viscosity >= 0) || !(s.SurfaceTension >= 0) || !s.Gravity.Finite() {
		return fmt.Errorf("whitewater: invalid spacing %g m, density %g kg/m³, viscosity %g m²/s, surface tension %g N/m or gravity %v m/s²",
			s.Spacing, s.Rho0, s.Viscosity, s.SurfaceTension, s.Gravity)
	}
	if len(s.Bodies) > 0 && s.Place == nil {
		return fmt.Errorf("whitewater: %d walls move, but nothing places them", len(s.Bodies))
	}
	return nil
}
