package sim

import "breakwater/sim/vec"

func init() {
	quantity("age", "time since a particle left an inflow, or since the start, s", "", ageQuantity{})
}

type ageQuantity struct{ known }

func (ageQuantity) Of(w *World, _ Solver) ([]float64, []vec.Vec3) {
	return each(w.Len(), func(i int) float64 { return max(0, w.Time-w.born(w.ID[i])) }), nil
}

// born returns when the particle with this number was, or will be, at the
// opening that it comes out of: 0 for one that is there at the start.
func (w *World) born(id uint32) float64 {
	n, c, layer := w.column(id)
	if n == nil {
		return 0
	}
	return n.Start + (float64(layer)+c.phase)*n.Layer/c.Speed
}
