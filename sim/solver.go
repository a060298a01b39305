package sim

import (
	"breakwater/sim/phase"
	"breakwater/sim/registry"
)

// Solver moves a liquid in steps.
type Solver interface {
	// MaxDt returns the longest step from w that is stable, s.
	MaxDt(w *World) float64
	// Step moves w by dt > 0, in seconds. It may reorder the particles. It
	// fails with an *Unstable error if the result makes no sense.
	Step(w *World, dt float64) (StepInfo, error)
}

// Solvers are the known methods.
var Solvers = registry.Set[Solver]{Kind: "solver"}

// DefaultSolver is the name of the solver of a scene that names none.
const DefaultSolver = "isph"

// StepInfo says how a step went.
type StepInfo struct {
	Time           float64 // at the end of the step, s
	Dt             float64 // length of the step, s
	DensityIter    int     // iterations of the solve for constant density
	DivergenceIter int     // iterations of the solve for no divergence
	ViscosityIter  int     // iterations of the solve for viscosity, where one was needed
	DensityError   float64 // mean excess over the rest density before the step, relative to it
	MaxSpeed       float64 // m/s
	Projected      int     // particles held back at a wall that pressure did not keep off it
	BodyHits       int     // particles that pressed on free bodies
	Added, Removed int     // particles, by inflows and outflows after the step

	Seconds phase.Seconds // the time of each phase, by the clock
}

// Checker is a solver that can report before a run that its settings are wrong for a
// liquid. Of the world it reads the fields that New and Init have set. Its error is a
// *SettingError.
type Checker interface{ Check(w *World) error }

// SettingError is a setting of a variant that is in its range but wrong for
// the liquid it is used on.
type SettingError struct {
	Key  string // of the setting
	Text string // the fault and a remedy
}

func (e *SettingError) Error() string { return e.Key + ": " + e.Text }

// pressurer is a solver whose particles do not carry their pressure.
type pressurer interface {
	Pressures(w *World) []float64 // Pa
}

// carrier is a solver whose particles carry their pressure.
type carrier interface{ carriesPressure() }

// HasPressures reports whether the pressures that a solver finds are known after a step.
func HasPressures(s Solver) bool {
	_, carries := s.(carrier)
	_, finds := s.(pressurer)
	return carries || finds
}

// Pressures returns the pressure of each particle that s found in the last step, Pa;
// nil before the first step.
func Pressures(w *World, s Solver) []float64 {
	if w.Dt == 0 {
		return nil
	}
	if s, ok := s.(pressurer); ok {
		return s.Pressures(w)
	}
	return w.Carry(carryPressure)
}
