// Package force holds the forces that act on a liquid besides pressure, viscosity and
// gravity. Each is one file.
package force

import (
	"breakwater/sim/pairsum"
	"breakwater/sim/registry"
)

// Force is one of them.
type Force interface {
	// MaxDt returns the longest step that the force allows, s: +Inf if it allows any.
	MaxDt() float64
	// Add adds the force's acceleration of the particles to a, in m/s², one item per
	// particle. out is scratch as long as a. It is called from many goroutines.
	Add(a, out []pairsum.Vec4, on Particles)
}

// Particles are the particles that a force acts on, and their neighbours.
type Particles struct {
	*pairsum.Pairs
	V    []pairsum.Vec4 // m/s, of all particles: they have the numbers of Pairs
	Time float64        // s
}

// Forces are the known kinds.
var Forces = registry.Set[Force]{Kind: "force"}

// NeedAverages reports whether a force of the list calls Average of its Particles.
func NeedAverages(list []Force) bool {
	for _, f := range list {
		if _, ok := f.(interface{ NeedsAverage() }); ok {
			return true
		}
	}
	return false
}
