package quantity

import (
	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	register("age", "time since a particle left an inflow, or since the start, s", "", ageQuantity{})
}

type ageQuantity struct{ anySolver }

func (ageQuantity) Of(w *sim.World, _ sim.Solver) ([]float64, []vec.Vec3) {
	return perParticle(w.Len(), func(i int) float64 { return max(0, w.Time-w.ReleaseTime(w.ID[i])) }), nil
}
