package sim

import (
	"breakwater/sim/boundary"
	"math"
)

// BytesPerParticle is the memory that a simulation takes for each particle, as measured
// on a dam break: two fifths for the pairs, at 4 bytes for each of some 30 neighbours,
// the rest for the state and for the solver's work arrays.
const BytesPerParticle = 380

// The additional memory of liquids per particle.
const (
	tensionBytes   = 40 // tension
	viscosityBytes = 95 // viscosity that is solved for
	affineBytes    = 112
)

// Memory returns the bytes of memory that w takes with n particles. Walls count
// once w.Init was called.
func (w *World) Memory(n float64) float64 {
	each := float64(BytesPerParticle)
	if w.SurfaceTension > 0 {
		each += tensionBytes
	}
	if w.viscosity() > 0 && implicitCost*w.viscousDt() < calmStep*math.Sqrt(w.Spacing/w.Gravity.Len()) {
		each += viscosityBytes
	}
	if w.highlyViscous() {
		each += affineBytes
	}
	bytes := n * each
	for _, wall := range w.Walls {
		shape, body := Rest(wall)
		if body != nil && body.Particles {
			bytes += boundary.ParticleBytes * boundary.LayerSize(shape, w.Spacing)
		}
		if s, ok := shape.(interface{ Memory() float64 }); ok {
			bytes += s.Memory()
		}
	}
	return bytes
}
