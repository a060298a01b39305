package sim

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/particle"
)

var errNotReady = errors.New("sim: Advance before Init: call Init once on the state at the start")

// Advance moves w by s to time t, in seconds, exactly, in as many steps as s
// needs. After each step it calls step, if it is not nil, which stops the run
// by returning an error. At the end the densities are those of the final
// positions. If Advance fails, the world is as it was before the call.
func (w *World) Advance(s Solver, t float64, step func(StepInfo) error) error {
	if w.volume == 0 {
		return errNotReady
	}
	if !(t >= w.Time) {
		return fmt.Errorf("sim: cannot go from time %g s to %g s", w.Time, t)
	}
	for _, wall := range w.Walls {
		wall.Move(w.Time)
	}
	time, dt := w.Time, w.Dt
	copySet(&w.saved, &w.Set)
	if err := w.run(s, t, step); err != nil {
		copySet(&w.Set, &w.saved)
		w.Time, w.Dt = time, dt
		return err
	}
	return nil
}

// run takes the steps of Advance and sets the densities.
func (w *World) run(s Solver, t float64, step func(StepInfo) error) error {
	for w.Time < t {
		left := t - w.Time
		dt := s.MaxDt(w)
		if !(dt > 1e-9*left) {
			return fmt.Errorf("sim: at %g s: the solver asks for steps of %g s, which would never end: the liquid is too fast or the spacing %g m too small", w.Time, dt, w.Spacing)
		}
		// Equal steps rather than full ones and a short one at last.
		last := dt >= left
		dt = left / math.Ceil(left/dt)
		info, err := s.Step(w, dt)
		if err != nil {
			return err
		}
		w.Time, w.Dt = w.Time+dt, dt
		if last {
			w.Time = t
		}
		info.Time, info.Dt = w.Time, dt
		if step != nil {
			if err := step(info); err != nil {
				return err
			}
		}
	}
	_, err := w.arrange()
	return err
}

// copySet makes dst equal to src in memory of its own.
func copySet(dst, src *particle.Set) {
	dst.X = append(dst.X[:0], src.X...)
	dst.V = append(dst.V[:0], src.V...)
	dst.Rho = append(dst.Rho[:0], src.Rho...)
	dst.ID = append(dst.ID[:0], src.ID...)
	dst.Attr = dst.Attr[:min(len(dst.Attr), len(src.Attr))]
	for i, a := range src.Attr {
		if i == len(dst.Attr) {
			dst.Attr = append(dst.Attr, particle.Attr{})
		}
		dst.Attr[i].Name = a.Name
		dst.Attr[i].Data = append(dst.Attr[i].Data[:0], a.Data...)
	}
}
