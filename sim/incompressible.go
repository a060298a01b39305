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

// A step is as long as all but a few of the fastest particles allow, and those
// may go a few times as far: the tip of a jet or a drop, whose neighbours move
// along with it.
const (
	fewest  = 1e-3 // share of the particles that are few
	fastCFL = 2    // times as far
)

// pressedStep bounds the step to this many spacings over √(p/ρ). Pressure pushes
// a particle that is out of place back among its neighbours, with a frequency
// that grows as √(p/ρ)/d, and in steps that are long beside it each push is
// larger than the one before: a column of 80 particles at rest burst within ten
// steps of calmStep, and was quiet up to 0.65; columns of 45 that broke beside a
// gap narrower than a spacing burst at 0.6.
const pressedStep = 0.52

// tooClose bounds the pressures that shorten the steps, as a multiple of the pressure at
// the expected speed. An impact gets that far, and so do particles in a gap that they do
// not fit: with 1 a column burst in a gap of 3.6 spacings. Higher pressures part, within
// one step, particles that lie too close. They grow as 1/dt², and would shorten the steps
// without end.
const tooClose = 2

// maxDt returns the longest step in which the liquid and the walls move at most
// cfl spacings, s.
func maxDt(w *World, cfl float64) float64 {
	way, g := cfl*w.Spacing, w.Gravity.Len()
	dt := way / w.Speed
	if g > 0 {
		dt = calmStep * math.Sqrt(w.Spacing/g)
	}
	dt = min(dt, w.wallDt(way))
	// Work that most particles need is counted only where it matters.
	top := w.maxSpeed()
	// The longest dt with dt (v + g dt) ≤ way.
	moving := func(v float64) float64 { return 2 * way / (v + math.Sqrt(v*v+4*g*way)) }
	dt = min(dt, moving(top/fastCFL))
	if moving(top) < dt {
		dt = min(dt, moving(w.most(top, func(i int) float64 { return w.V[i].Len() })))
	}
	high := w.Speed * w.Speed / 2 // p/ρ by Bernoulli's law, all that is known before the first solve
	pressed := func(p float64) float64 { return pressedStep * w.Spacing / math.Sqrt(p/w.Rho0) }
	if w.Time == 0 {
		return w.boundedDt(min(dt, pressed(high*w.Rho0)))
	}
	p := w.Carry(carryPressure)
	most := par.Max(len(p), 0, func(lo, hi int) float64 { return slices.Max(p[lo:hi]) })
	if pressed(most) < dt {
		most = w.most(most, func(i int) float64 { return max(0, p[i]) })
		dt = min(dt, pressed(min(most, tooClose*high*w.Rho0)))
	}
	return w.boundedDt(dt)
}

// most returns a number that the values of all but fewest of the particles keep
// to, where none is negative and top is the highest.
func (w *World) most(top float64, value func(i int) float64) float64 {
	const bins, grain = 64, 4096
	if !(top > 0) {
		return 0
	}
	part := make([][bins + 1]int32, (w.Len()+grain-1)/grain)
	par.Each(len(part), func(c int) {
		for i := c * grain; i < min(w.Len(), (c+1)*grain); i++ {
			part[c][int(value(i)*(bins/top))]++
		}
	})
	few := int(fewest * float64(w.Len()))
	bin := bins + 1
	for count := 0; count <= few; {
		bin--
		for c := range part {
			count += int(part[c][bin])
		}
	}
	return min(top, top*float64(bin+1)/bins)
}

// applyForces applies gravity, viscosity and the forces for dt. It returns the number
// of iterations that viscosity took.
func (s *incompressible) applyForces(w *World, p *Pairs, dt float64) (iter int) {
	s.accel = slices.Grow(s.accel[:0], p.n)[:p.n]
	stiff := w.viscosityIsStiff(dt)
	w.addForces(p, s.accel, dt, !stiff)
	w.addAcceleration(p, s.accel, w.Gravity, dt)
	w.accelerateBodies(dt)
	if !stiff {
		return 0
	}
	// A thick liquid creeps because viscosity, pressure and weight are nearly in balance.
	// Pressure is solved for after viscosity. Without the pressure of the previous step
	// the solve would find the weight alone, and the liquid would creep many times too
	// fast (Van Kan, A second-order accurate pressure-correction scheme for viscous
	// incompressible flow, SIAM J. Sci. Stat. Comput. 7, 1986).
	s.warmStart(w, p)
	p.each(func(b, _, _ int) {
		p.pressureAccel(b, s.accel)
		p.sumPressures(b)
	})
	p.setPressureRates()
	w.addAcceleration(p, s.accel, vec.Vec3{}, dt)
	w.rigid.applyPressures(dt)
	iter = w.solveViscosity(p, dt)
	w.addAcceleration(p, s.accel, vec.Vec3{}, -dt)
	w.rigid.applyPressures(-dt)
	p.each(func(b, _, _ int) {
		for _, i := range p.blocks[b].driven {
			w.V[i] = w.bufferVelocity(int(i), dt)
			p.V[i] = vec4(w.V[i])
		}
	})
	p.repeat(p.V)
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
	p.setPressures()
}

// solveDensity changes the velocities by the pressures that keep the mean excess
// over the rest density after dt at most tol, relative to it. It returns the
// number of iterations.
func (s *incompressible) solveDensity(w *World, p *Pairs, dt, tol float64, maxIter int) int {
	s.warmStart(w, p)
	w.warmStartContacts(p, dt)
	w.allowSuction(p)
	haste := 1.
	if w.longest > shortStep*dt {
		haste = shortStep * dt / w.longest
	}
	s.sourceTerm(p, func(i int, growth float32) float32 {
		if p.closed { // where shift keeps the density, and its error would be noise
			return float32(dt) * growth
		}
		if len(p.suction) > 0 && p.suction[i] > 0 { // missing density must not pull: at a surface it is always missing
			return float32(max(0, excess(w.Rho[i]/w.Rho0+float64(p.Deficit[i]), haste))) + float32(dt)*growth
		}
		return float32(excess(w.Rho[i]/w.Rho0+float64(p.Deficit[i]), haste)) + float32(dt)*growth
	})
	p.limitSqueeze(s.e)
	iter := s.solve(p, s.e, dt, tol, maxIter, false)
	carried := w.Carry(carryPressure)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			carried[i] = float64(p.At[i].S) * w.Rho0
		}
	})
	w.addAcceleration(p, s.accel, vec.Vec3{}, dt)
	w.rigid.applyPressures(dt)
	return iter
}

// shortStep is the ratio of the longest possible step to the shortest step that corrects
// all of an excess; shorter steps correct less of it. Frames of slow motion may lie a
// thousandth of a step apart, and correcting an excess within one of them throws the
// particles apart. At 1e-5 of a step they got 30 m/s where nothing moves at more than 5.
const shortStep = 10

// excess returns the source term of the solve: the share of the relative density's
// distance from 1 that a step corrects, beside the change by the velocities.
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
// sheets may close their gaps at once. haste is the share of an excess that the step has
// time for: see shortStep.
func excess(density, haste float64) float64 {
	switch d := density - 1; {
	case d > 0:
		return 0.7 * d * haste
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
			p.addBodyRates(b, s.e, p.rigid.y)
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
