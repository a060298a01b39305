package classic

import (
	"fmt"

	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/phase"
	"breakwater/sim/vec"
)

func init() {
	sim.Solvers.Add("clavet", "double density relaxation: a pressure and a near pressure move particles apart and together, one after the other",
		"Clavet et al. 2005", func() sim.Solver {
			return &Clavet{Support: 2.5, Near: 2.5, Linear: 3, Quadratic: 3, Restitution: 0.01, LongestStep: 1. / 30, CFL: 0.25}
		})
}

// Clavet is the liquid of Clavet, Beaudoin and Poulin, Particle-based Viscoelastic
// Fluid Simulation, 2005. With u = 1 − r/h, and no kernel of unit integral,
//
//	ρ_i = Σ u²   ρ_i^near = Σ u³   P = k (ρ − ρ₀)   P^near = k^near ρ^near
//
// particles are moved first by their velocities, then each in turn moves its
// neighbours and itself apart by
//
//	D = Δt² (P_i u + P_i^near u²),
//
// half of it each, and the velocity is what the place has changed by. What a
// particle sees depends on who came before it, so they come one by one in the
// order of their places, however many threads there are.
type Clavet struct {
	Support     float64 `toml:"support" unit:"1" range:"[1.5, 5]" doc:"Support radius h in spacings."`
	RestDensity float64 `toml:"rest_density" unit:"1" range:"[0, inf)" doc:"Sum ρ₀ at which the pressure is 0, 10 in the paper. With 0, particles at their spacing have no pressure."`
	Stiffness   float64 `toml:"stiffness" unit:"m/s²" range:"[0, inf)" doc:"Factor k of the law, 0.004 in the paper's units of length per frame². 0 derives it from the speed of sound."`
	Near        float64 `toml:"near" unit:"1" range:"[0, 100]" doc:"k^near in units of k, 2.5 in the paper. It keeps particles from clumping and acts as surface tension."`
	SoundSpeed  float64 `toml:"sound_speed" unit:"m/s" range:"[0, inf)" doc:"Speed of sound if stiffness is 0. The default 0 is five times the highest expected speed."`

	Linear    float64 `toml:"linear" unit:"1/s" range:"[0, inf)" doc:"Rate σ at which approaching particles lose their relative speed."`
	Quadratic float64 `toml:"quadratic" unit:"1/m" range:"[0, inf)" doc:"The same rate per m/s of relative speed, β."`

	Restitution float64 `toml:"restitution" unit:"1" range:"[0, 1]" doc:"Share of its speed that a particle keeps when it bounces off a wall."`
	LongestStep float64 `toml:"longest_step" unit:"s" range:"(0, 1]" doc:"Longest time step."`
	CFL         float64 `toml:"cfl" unit:"1" range:"(0, 0.5]" doc:"Distance that sound may travel per step, in support radii, if stiffness is 0."`

	law    law
	pairs  pairs
	lists  lists
	before []vec.Vec3 // places before the step
	near   []mover    // of the particle in turn
}

// mover is a neighbour of the particle in turn: in which direction, and u.
type mover struct {
	j int32
	u float64
	s vec.Vec3
}

// Compressible implements sim.Compressible.
func (*Clavet) Compressible() {}

// prepare works out the law for w, unless it has it.
func (s *Clavet) prepare(w *sim.World) {
	if s.law.spacing == w.Spacing && s.law.speed == w.Speed {
		return
	}
	s.law = law{spacing: w.Spacing, speed: w.Speed, h: s.Support * w.Spacing, rest: s.RestDensity, k: s.Stiffness}
	if s.law.rest == 0 {
		rho, near, far, tight := s.lattice(w.Dim(), 1)
		s.law.rest = rho + s.Near*near*tight/far
	}
	if s.law.k == 0 {
		if s.law.c = s.SoundSpeed; s.law.c == 0 {
			s.law.c = 5 * w.Speed
		}
		const e = 1e-4
		slope := -(s.virial(w.Dim(), w.Spacing, 1+e) - s.virial(w.Dim(), w.Spacing, 1-e)) / (2 * e) / float64(w.Dim())
		s.law.k = s.law.c * s.law.c / slope
	}
}

// lattice returns sums over a lattice scaled by a factor: ρ, ρ^near, Σ r u and Σ r u²,
// in spacings.
func (s *Clavet) lattice(dim int, scale float64) (rho, near, far, tight float64) {
	latticeSum(dim, scale, s.Support, func(r, u float64) {
		rho, near, far, tight = rho+float64(u*u), near+float64(u*u*u), far+float64(r*u), tight+float64(r*u*u)
	})
	return rho, near, far, tight
}

// virial returns P/ρ of a lattice scaled by a factor, for k = 1. Either particle of
// a pair moves both, so the two are pushed apart by the mean of their D/Δt².
func (s *Clavet) virial(dim int, spacing, scale float64) float64 {
	rho, near, far, tight := s.lattice(dim, scale)
	return spacing / float64(2*dim) * (float64((rho-s.law.rest)*far) + float64(s.Near*near*tight))
}

// Check implements sim.Checker.
func (s *Clavet) Check(w *sim.World) error {
	if err := alone(w); err != nil {
		return err
	}
	if err := checkRest("rest_density", s.RestDensity, w.Dim(), func(scale float64) float64 {
		rho, _, _, _ := s.lattice(w.Dim(), scale)
		return rho
	}); err != nil {
		return err
	}
	if s.Stiffness == 0 && s.SoundSpeed > 0 && s.SoundSpeed < 2*w.Speed {
		return slow(s.SoundSpeed, w.Speed)
	}
	if s.prepare(w); !(s.law.k > 0) {
		return unsound("rest_density", s.RestDensity)
	}
	// A particle may move no more than the distance at which the push becomes noticeable.
	if dt := s.MaxDt(w); s.Stiffness > 0 {
		rho, _, _, _ := s.lattice(w.Dim(), 1)
		if most := 0.5 * s.law.h / (dt * dt * rho); s.Stiffness > most {
			return &sim.SettingError{Key: "stiffness", Text: fmt.Sprintf(
				"%.4g m/s² is too stiff for steps of %.3g s: particles would pass through each other; expected %.3g m/s² or less, or a shorter longest_step",
				s.Stiffness, dt, 0.99*most)}
		}
	}
	return nil
}

// MaxDt implements sim.Solver.
func (s *Clavet) MaxDt(w *sim.World) float64 {
	s.prepare(w)
	if s.law.c == 0 {
		return s.LongestStep
	}
	return min(s.LongestStep, s.CFL*s.law.h/s.law.c)
}

// Step implements sim.Solver. The paper puts particles back off walls before it
// takes their velocities; here they bounce after, which gives none that a push out
// of a wall has made.
func (s *Clavet) Step(w *sim.World, dt float64) (info sim.StepInfo, err error) {
	s.prepare(w)
	watch := phase.Start(&info.Seconds)
	for i := range w.V {
		w.V[i] = w.V[i].Add(w.Gravity.Mul(dt))
	}
	s.pairs.find(w, s.law.h)
	s.applyViscosity(w, dt)
	watch.Lap(phase.Forcing)
	s.before = append(s.before[:0], w.X...)
	for i := range w.X {
		w.X[i] = w.X[i].Add(w.V[i].Mul(dt))
	}
	s.lists.find(w.Finder, w.X, s.law.h)
	watch.Lap(phase.Pairing)
	for i := range w.X {
		info.DensityError += max(0, s.relax(w, i, dt)/s.law.rest-1) / float64(w.Len())
	}
	watch.Lap(phase.Density)
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			w.V[i] = w.X[i].Sub(s.before[i]).Mul(1 / dt)
		}
	})
	b := bouncer{radius: w.Spacing / 2, bounce: s.Restitution, passes: passes}
	err = b.finishStep(w, dt, &info)
	watch.Lap(phase.Moving)
	return info, err
}

// applyViscosity applies the article's viscosity impulse to approaching particles, at most all of
// their speed of approach:
//
//	I = Δt u (σ u_r + β u_r²)  for their speed of approach u_r > 0
func (s *Clavet) applyViscosity(w *sim.World, dt float64) {
	if s.Linear == 0 && s.Quadratic == 0 {
		return
	}
	s.pairs.each(func(list []neighbor.Pair) {
		for k := range list {
			p := &list[k]
			ur := w.V[p.J].Sub(w.V[p.I]).Dot(p.S)
			if ur <= 0 {
				continue
			}
			half := p.S.Mul(min(ur, dt*max(0, 1-p.R/s.law.h)*(s.Linear+float64(s.Quadratic*ur))*ur) / 2)
			w.V[p.I], w.V[p.J] = w.V[p.I].Add(half), w.V[p.J].Sub(half)
		}
	})
}

// relax has particle i move its neighbours and itself, and returns its density.
func (s *Clavet) relax(w *sim.World, i int, dt float64) (rho float64) {
	s.near = s.near[:0]
	var nearRho float64
	x := w.X[i]
	for _, j := range s.lists.of(i) {
		if int(j) == i {
			continue
		}
		d := w.X[j].Sub(x)
		r := d.Len()
		u := 1 - r/s.law.h
		if u <= 0 {
			continue // moved away by others since
		}
		if u > 1-core {
			d = pairDirection(w.ID[j], w.ID[i], w.Time)
		} else {
			d = d.Mul(1 / r)
		}
		rho, nearRho = rho+float64(u*u), nearRho+float64(u*u*u)
		s.near = append(s.near, mover{j, u, d})
	}
	p, pNear := float64(s.law.k*(rho-s.law.rest)), float64(s.law.k*s.Near*nearRho)
	for _, n := range s.near {
		half := n.s.Mul(float64(dt * dt * n.u * (p + float64(pNear*n.u)) / 2))
		w.X[n.j] = w.X[n.j].Add(half)
		x = x.Sub(half)
	}
	w.X[i] = x
	return rho
}
