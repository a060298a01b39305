package sim

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
)

// BytesPerParticle is the memory that a simulation takes per particle, measured on a dam
// break. Two fifths are for the pairs, at 4 bytes for each of some 30 neighbours. The
// rest is for the state and the solver's work arrays.
const BytesPerParticle = 380

// The additional memory of liquids per particle.
const (
	tensionBytes    = 40 // tension
	viscosityBytes  = 95 // viscosity that is solved for
	correctionBytes = 144
	isphBytes       = 254 // surroundings, poisson, consistentGradient, arrangement, biharmonicViscosity and surfaceViscosity
)

// Memory returns the bytes of memory that w and its solver take with n particles. Walls
// count once w.Init was called.
func (w *World) Memory(n float64, s Solver) float64 {
	each := float64(BytesPerParticle)
	if w.SurfaceTension > 0 {
		each += tensionBytes
	}
	if w.viscosity() > 0 && implicitCost*w.viscousDt() < calmStep*math.Sqrt(w.Spacing/w.Gravity.Len()) {
		each += viscosityBytes
	}
	if correctsGradients(w, s) {
		each += correctionBytes
	}
	if _, ok := s.(*ISPH); ok {
		each += isphBytes
	}
	bytes := n * each
	for _, wall := range w.Walls {
		shape, mover := body.Unwrap(wall)
		if mover != nil && mover.Particles {
			bytes += float64(boundary.ParticleBytes * boundary.LayerSize(shape, w.Spacing))
		}
		if s, ok := shape.(interface{ Memory() float64 }); ok {
			bytes += s.Memory()
		}
	}
	return bytes
}
