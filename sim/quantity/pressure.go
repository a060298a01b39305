package quantity

import (
	"errors"

	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	register("pressure", "pressure above ambient, as computed by the solver, Pa", "", pressureQuantity{})
}

type pressureQuantity struct{ scalarValue }

func (pressureQuantity) Suits(s sim.Solver) error {
	if sim.HasPressures(s) {
		return nil
	}
	return errors.New("the solver does not store the particles' pressures")
}

// Of returns no pressures at the start, before the first solve.
func (pressureQuantity) Of(w *sim.World, s sim.Solver) ([]float64, []vec.Vec3) {
	p := sim.Pressures(w, s)
	if p == nil {
		p = make([]float64, w.Len())
	}
	return p, nil
}
