package sim

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
	NumPhases
)

// String returns the phase's name.
func (p Phase) String() string {
	return [NumPhases]string{"sort", "pairs, density, factors", "divergence solve", "forces", "density solve", "move"}[p]
}

// watch times the phases of a step. The times are told and nothing else: no
// result depends on them.
type watch struct {
	last time.Time
	info *StepInfo
}

func startWatch(info *StepInfo) *watch { return &watch{time.Now(), info} }

// lap adds the time since the last call to phase p. A nil watch tells nothing.
func (w *watch) lap(p Phase) {
	if w == nil {
		return
	}
	now := time.Now()
	w.info.Seconds[p] += now.Sub(w.last).Seconds()
	w.last = now
}
