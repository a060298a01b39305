package sim

import (
	"fmt"

	"breakwater/sim/boundary"
)

// New2D is New in two dimensions: all particles lie in the plane z = 0, and each
// represents an area d². Energies and masses are for a sheet one metre deep.
func New2D(spacing, rho0 float64) *World { return newWorld(2, spacing, rho0) }

// checkFlat reports parts of a two-dimensional world off its plane.
func checkFlat(w *World) error {
	if w.Dim() == 3 {
		return nil
	}
	for i, wall := range w.Walls {
		if err := boundary.CheckFlat(wall); err != nil {
			return fmt.Errorf("sim: wall %d: %w", i+1, err)
		}
	}
	if w.Gravity.Z != 0 {
		return fmt.Errorf("sim: gravity %v m/s² leaves the plane z = 0 of two dimensions", w.Gravity)
	}
	for i, x := range w.X {
		if x.Z != 0 || w.V[i].Z != 0 {
			return fmt.Errorf("sim: particle %d at %v m with velocity %v m/s leaves the plane z = 0 of two dimensions", w.ID[i], x, w.V[i])
		}
	}
	return nil
}
