package scenes

import (
	"breakwater/sim"
	"breakwater/sim/par"
)

// tally sums up the steps of one frame.
type tally struct {
	steps               int
	dtMin, dtMax, dtSum float64 // s
	density, divergence int     // iterations of the solves
	errorSum, errorMax  float64 // of the mean density errors of the steps
	held                int     // particles held back at walls
}

func (t *tally) add(i sim.StepInfo) {
	if t.steps == 0 || i.Dt < t.dtMin {
		t.dtMin = i.Dt
	}
	t.steps++
	t.dtMax, t.dtSum = max(t.dtMax, i.Dt), t.dtSum+i.Dt
	t.density += i.DensityIter
	t.divergence += i.DivergenceIter
	t.errorSum, t.errorMax = t.errorSum+i.DensityError, max(t.errorMax, i.DensityError)
	t.held += i.Projected
}

// tallyColumns are the columns of row.
var tallyColumns = []string{
	"time_s", "substeps", "dt_min_s", "dt_mean_s", "dt_max_s", "density_iterations", "divergence_iterations",
	"particles", "held_at_walls", "density_error_mean", "density_error_max",
	"kinetic_energy_j", "potential_energy_j", "speed_max_m_s",
}

// row returns what a ledger says of a frame that ends with w.
func (t *tally) row(w *sim.World) []any {
	n := float64(max(1, t.steps))
	kinetic, potential := energy(w)
	return []any{
		w.Time, t.steps, t.dtMin, t.dtSum / n, t.dtMax, t.density, t.divergence,
		w.Len(), t.held, t.errorSum / n, t.errorMax,
		kinetic, potential, fastest(w),
	}
}

// energy returns ½mΣv² and −mΣg·x, in J; the latter is 0 at the origin.
func energy(w *sim.World) (kinetic, potential float64) {
	m := w.Mass()
	kinetic = par.Sum(w.Len(), func(lo, hi int) (s float64) {
		for _, v := range w.V[lo:hi] {
			s += v.Dot(v)
		}
		return s
	})
	potential = par.Sum(w.Len(), func(lo, hi int) (s float64) {
		for _, x := range w.X[lo:hi] {
			s -= w.Gravity.Dot(x)
		}
		return s
	})
	return m / 2 * kinetic, m * potential
}

// fastest returns the highest speed, m/s.
func fastest(w *sim.World) float64 {
	return par.Max(w.Len(), 0, func(lo, hi int) (v float64) {
		for _, x := range w.V[lo:hi] {
			v = max(v, x.Len())
		}
		return v
	})
}
