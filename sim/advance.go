package sim

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/particle"
)

var errNotReady = errors.New("sim: Advance before Init: call Init once on the state at the start")

// Resume replaces the state of w by a later one: the particles and bodies, the time t and the
// length dt of the last step in s, and the Surplus in J.
func (w *World) Resume(set particle.Set, t, dt, surplus float64) error {
	w.Set, w.Time, w.Dt, w.Surplus, w.unpacked = set, t, dt, surplus, false
	return w.PlaceBodies(set.Bodies)
}

// Advance moves w by s to time t, in seconds, exactly, in as many steps as s needs.
// After each step it calls step, if it is not nil, which stops the run by returning an
// error. At the end the densities belong to the final positions, and all numbers of the
// world are rounded to float32, as in files. A run that reads them continues from the
// same bits. If Advance fails, the world stays as it was at the failure.
func (w *World) Advance(s Solver, t float64, step func(StepInfo) error) error {
	if w.volume == 0 {
		return errNotReady
	}
	if !(t >= w.Time) {
		return fmt.Errorf("sim: cannot go from time %g s to %g s", w.Time, t)
	}
	if err := w.Pack(); err != nil {
		return err
	}
	if err := w.PlaceBodies(w.Set.Bodies); err != nil {
		return err
	}
	if _, ok := s.(Compressible); ok && len(w.rigid.Bodies) > 0 {
		return errors.New("sim: this solver does not move bodies; use isph, iisph, dfsph or wcsph")
	}
	for _, wall := range w.Walls {
		wall.Move(w.Time)
	}
	w.prepareFor(s)
	moves := w.Time < t
	if moves {
		w.energy.begin(w, s)
	}
	for w.Time < t {
		left := t - w.Time
		dt := s.MaxDt(w)
		if !(dt > 1e-9*left) {
			if cause, advice, ok := fullTank(w); ok {
				return fmt.Errorf("sim: at %g s: the solver asks for steps of %g s: %s: %s", w.Time, dt, cause, advice)
			}
			return fmt.Errorf("sim: at %g s: the solver asks for steps of %g s, too short to finish: the liquid is too fast or the spacing of %g m is too small", w.Time, dt, w.Spacing)
		}
		// Equal steps rather than full ones and a short one at last.
		last := dt >= left
		w.longestDt = dt
		dt = left / math.Ceil(left/dt)
		for _, o := range w.Observers {
			o.Before(w, s, dt)
		}
		w.drive(dt)
		info, err := s.Step(w, dt)
		if err != nil {
			return err
		}
		before := w.Time
		w.Time, w.Dt = w.Time+dt, dt
		if last {
			w.Time = t
		}
		if err := w.energy.check(w, s); err != nil {
			return err
		}
		info.Removed = w.drain(before)
		n := w.Len()
		if info.Added, err = w.buffers.Feed(&w.Set, w.Rho0, before, w.Time); err != nil {
			return fmt.Errorf("sim: %w", err)
		}
		w.energy.gave(w, n)
		for _, o := range w.Observers {
			o.After(w, s)
		}
		info.Time, info.Dt = w.Time, dt
		if step != nil {
			if err := step(info); err != nil {
				return err
			}
		}
	}
	for _, wall := range w.Walls {
		wall.Move(w.Time) // which the last step's sum may have missed by a bit
	}
	w.Round()
	if err := w.PlaceBodies(w.Set.Bodies); err != nil {
		return err
	}
	for _, o := range w.Observers {
		o.Reset()
	}
	if _, ok := s.(Compressible); ok {
		w.SumDensities()
		return nil
	}
	if _, err := w.updateNeighbors(nil); err != nil {
		return err
	}
	if moves {
		w.energy.finish(w, s)
	}
	return nil
}

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
