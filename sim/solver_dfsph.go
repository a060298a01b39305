package sim

import (
	"math"
	"slices"

	"breakwater/sim/plug"
)

func init() {
	Solvers.Register(plug.Entry[Solver]{
		Name: "dfsph", Doc: "divergence-free SPH: keeps the density within a tolerance, in long steps",
		Cite: "Bender and Koschier 2015, 2017",
		New: func(d plug.Decode) (Solver, error) {
			s := &DFSPH{MaxError: 1e-4, MaxDivergence: 1e-4, MaxIter: 100, CFL: 0.4}
			return s, d(s)
		},
	})
}

// DFSPH is the solver of Bender and Koschier, Divergence-Free SPH for
// Incompressible and Viscous Fluids, IEEE TVCG 23, 2017. A step takes the
// divergence out of the velocities, applies the forces, and keeps the density
// after the step from exceeding the rest density. Both solves start from the
// pressures of the step before, which the particles carry.
type DFSPH struct {
	MaxError      float64 `toml:"max_error" unit:"1" range:"(0, 0.1]" doc:"Mean excess over the rest density that a step may leave, relative to it."`
	MaxDivergence float64 `toml:"max_divergence" unit:"1" range:"(0, 1]" doc:"Mean growth of the density in a step that the velocities may have before it, relative to the rest density."`
	MaxIter       int     `toml:"max_iterations" range:"[2, 10000]" doc:"Iterations after which a solve is left as it is."`
	CFL           float64 `toml:"cfl" unit:"1" range:"(0, 1]" doc:"How many spacings the fastest particle may move in a step."`

	projection
	e []float32 // excess to be solved away
	k []float32 // p/ρ₀
}

// Names of what the particles carry.
const (
	carryPressure   = "pressure"            // of the constant-density solve, Pa
	carryDivergence = "divergence_pressure" // of the divergence-free solve, Pa
)

// sparse is the relative density below which a particle is a drop or a part
// of a thin sheet, whose density sum is no measure of its divergence (as
// Bender and Koschier 2017, sec. 3.4, skip particles with few neighbours).
const sparse = 0.75

// calmStep bounds the step of a liquid at rest to this share of √(d/g), the
// time of a fall by half a spacing. In longer steps a column's weight presses
// it together faster than the solve's tolerance notices.
const calmStep = 0.1

// MaxDt implements Solver.
func (s *DFSPH) MaxDt(w *World) float64 {
	// The longest dt with dt (v + g dt) ≤ CFL·d.
	v, g, way := w.maxSpeed(), w.Gravity.Len(), s.CFL*w.Spacing
	dt := 2 * way / (v + math.Sqrt(v*v+4*g*way))
	if g > 0 {
		dt = min(dt, calmStep*math.Sqrt(w.Spacing/g))
	} else {
		dt = min(dt, way/w.Speed)
	}
	dt = min(dt, w.viscousDt())
	for _, f := range w.Forces {
		dt = min(dt, f.MaxDt(w))
	}
	return dt
}

// Step implements Solver.
func (s *DFSPH) Step(w *World, dt float64) (info StepInfo, err error) {
	watch := startWatch(&info)
	p, err := w.arrange()
	if err != nil {
		return info, err
	}
	watch.lap(Pairing)
	s.e = slices.Grow(s.e[:0], p.n)[:p.n]
	s.k = slices.Grow(s.k[:0], p.n)[:p.n]

	s.setExcess(w, p, func(i int, growth float32) float32 {
		if w.Rho[i] < sparse*w.Rho0 {
			return -1 // no pressure will be too little
		}
		return float32(dt) * growth
	})
	info.DivergenceIter = s.correct(w, p, carryDivergence, dt, s.MaxDivergence)
	watch.lap(Divergence)

	p.setVelocities(w)
	s.accel = slices.Grow(s.accel[:0], p.n)[:p.n]
	w.forces(p, s.accel)
	w.kick(p, s.accel, dt)
	watch.lap(Forcing)

	s.setExcess(w, p, func(i int, growth float32) float32 {
		return float32(excess(w.Rho[i]/w.Rho0)) + float32(dt)*growth
	})
	info.DensityIter = s.correct(w, p, carryPressure, dt, s.MaxError)
	watch.lap(Density)

	err = w.move(dt, &info)
	watch.lap(Moving)
	return info, err
}

// excess returns how much of the relative density's distance from 1 a step
// takes into account: the source term of the constant-density solve.
//
// All of it, as in the paper, makes still water bounce. The step that mends an
// excess leaves a velocity outward, so that the liquid is a little too thin in
// the next steps, falls free until the gap is closed, and must be caught from
// no pressure by a hundred iterations. Half of an excess and a tenth of a gap
// make the density return smoothly (as Baumgarte's stabilization does for
// constraints), with pressures that last from step to step. Drops and sheets
// may close their gaps at once.
func excess(density float64) float64 {
	switch d := density - 1; {
	case d > 0:
		return 0.5 * d
	case density > sparse:
		return 0.1 * d
	default:
		return d
	}
}

// setExcess sets e to f of each particle and the rate at which the velocities
// make its relative density grow, 1/s.
func (s *DFSPH) setExcess(w *World, p *Pairs, f func(i int, growth float32) float32) {
	p.setVelocities(w)
	p.each(func(b, lo, hi int) {
		p.compression(b, s.e, p.V)
		for i := lo; i < hi; i++ {
			s.e[i] = f(i, s.e[i]+p.WallGrad[i].S)
		}
	})
}

// correct changes the velocities by the pressures that take e away, starting
// from those that the particles carry under name. It returns the number of
// iterations.
func (s *DFSPH) correct(w *World, p *Pairs, name string, dt, tol float64) int {
	carried := w.Carry(name)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.k[i] = float32(carried[i] / w.Rho0)
		}
	})
	iter := s.solve(p, s.k, s.e, dt, tol, s.MaxIter)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			carried[i] = float64(s.k[i]) * w.Rho0
			w.V[i] = w.V[i].Add(vec3(s.accel[i]).Mul(dt))
		}
	})
	return iter
}
