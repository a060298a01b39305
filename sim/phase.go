package sim

import "time"

// Phase is a part of a step that is timed by itself.
type Phase int

// The phases of a step, in the order of DFSPH.
const (
	Pairing    Phase = iota // sorting, neighbours, their weights, densities
	Divergence              // the solve for no divergence
	Forcing                 // viscosity and forces
	Density                 // the solve for constant density
	Moving                  // positions, walls, checks
	NumPhases
)

// String returns the phase's name.
func (p Phase) String() string {
	return [NumPhases]string{"pairs, density, factors", "divergence solve", "forces", "density solve", "move"}[p]
}

// watch times the phases of a step. The times are told and nothing else: no
// result depends on them.
type watch struct {
	last time.Time
	info *StepInfo
}

func startWatch(info *StepInfo) *watch { return &watch{time.Now(), info} }

// lap adds the time since the last call to phase p.
func (w *watch) lap(p Phase) {
	now := time.Now()
	w.info.Seconds[p] += now.Sub(w.last).Seconds()
	w.last = now
}
