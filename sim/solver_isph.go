package sim

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/phase"
	"breakwater/sim/vec"
)

func init() {
	Solvers.Add("isph", "incompressible SPH with a pressure equation, consistent gradients and particle shifting: water at rest stays at rest, and waves keep their height",
		"Cummins and Rudman 1999; Lind et al. 2012", func() Solver { return &ISPH{MaxError: 1e-5, MaxIter: 200, CFL: 0.4} })
}

// ISPH is an incompressible solver whose pressure acts on the flow and not on the
// arrangement of the particles.
//
// IISPH demands that the density sum of each particle is constant. The sum depends on the
// arrangement of the neighbours, so particles under pressure behave like the grains of a
// packing: it resists shear in proportion to the pressure, and its grains vibrate. Waves
// lose their energy to this vibration, and water at rest keeps it. Here
//
//   - the divergence of the velocities is taken with corrected gradients, which no linear
//     shear changes (see gradientCorrection);
//   - the pressure follows from Poisson's equation (see poisson), whose right side is balanced
//     so that the pressure of water at rest solves it for any arrangement;
//   - its gradient is exact for pressures that are linear in the place, and 0 for a constant
//     one (see consistentGradient);
//   - the density is read without the bias of a stretched lattice (see stretchBias);
//   - the error of the density is averaged over the neighbours before a step corrects it,
//     and the step corrects a fifth of it. So the pressure keeps the volume and leaves the
//     arrangement alone;
//   - particles are shifted to where the density is lower, which keeps their arrangement
//     even without a force (see arrangement);
//   - a biharmonic viscosity takes the velocities that alternate from particle to particle
//     (see biharmonicViscosity), and at the surface a viscosity damps the outermost layer
//     (see surfaceViscosity);
//   - the leapfrog method advances the particles (see kickTime).
//
// No particle vibrates under the pressure of the depth, so the depth does not shorten the
// steps as with IISPH. Impacts do (see calmShare).
//
// Viscous liquids and small drops are solved as by IISPH: nothing in them vibrates for long,
// and it conserves momentum to rounding; see acting.
type ISPH struct {
	MaxError float64 `toml:"max_error" unit:"1" range:"(0, 0.1]" doc:"Tolerance of the pressure solve: mean excess over the rest density after a step, relative to it, of a liquid up to 20 particles deep. It falls in proportion as the depth grows."`
	MaxIter  int     `toml:"max_iterations" range:"[2, 10000]" doc:"Iterations after which a solve ends even if it has not reached its tolerance."`
	CFL      float64 `toml:"cfl" unit:"1" range:"(0, 1]" doc:"Distance that the liquid may move per step, in spacings. Its fastest thousandth may move twice as far."`
	Tension  float64 `toml:"tension" unit:"Pa" range:"[0, 1e9]" doc:"Negative pressure that the inside of the liquid bears before it tears. With 0 it tears where it would be pulled; a siphon, or water that rotates without weight, needs more."`

	incompressible
	iisph    IISPH
	around   surroundings
	equation poisson
	gradient consistentGradient
	onBodies bodyPressure
	biharmonicViscosity
	surface surfaceViscosity
	arrangement
}

// restStep bounds the step of a liquid at rest to this share of √(d/g), like calmStep.
const restStep = 0.2

// bodyRestStep is restStep in worlds with free bodies. With restStep the void around a round body
// at the start, where no particle of a lattice fits, throws particles apart as it closes.
const bodyRestStep = 0.1

// closedCFL bounds the CFL number in a closed liquid, and closedShift is the rate of its shifts; see
// shiftParticles. Vortices stretch the lattice of the start into rows, and where these break the
// sums of the kernel read up to a tenth too dense. A solver that corrects them expands the liquid: with a
// tenth of the correction and a CFL number of 0.4 the vortices of Taylor and Green gained 10 % of energy
// at a Reynolds number of 1000 and 50 particles, and burst. Frequent shifts keep the density without it.
const (
	closedCFL   = 0.1
	closedShift = 2
)

// correctsGradients marks the solvers that need corrected gradients in all liquids.
func (*ISPH) correctsGradients() {}

// acting returns the solver of the next step: s, or for some liquids IISPH.
func (s *ISPH) acting(w *World) Solver {
	if !highlyViscous(w) && !dampedByViscosity(w) && !capillary(w) {
		return s
	}
	s.iisph.MaxError, s.iisph.MaxIter, s.iisph.CFL = toleranceRatio*s.MaxError, s.MaxIter, s.CFL
	return &s.iisph
}

// toleranceRatio is the factor by which the tolerance of IISPH is larger: the equation of its
// pressure costs four times as much per iteration.
const toleranceRatio = 10

// dampedByViscosity reports whether viscosity alone would make the steps of a liquid at rest
// shorter. It stops particles that vibrate against their neighbours within few steps. A closed
// liquid may have no weight: there the Reynolds number of a spacing decides.
func dampedByViscosity(w *World) bool {
	if w.Closed {
		return w.Speed*w.Spacing < creeping*w.viscosity()
	}
	g := w.Gravity.Len()
	return g > 0 && w.viscousDt() < restStep*math.Sqrt(w.Spacing/g)
}

// creeping is a Reynolds number of a spacing below which viscosity governs the flow between
// particles.
const creeping = 0.1

// capillary reports whether surface tension dominates the pressure in the liquid: all of it is
// below σ/d, as in a drop with a radius above two spacings. The difference form of the
// gradient would let drops drift. Without gravity the speeds at the start decide for good,
// because a drop that swings has peaks of pressure.
func capillary(w *World) bool {
	if w.SurfaceTension == 0 {
		return false
	}
	if w.Gravity == (vec.Vec3{}) {
		smallest := 2 * w.SurfaceTension / (w.Rho0 * w.Spacing) // square of the speed of the smallest drops, which Speed includes
		return w.Speed < 2*math.Sqrt(smallest)
	}
	return highestPressure(w) < w.SurfaceTension/w.Spacing
}

// prepareFor sets the properties of w that depend on the solver of the next step.
func (w *World) prepareFor(s Solver) {
	if i, ok := s.(*ISPH); ok {
		s = i.acting(w)
	}
	w.corrected, w.along = correctsGradients(w, s), correctsAlong(w, s)
	_, w.placed = s.(*ISPH)
}

// calmer implements accountant.
func (s *ISPH) calmer() (string, float64) { return calmerSolve, s.MaxError }

// MaxDt implements Solver.
func (s *ISPH) MaxDt(w *World) float64 {
	if acting := s.acting(w); acting != Solver(s) {
		return acting.MaxDt(w)
	}
	dt := s.motionDt(w)
	return s.boundedDt(w, dt*s.calmShare(w, dt))
}

// boundedDt is the boundedDt of the forces. In a closed liquid viscosity is never solved for: in
// steps so long the vortices of Taylor and Green, 150 or 200 particles across at a Reynolds number of
// 100, burst when the lattice of the start gave way.
func (s *ISPH) boundedDt(w *World, dt float64) float64 {
	dt = boundedDt(w, dt)
	if w.Closed && w.viscosity() > 0 {
		dt = min(dt, explicitDt(w))
	}
	return dt
}

// motionDt returns the longest step that the motion of the liquid and its walls allows, s.
func (s *ISPH) motionDt(w *World) float64 {
	rest := restStep
	if w.hasFreeBodies() {
		rest = bodyRestStep
	}
	cfl := s.CFL
	if w.Closed {
		cfl = min(cfl, closedCFL)
	}
	return movingDt(w, cfl, rest)
}

// Two signs of an impact shorten the steps. impactSpeed is the ratio of √(p/ρ) to the speed of
// the fastest particles up to which the pressure bounds a step: the weight of calm water, and
// of low waves, needs no short steps, and in short steps waves lose more of their height.
// impactExcess is an excess of the density that calm water does not have.
const (
	impactSpeed  = 4
	impactExcess = 0.06
)

// calmShare returns the share that the pressure allows of a step of dt, which is as long as the
// motion of the particles allows.
//
// In an impact the pressures differ from the step before. In steps of the flow's length
// the first rows at a wall were pressed to 1.7 times their density, and the pressures that
// followed burst the liquid: in tanks of 40 layers or more whose water first falls by half a
// spacing to a slope or a round floor. Steps bounded by pressureStep follow an impact.
func (s *ISPH) calmShare(w *World, dt float64) float64 {
	still := float64(w.Rho0 * w.Speed * w.Speed / 2) // by Bernoulli's law the most without an impact
	if still == 0 {
		return 1
	}
	share := func(c float64) float64 {
		return min(1, pressureStep*w.Spacing/max(c*dt, math.SmallestNonzeroFloat64))
	}
	pressed := func(highest float64) float64 {
		return math.Sqrt(min(highest, float64(maxPressureRatio*still)) / w.Rho0)
	}
	// In most steps no pressure is high enough. Only others need all that follows.
	if share(pressed(math.Inf(1))) == 1 {
		return 1
	}
	p := w.Carry(carryPressure)
	highest := topPressure(p)
	if share(pressed(highest)) == 1 {
		return 1
	}
	highest = upperBound(w.Len(), highest, func(i int) float64 { return max(0, p[i]) })
	if share(pressed(highest)) == 1 {
		return 1
	}
	speed := func(i int) float64 { return w.V[i].Len() }
	top := upperBound(w.Len(), maxSpeed(w.V), speed)
	above := func(i int) float64 { return max(0, w.Rho[i]/w.Rho0-1) }
	excess := upperBound(w.Len(), par.Max(w.Len(), 0, func(lo, hi int) (most float64) {
		for i := lo; i < hi; i++ {
			most = max(most, above(i))
		}
		return most
	}), above)
	impact := float64(max(1, highest/still) * max(1, excess/impactExcess))
	return share(min(pressed(highest), float64(impactSpeed*top*impact)))
}

// Step implements Solver.
func (s *ISPH) Step(w *World, dt float64) (info StepInfo, err error) {
	w.prepareFor(s)
	if acting := s.acting(w); acting != Solver(s) {
		return acting.Step(w, dt)
	}
	watch := phase.Start(&info.Seconds)
	p, err := w.updateNeighbors(watch)
	if err != nil {
		return info, err
	}
	s.arrangement.start(w, p)
	p.correction.find(w, p, &s.gradient)
	p.setVelocities(w)
	s.around.find(w, p)
	s.biharmonicViscosity.apply(w, p, dt, &s.around, s.arrangement.half(w, p))
	s.arrangement.finish(w, p, s.biharmonicViscosity.change)
	s.surface.apply(w, p, dt, &s.around)
	kick := w.kickTime(dt)
	info.ViscosityIter = s.applyForces(w, p, dt, kick)
	watch.Lap(phase.Forcing)
	info.DensityIter = s.solvePressure(w, p, dt, kick, depthTolerance(w, s.MaxError))
	watch.Lap(phase.Density)
	if w.Closed {
		shiftParticles(w, p, dt, closedShift)
	} else {
		s.arrangement.shift(w, p, dt, &s.around, &s.gradient)
	}
	spreadAlongJets(w, p, dt)
	err = w.move(dt, &info)
	watch.Lap(phase.Moving)
	return info, err
}

// solvePressure changes the velocities by the pressures that solve the equation for a step of dt,
// which act for kick. It returns the number of iterations.
func (s *ISPH) solvePressure(w *World, p *Pairs, dt, kick, tol float64) int {
	allowSuction(w, p)
	s.gradient.find(w, p, dt, &s.around)
	s.warmStart(w, p)
	s.onBodies.find(w, p, &s.gradient, &s.around)
	s.equation.find(w, p, &s.around)
	p.warmStartContacts(w.bodyStep(dt))
	s.allowTension(w, p)
	// A share per step would push the harder, the shorter the steps are: a rate is corrected.
	timeShare := min(1, dt/s.boundedDt(w, s.motionDt(w)))
	s.e = slices.Grow(s.e[:0], p.n)[:p.n]
	g := vec4(w.Gravity)
	p.each(func(b, lo, hi int) {
		p.pairCompression(b, s.e, p.V)
		for i := lo; i < hi; i++ {
			if open := s.around.open[i]; open > 0 && !p.jets(i) {
				s.e[i] *= 1 - float32(open*surfaceCalm(s.e[i]*float32(kick)))
			}
		}
		p.addWallCompression(b, s.e, p.V)
		p.addClosing(b, s.e)
		if p.rigid != nil {
			p.addBodyRates(b, s.e, p.rigid.Velocities)
		}
		for i := lo; i < hi; i++ {
			// In a lattice the Laplacian of the pressure at rest, ρ g·x, is 0 but for walls, and
			// among other neighbours 2 g·lack/h. The velocity that gravity gives has no such
			// divergence. With it subtracted the pressure at rest solves the equation.
			growth := s.e[i] - float32(float32(2*float32(kick))*s.around.inner[i]*dotVec(&g, &s.around.lack[i])/p.h)
			excess := s.arrangement.excess(i, w.Rho[i]/w.Rho0+float64(p.Deficit[i]), timeShare)
			if len(p.suction) > 0 && p.suction[i] > 0 && s.around.inner[i] < 1 { // missing density must not pull: at a surface it is always missing
				excess = max(0, excess)
			}
			if p.closed { // where shifts keep the density; see closedCFL
				excess = 0
			}
			s.e[i] = float32(excess) + float32(float32(kick)*growth)
		}
		for _, i := range p.blocks[b].driven {
			s.e[i] = noPressure
		}
	})
	s.balanceFull(w, p)
	s.partWedged(w, p, timeShare)
	p.limitWedgedExcess(s.e)
	iter := s.solve(p, s.e, kick, tol, s.MaxIter, &s.equation)
	carried := w.Carry(carryPressure)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			carried[i] = float64(p.At[i].S) * w.Rho0
		}
	})
	s.gradient.accelerate(p, s.accel, &s.around)
	conserve(w, p, s.accel)
	s.onBodies.balance(w, p, s.accel)
	s.stillConfined(w, p, dt, kick)
	addAcceleration(w, p, s.accel, vec.Vec3{}, kick)
	w.energy.pressed(w, p, w.rigid.applyPressures(dt), kick, s.gradient.onWall)
	return iter
}

// tornDensity and wholeDensity are relative densities. Particles have no tension up to the
// first and all of it from the second on: in the tips of threads they would gain energy.
const tornDensity, wholeDensity = 0.8, 0.95

// allowTension lets the pressure be negative, down to −Tension.
func (s *ISPH) allowTension(w *World, p *Pairs) {
	if s.Tension == 0 || w.Closed {
		return
	}
	if len(p.suction) == 0 {
		p.suction = slices.Grow(p.suction[:0], p.n)[:p.n]
		clear(p.suction)
	}
	most := float32(s.Tension / w.Rho0)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			p.suction[i] = max(p.suction[i], most*float32(min(1, max(0, (w.Rho[i]/w.Rho0+float64(p.Deficit[i])-tornDensity)/(wholeDensity-tornDensity)))))
		}
	})
}

// fullShare is the share of particles at the surface up to which a liquid has none: where rows of
// packed particles meet, single ones lack neighbours.
const fullShare = 1e-4

// balanceFull takes the mean from the source terms of a liquid that fills its tank, and has no
// surface. The pressure equation has a solution only for a mean of 0, and packed particles beside
// round walls read a little too dense. Without it the pressure in a full sphere grew without end.
func (s *ISPH) balanceFull(w *World, p *Pairs) {
	if w.Closed || p.rigid != nil || len(w.buffers.Nozzles) > 0 {
		return
	}
	type sum struct{ source, open float64 }
	part := make([]sum, blocks(p.n))
	p.each(func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			part[b].source += float64(s.e[i])
			part[b].open += float64(s.around.open[i])
		}
	})
	var all sum
	for _, x := range part {
		all.source, all.open = all.source+x.source, all.open+x.open
	}
	if all.open > fullShare*float64(p.n) {
		return
	}
	mean := float32(all.source / float64(p.n))
	for i := range s.e {
		s.e[i] -= mean
	}
}

// partWedged has a step correct the density of each particle between a free body and another
// solid by itself, as IISPH does: the average over the neighbours would leave particles that
// are pressed into a gap.
func (s *ISPH) partWedged(w *World, p *Pairs, timeShare float64) {
	if p.rigid == nil {
		return
	}
	p.each(func(b, lo, _ int) {
		blk := &p.blocks[b]
		for k := range blk.couplings {
			if h := &blk.couplings[k]; h.wedged {
				i := lo + int(h.i)
				density := w.Rho[i]/w.Rho0 + float64(p.Deficit[i])
				s.e[i] += float32(max(0, plainExcess(i, density, timeShare)-s.arrangement.excess(i, density, timeShare)))
			}
		}
	})
}
