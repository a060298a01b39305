package sim

// Observer looks at a world as time passes. It must not change it.
type Observer interface {
	// Before is called before each step, which is dt long.
	Before(w *World, s Solver, dt float64)
	// After is called after each step.
	After(w *World, s Solver)
	// Reset is called at the end of each Advance, when the numbers of the world
	// have been rounded, as if the run had been resumed there.
	Reset()
}

// pressurer is a solver whose particles do not carry their pressure.
type pressurer interface {
	Pressures(w *World) []float64 // Pa
}

// carrier is a solver whose particles carry their pressure.
type carrier interface{ carriesPressure() }

func (*incompressible) carriesPressure() {}

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
