package sim

import (
	"errors"

	"breakwater/sim/vec"
)

func init() {
	quantity("pressure", "pressure above ambient, as computed by the solver, Pa", "", pressureQuantity{})
}

type pressureQuantity struct{ number }

// carrier is a solver whose particles carry their pressure.
type carrier interface{ carriesPressure() }

func (*incompressible) carriesPressure() {}

func (pressureQuantity) Suits(s Solver) error {
	_, carries := s.(carrier)
	_, finds := s.(pressurer)
	if carries || finds {
		return nil
	}
	return errors.New("the solver does not store the particles' pressures")
}

// Of returns no pressures at the start, before the first solve.
func (pressureQuantity) Of(w *World, s Solver) ([]float64, []vec.Vec3) {
	p := Pressures(w, s)
	if p == nil {
		p = make([]float64, w.Len())
	}
	return p, nil
}
