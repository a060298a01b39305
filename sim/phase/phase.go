// Package phase times the phases of a solver's steps.
package phase

import "time"

// Phase is a part of a step that is timed by itself.
type Phase int

// The phases of a step, in the order of DFSPH.
const (
	Sorting    Phase = iota // particles by cell
	Pairing                 // neighbours, their weights, densities, factors
	Divergence              // the solve for no divergence
	Forcing                 // viscosity and forces
	Density                 // the solve for constant density
	Moving                  // positions, walls, checks

	Count // of the phases
)

// String returns the phase's name.
func (p Phase) String() string {
	return [Count]string{"sort", "pairs, density, factors", "divergence solve", "forces", "density solve", "move"}[p]
}

// Seconds is the time of each phase, by the clock.
type Seconds [Count]float64

// Watch times the phases of a step. Times are reported only: no result depends on
// them.
type Watch struct {
	last    time.Time
	seconds *Seconds
}

// Start returns a watch that adds to seconds from now on.
func Start(seconds *Seconds) *Watch { return &Watch{time.Now(), seconds} }

// Lap adds the time since the last call to phase p. A nil watch does nothing.
func (w *Watch) Lap(p Phase) {
	if w == nil {
		return
	}
	now := time.Now()
	w.seconds[p] += now.Sub(w.last).Seconds()
	w.last = now
}
