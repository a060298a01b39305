package run

import (
	"breakwater/sim"
	"breakwater/sim/phase"
)

// frameSteps sums up the steps of one frame.
type frameSteps struct {
	steps               int
	dtMin, dtMax, dtSum float64 // s
	density, divergence int     // iterations of the solves
	viscosity           int
	errorMax            float64 // largest mean density error of a step
	held                int     // particles held back at walls
	hits                int     // particles that pressed on bodies, in all steps
	added, removed      int     // particles, by inflows and outflows
	seconds             [phase.Count]float64
}

func (t *frameSteps) add(i sim.StepInfo) {
	if t.steps == 0 || i.Dt < t.dtMin {
		t.dtMin = i.Dt
	}
	t.steps++
	t.dtMax, t.dtSum = max(t.dtMax, i.Dt), t.dtSum+i.Dt
	t.density += i.DensityIter
	t.divergence += i.DivergenceIter
	t.viscosity += i.ViscosityIter
	t.errorMax = max(t.errorMax, i.DensityError)
	t.held += i.Projected
	t.hits += i.BodyHits
	t.added += i.Added
	t.removed += i.Removed
	for p, s := range i.Seconds {
		t.seconds[p] += s
	}
}

// stepColumns are the columns of row.
var stepColumns = []string{
	"time_s", "substeps", "dt_min_s", "dt_mean_s", "dt_max_s",
	"density_iterations", "divergence_iterations", "viscosity_iterations", "step_error_max", "held_at_walls", "body_hits",
	"particles", "added", "removed", "density_error_mean", "density_error_max", "volume_m3",
	"kinetic_energy_j", "potential_energy_j", "speed_max_m_s",
	"body_kinetic_energy_j", "body_potential_energy_j",
	"work_gravity_j", "work_walls_j", "work_bodies_j", "work_inflows_j", "work_outflows_j", "work_tension_j", "work_elastic_j", "work_forces_j",
	"work_viscosity_j", "work_friction_j", "work_impacts_j", "work_numerics_j", "surplus_j",
}

// row returns the values of the columns for a frame that ends with w. The solver keeps an
// energy balance if balanced is set.
func (t *frameSteps) row(w *sim.World, balanced bool) []any {
	s := w.Stats()
	row := []any{
		w.Time, t.steps, t.dtMin, t.dtSum / float64(max(1, t.steps)), t.dtMax,
		t.density, t.divergence, t.viscosity, t.errorMax, t.held, t.hits,
		s.Particles, t.added, t.removed, s.MeanError, s.MaxError, s.Volume,
		s.Kinetic, s.Potential, s.MaxSpeed,
		s.Bodies.Kinetic, s.Bodies.Potential,
	}
	if !balanced {
		for len(row) < len(stepColumns) {
			row = append(row, "")
		}
		return row
	}
	b := w.Balance()
	return append(row, b.Gravity, b.Walls, b.Bodies, b.Inflows, b.Outflows, b.Tension, b.Elastic, b.Forces,
		b.Viscosity, b.Friction, b.Impacts, b.Numerics, w.Surplus)
}
