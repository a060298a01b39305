package sim

import (
	"breakwater/sim/phase"
	"breakwater/sim/vec"
)

func init() {
	Solvers.Add("dfsph", "divergence-free SPH: like iisph, with a second solve in each step whose divergence is large",
		"Bender and Koschier 2015, 2017", func() Solver { return &DFSPH{MaxError: 1e-4, MaxDivergence: 1e-3, MaxIter: 100, CFL: 0.4} })
}

// DFSPH is the solver of Bender and Koschier, Divergence-Free SPH for Incompressible and
// Viscous Fluids, IEEE TVCG 23, 2017. A step removes the divergence of the velocities if
// it is too large, and applies the forces. It then keeps the density after the step from
// exceeding the rest density.
type DFSPH struct {
	MaxError      float64 `toml:"max_error" unit:"1" range:"(0, 0.1]" doc:"Tolerance of the density solve: mean excess over the rest density, relative to it, of a liquid up to 20 particles deep. It falls in proportion as the depth grows."`
	MaxDivergence float64 `toml:"max_divergence" unit:"1" range:"(0, 1]" doc:"Tolerance of the velocities before a step: their mean growth of density in a step, relative to the rest density."`
	MaxIter       int     `toml:"max_iterations" range:"[2, 10000]" doc:"Iterations after which a solve ends even if it has not reached its tolerance."`
	CFL           float64 `toml:"cfl" unit:"1" range:"(0, 1]" doc:"Distance that the liquid may move per step, in spacings. Its fastest thousandth may move twice as far."`

	incompressible
}

// calmer implements accountant.
func (s *DFSPH) calmer() (string, float64) { return calmerSolve, s.MaxError }

// MaxDt implements Solver.
func (s *DFSPH) MaxDt(w *World) float64 { return maxDt(w, s.CFL) }

// Step implements Solver.
func (s *DFSPH) Step(w *World, dt float64) (info StepInfo, err error) {
	watch := phase.Start(&info.Seconds)
	p, err := w.updateNeighbors(watch)
	if err != nil {
		return info, err
	}
	correctGradients(w, p)
	findAlong(w, p)
	p.setVelocities(w)

	growth := s.sourceTerm(p, func(i int, growth float32) float32 {
		if w.Rho[i] < sparse*w.Rho0 {
			return -1 // no pressure will be too little
		}
		return float32(dt) * growth
	})
	if growth > s.MaxDivergence {
		p.limitWedgedExcess(s.e)
		info.DivergenceIter = s.solve(p, s.e, dt, s.MaxDivergence, s.MaxIter, densityRate{cold: true})
		addAcceleration(w, p, s.accel, vec.Vec3{}, dt)
		w.energy.pressed(w, p, w.rigid.applyPressures(dt), dt, nil)
	}
	watch.Lap(phase.Divergence)

	info.ViscosityIter = s.applyForces(w, p, dt, dt)
	watch.Lap(phase.Forcing)
	info.DensityIter = s.solveDensity(w, p, dt, depthTolerance(w, s.MaxError), s.MaxIter, plainExcess)
	watch.Lap(phase.Density)
	shiftParticles(w, p, dt, shiftRate)
	spreadAlongJets(w, p, dt)
	err = w.move(dt, &info)
	watch.Lap(phase.Moving)
	return info, err
}
