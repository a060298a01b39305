package sim

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// incompressible is the shared part of the solvers that find the pressure from the
// condition that the density stays constant.
type incompressible struct {
	projection
	e []float32 // excess to be solved away
}

// carryPressure names the pressure, Pa, which the particles carry from step to step: a
// solve starts from the pressure of the previous step.
const carryPressure = "pressure"

func (*incompressible) carriesPressure() {}

// noPressure is an excess so far below 0 that no pressure follows from it.
const noPressure = -1e9

// sparse is the relative density below which a particle is a drop or a part of a thin
// sheet. Its density sum does not measure its divergence (Bender and Koschier 2017, sec.
// 3.4, also skip particles with few neighbours).
const sparse = 0.75

// calmStep bounds the step of a liquid at rest to this share of √(d/g), the
// time of a fall by half a spacing. In longer steps a column's weight presses
// it together faster than the solve's tolerance notices.
const calmStep = 0.1

// A step is as long as all but a few of the fastest particles allow. These may go a few
// times as far: they are the tip of a jet or a drop, whose neighbours move along with it.
const (
	outlierShare = 1e-3 // share of the particles that are few
	outlierCFL   = 2    // times as far
)

// pressureStep bounds the step to this many spacings over √(p/ρ). A displaced particle
// oscillates among its neighbours with a frequency that grows as √(p/ρ)/d. In steps that
// are long relative to its period the oscillation grows. A column of 80 particles at rest
// burst within ten steps of calmStep, and was quiet up to 0.65. Columns of 45 that broke
// beside a gap narrower than a spacing burst at 0.6.
const pressureStep = 0.52

// maxPressureRatio bounds the pressures that shorten the steps, as a multiple of the pressure at
// the expected speed. An impact gets that far, and so do particles in a gap that they do
// not fit: with 1 a column burst in a gap of 3.6 spacings. Higher pressures part, within
// one step, particles that lie too close. They grow as 1/dt², and would shorten the steps
// without end.
const maxPressureRatio = 2

// maxDt returns the longest step in which the liquid and the walls move at most
// cfl spacings, s.
func maxDt(w *World, cfl float64) float64 {
	return boundedDt(w, pressedDt(w, movingDt(w, cfl, calmStep)))
}

// movingDt is maxDt without a bound by the pressure, where a step of a liquid at rest is at
// most rest √(d/g).
func movingDt(w *World, cfl, rest float64) float64 {
	maxMove, g := float64(cfl*w.Spacing), w.Gravity.Len()
	dt := maxMove / w.Speed
	if g > 0 {
		dt = float64(rest * math.Sqrt(w.Spacing/g))
	}
	dt = min(dt, wallDt(w, maxMove))
	// Work that most particles need is counted only where it matters.
	top := maxSpeed(w.V)
	// The longest dt with dt (v + g dt) ≤ maxMove.
	moving := func(v float64) float64 { return 2 * maxMove / (v + math.Sqrt(float64(v*v)+float64(4*g*maxMove))) }
	dt = min(dt, moving(float64(top/outlierCFL)))
	if moving(top) < dt {
		dt = min(dt, moving(upperBound(w.Len(), top, func(i int) float64 { return w.V[i].Len() })))
	}
	return dt
}

// pressedDt returns the longest step up to dt that pressureStep allows, s.
func pressedDt(w *World, dt float64) float64 {
	high := float64(w.Speed * w.Speed / 2) // p/ρ by Bernoulli's law, all that is known before the first solve
	pressed := func(p float64) float64 { return pressureStep * w.Spacing / math.Sqrt(p/w.Rho0) }
	if w.Time == 0 {
		return min(dt, pressed(float64(high*w.Rho0)))
	}
	p := w.Carry(carryPressure)
	highest := topPressure(p)
	if pressed(highest) < dt {
		highest = upperBound(w.Len(), highest, func(i int) float64 { return max(0, p[i]) })
		dt = min(dt, pressed(min(highest, float64(maxPressureRatio*high*w.Rho0))))
	}
	return dt
}

// upperBound returns a bound of all but outlierShare of n values, of which none is negative
// and top is the highest. It is exact to a bin of a histogram, and top if that is not finite.
func upperBound(n int, top float64, value func(i int) float64) float64 {
	const bins, grain = 64, 4096
	if !(top > 0) || math.IsInf(top, 1) {
		return top
	}
	part := make([][bins + 1]int32, (n+grain-1)/grain)
	par.Each(len(part), func(c int) {
		for i := c * grain; i < min(n, (c+1)*grain); i++ {
			part[c][int(value(i)*(bins/top))]++
		}
	})
	few := int(outlierShare * float64(n))
	bin := bins + 1
	for count := 0; count <= few; {
		bin--
		for c := range part {
			count += int(part[c][bin])
		}
	}
	return min(top, top*float64(bin+1)/bins)
}

// applyForces applies viscosity and the forces for dt, and gravity on the liquid for kick. It
// returns the number of iterations that viscosity took.
func (s *incompressible) applyForces(w *World, p *Pairs, dt, kick float64) (iter int) {
	s.accel = slices.Grow(s.accel[:0], p.n)[:p.n]
	stiff := viscosityIsStiff(w, dt)
	addForces(w, p, s.accel, dt, !stiff)
	work := addAcceleration(w, p, s.accel, w.Gravity.Mul(kick/dt), dt)
	w.energy.forced(w, work, w.rigid.accelerate(w.bodyStep(dt)), dt, !stiff)
	if !stiff {
		return 0
	}
	// A highly viscous liquid creeps because viscosity, pressure and weight are nearly in
	// balance. Pressure is solved for after viscosity. Without the previous pressure the
	// solve would find the weight alone, and the liquid would creep many times too fast
	// (Van Kan, A second-order accurate pressure-correction scheme for viscous
	// incompressible flow, SIAM J. Sci. Stat. Comput. 7, 1986).
	s.warmStart(w, p)
	p.setPressures(nil)
	p.each(func(b, _, _ int) {
		p.pressureAccel(b, s.accel)
		p.sumPressures(b)
	})
	p.setPressureRates()
	addAcceleration(w, p, s.accel, vec.Vec3{}, dt)
	bodies := w.rigid.applyPressures(dt)
	iter = w.implicitViscosity.solve(w, p, dt)
	addAcceleration(w, p, s.accel, vec.Vec3{}, -dt)
	w.energy.sum.Bodies -= bodies + w.rigid.applyPressures(-dt)
	p.each(func(b, _, _ int) {
		for _, i := range p.blocks[b].driven {
			w.V[i] = w.buffers.Velocity(w.ID[i], w.Time, dt)
			p.V[i] = vec4(w.V[i])
		}
	})
	updateImages(p, p.V)
	return iter
}

// warmStart sets S of p.At to the pressures of the step before over ρ₀.
func (s *incompressible) warmStart(w *World, p *Pairs) {
	carried := w.Carry(carryPressure)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			p.At[i].S = 0
			if p.Diagonal[i] > 0 {
				p.At[i].S = float32(carried[i] / w.Rho0)
			}
		}
	})
	p.updateImageScalars()
}

// excessOf returns the source term of the solve for particle i of a relative density: the
// part of its distance from 1 that a step corrects, besides the change by the velocities.
// timeShare is the share of an excess that the step has time for: see shortStep.
type excessOf func(i int, density, timeShare float64) float64

// solveDensity changes the velocities by the pressures that keep the mean excess
// over the rest density after dt at most tol, relative to it. It returns the
// number of iterations.
func (s *incompressible) solveDensity(w *World, p *Pairs, dt, tol float64, maxIter int, source excessOf) int {
	s.warmStart(w, p)
	p.setPressures(nil)
	p.warmStartContacts(w.bodyStep(dt))
	allowSuction(w, p)
	timeShare := 1.
	if w.longestDt > shortStep*dt {
		timeShare = shortStep * dt / w.longestDt
	}
	s.sourceTerm(p, func(i int, growth float32) float32 {
		if p.closed { // where shift keeps the density, and its error would be noise
			return float32(dt) * growth
		}
		if len(p.suction) > 0 && p.suction[i] > 0 { // missing density must not pull: at a surface it is always missing
			return float32(max(0, source(i, w.Rho[i]/w.Rho0+float64(p.Deficit[i]), timeShare))) + float32(float32(dt)*growth)
		}
		return float32(source(i, w.Rho[i]/w.Rho0+float64(p.Deficit[i]), timeShare)) + float32(float32(dt)*growth)
	})
	p.limitWedgedExcess(s.e)
	iter := s.solve(p, s.e, dt, tol, maxIter, densityRate{})
	carried := w.Carry(carryPressure)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			carried[i] = float64(p.At[i].S) * w.Rho0
		}
	})
	addAcceleration(w, p, s.accel, vec.Vec3{}, dt)
	w.energy.pressed(w, p, w.rigid.applyPressures(dt), dt, nil)
	return iter
}

// toleranceDepth is the depth, in spacings, up to which the tolerance of a solve is the
// solver's own.
const toleranceDepth = 20

// depthTolerance returns the tolerance of a density solve, relative to the rest density:
// maxError where the liquid is shallow, and less in proportion to its depth where it is
// deeper than toleranceDepth.
//
// An error e of the density that is smooth over a column of N layers is an error of the
// pressure of e (2Nd/π)² ρ/dt², a share of the weight above that grows with N. With one
// tolerance for all depths, water of 100 layers boiled at 0.06 √(gH), and a dam of 150
// layers on a wet bed tripled its energy. The depth is the highest pressure but for few
// outliers, as of the step before, over the weight of a layer.
func depthTolerance(w *World, maxError float64) float64 {
	g := w.Gravity.Len()
	if g == 0 {
		return maxError
	}
	shallow := float64(toleranceDepth * w.Rho0 * g * w.Spacing)
	if top := topPressure(w.Carry(carryPressure)); 0 < top && top <= shallow {
		return maxError
	}
	return maxError * min(1, shallow/highestPressure(w))
}

// topPressure returns the highest of the pressures p, and at least 0.
func topPressure(p []float64) float64 {
	return par.Max(len(p), 0, func(lo, hi int) float64 { return slices.Max(p[lo:hi]) })
}

// highestPressure returns the highest pressure but for few outliers, as of the step before, Pa.
func highestPressure(w *World) float64 {
	p := w.Carry(carryPressure)
	highest := upperBound(w.Len(), topPressure(p), func(i int) float64 { return max(0, p[i]) })
	if highest == 0 { // before the first solve: by Bernoulli's law
		highest = w.Rho0 * w.Speed * w.Speed / 2
	}
	return highest
}

// shortStep is the ratio of the longest possible step to the shortest step that corrects
// all of an excess; shorter steps correct less of it. Frames of slow motion may lie a
// thousandth of a step apart, and correcting an excess within one of them throws the
// particles apart. At 1e-5 of a step they got 30 m/s where nothing moves at more than 5.
const shortStep = 10

// plainExcess is an excessOf that depends on the particle's own density alone.
//
// Correcting all of a gap makes still water bounce. The step that corrects an excess
// leaves a velocity outward, so that the liquid is a little too thin in the next steps.
// It falls free until the gap is closed, and a hundred iterations must then stop it
// without a pressure to start from. Correcting all of an excess leaves the liquid faster
// than the wall that pushed it. With most of an excess and a tenth of a gap the density
// returns smoothly, with pressures that last from step to step. Baumgarte's stabilization
// does so for constraints. Cornelis et al., An optimized source term formulation for
// incompressible SPH, Vis. Comput. 35, 2019, weigh density against divergence likewise.
// With 0.5 of an excess a broken dam's density errors were a third larger. Drops and
// sheets may close their gaps at once.
func plainExcess(_ int, density, timeShare float64) float64 {
	switch d := density - 1; {
	case d > 0:
		return 0.7 * d * timeShare
	case density > sparse:
		return 0.1 * d
	default:
		return d
	}
}

// sourceTerm sets e to f of each particle and the rate at which the velocities increase
// its relative density, 1/s. It returns the mean of e, with 0 for negative values.
func (s *incompressible) sourceTerm(p *Pairs, f func(i int, growth float32) float32) float64 {
	s.e = slices.Grow(s.e[:0], p.n)[:p.n]
	part := make([]float64, blocks(p.n))
	p.each(func(b, lo, hi int) {
		p.compression(b, s.e, p.V)
		p.addClosing(b, s.e)
		if p.rigid != nil {
			p.addBodyRates(b, s.e, p.rigid.Velocities)
		}
		sum := 0.
		for i := lo; i < hi; i++ {
			s.e[i] = f(i, s.e[i])
			sum += float64(max(0, s.e[i]))
		}
		for _, i := range p.blocks[b].driven {
			s.e[i] = noPressure
		}
		part[b] = sum
	})
	sum := 0.
	for _, v := range part {
		sum += v
	}
	return sum / float64(max(1, p.n))
}
