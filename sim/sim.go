// Package sim moves liquid particles by smoothed particle hydrodynamics.
//
// A World holds the state; a Solver advances it; Boundaries are what the
// liquid may not cross; Forces are all that acts besides pressure and
// gravity. SI units throughout: m, kg, s, Pa.
//
// In this project h is the support radius of a kernel: W(r) = 0 for r ≥ h.
package sim

import (
	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// World is the whole state of a simulation. It is plain data.
type World struct {
	particle.Set

	Spacing   float64  // rest distance d of the particles, m
	Rho0      float64  // rest density, kg/m³
	Viscosity float64  // kinematic viscosity ν, m²/s
	Gravity   vec.Vec3 // m/s²

	Kernel kernel.Kernel   // of the solvers' sums
	Finder neighbor.Finder // finds pairs closer than Kernel's h
	Walls  []Boundary
	Forces []Force

	Time float64 // s
	Dt   float64 // length of the last step, s; 0 before the first
}

// Mass returns the mass of one particle, ρ₀d³, in kg.
func (w *World) Mass() float64 { return w.Rho0 * w.Spacing * w.Spacing * w.Spacing }
