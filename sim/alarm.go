package sim

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Unstable is the error of a step whose result makes no sense.
type Unstable struct {
	ID     uint32   // of the first particle found
	Time   float64  // at the end of the step, s
	X      vec.Vec3 // its position, m
	Cause  string   // the cause
	Advice string   // a possible remedy
}

func (u *Unstable) Error() string {
	return fmt.Sprintf("sim: unstable at %.6g s: particle %d at %v m %s: %s",
		u.Time, u.ID, u.X, u.Cause, u.Advice)
}

// fullLimit is the mean relative density above which a liquid has no room. With a surface
// the mean is below 1, because particles at the surface lack neighbours. In tanks that
// ran full it was 1.012 and more when a step failed.
const fullLimit = 1.008

// fullTank reports whether the liquid is compressed as a whole, with the cause and
// advice.
func fullTank(w *World) (cause, advice string, ok bool) {
	sum, n := 0., 0.
	for _, rho := range w.Rho {
		if rho > 0 && rho < densityLimit*w.Rho0 {
			sum, n = sum+rho/w.Rho0, n+1
		}
	}
	if w.Time == 0 || !(sum > fullLimit*n) {
		return "", "", false
	}
	return fmt.Sprintf("the tank is full: the mean density of the liquid is %.2g %% above rest density", 100*(sum/n-1)),
		"open the tank's top, for example with open = [\"y+\"] of a box, reduce the inflow, shorten the film, or reduce the motion of walls", true
}

// unstableParticle returns the error for particle i after a step of dt. limit is the highest
// speed allowed.
func unstableParticle(w *World, i int, dt, limit float64) error {
	u := &Unstable{ID: w.ID[i], Time: w.Time + dt, X: w.X[i]}
	switch v := w.V[i].Len(); {
	case v > limit:
		u.Cause = fmt.Sprintf("moves at %.3g m/s, but the expected limit is %.3g m/s", v, limit)
		u.Advice = "lower the solver's cfl, or the strength of a force"
	default:
		u.Cause = fmt.Sprintf("has the velocity %v m/s and the density %g kg/m³", w.V[i], w.Rho[i])
		u.Advice = "lower the solver's cfl, and check forces for a division by zero"
	}
	return u.orFull(w)
}

// overCompressed returns the error of particle i, which is over-compressed.
func overCompressed(w *World, i int) error {
	u := &Unstable{
		ID: w.ID[i], Time: w.Time, X: w.X[i],
		Cause:  fmt.Sprintf("lies among particles more than %d times as dense as at rest", densityLimit),
		Advice: "look for fluid blocks that overlap each other or a wall, or lower the solver's cfl",
	}
	return u.orFull(w)
}

// orFull names a full tank as the cause, in place of its consequences.
func (u *Unstable) orFull(w *World) error {
	if cause, advice, ok := fullTank(w); ok {
		u.Cause, u.Advice = u.Cause+"; "+cause, advice
	}
	return u
}

// The alarm ends a run that gains energy from no known source. Such a run looks like a
// liquid for many frames: no particle is too fast or too dense, but the liquid is thrown
// about by a density solve whose errors are too large.
//
// Each step adds to World.Surplus what the liquid gained from no known source, viscosity
// and friction subtracted, and the surplus never falls below 0. So it is the gain since the
// energy was lowest (the cumulative sum of Page, Continuous inspection schemes, Biometrika
// 41, 1954). A loss before a gain does not hide it, as it would in a sum from the start.
//
// The surplus is compared with the energy of the liquid: its kinetic energy, its potential
// energy above its lowest particle, and the energy that lifts it by a spacing, which the
// first densities of a thin layer may need. One percent of the energy at the expected speed is
// added, for liquids at rest without weight.

// surplusLimit is the share of the liquid's energy that a surplus may reach. In the shipped
// scenes it was at most 0.007, in tests with walls and bodies that start with a jerk 0.055.
// In a still tank, a broken dam on a wet bed and two columns it was at most 0.003 with a
// max_error of 1e-4. With 1e-2, which blows up all of them, it was 0.16 to 0.8.
const surplusLimit = 0.1

// restShare is the share of the kinetic energy at the expected speed that a liquid is taken
// to have at rest. Where compression stores energy, a step gives it back with an error, which
// in grains of sound is as large as the energy: twenty liquids in tests, some hit by walls
// and bodies, had surpluses of up to 0.02 of the energy with a share of 0.5.
const (
	restShare        = 0.01
	elasticRestShare = 0.5
)

// calmerSolve is how to make a run of a solver stable that solves for the pressure.
const calmerSolve = "lower the solver's max_error to a tenth, or its cfl to a half"

// check adds the last step, at whose end w is, to the surplus of w. It returns an error if
// that is too high, or a pressure is infinite.
func (e *account) check(w *World, s Solver) error {
	if !e.on {
		return nil
	}
	if _, ok := s.(carrier); ok {
		if err := infinitePressure(w); err != nil {
			return err
		}
	}
	gain := e.unexplained()
	if _, ok := s.(elastic); ok { // known up to the end of the step before
		gain, e.pending = e.pending-(e.sum.Elastic-e.before.Elastic), gain
	}
	w.addSurplus(gain)
	m, rest := float64(w.Len())*w.Mass(), restShare
	if _, ok := s.(elastic); ok {
		rest = elasticRestShare
	}
	all := e.kinetic + (float64(m*e.lowest) - e.height) + float64(m*w.Gravity.Len()*w.Spacing) + float64(rest/2*m*w.Speed*w.Speed)
	if !(w.Surplus > surplusLimit*all) {
		return nil
	}
	i := e.mostPushed(w)
	u := &Unstable{
		ID: w.ID[i], Time: w.Time, X: w.X[i],
		Cause: fmt.Sprintf("moves at %.3g m/s where pressure gave most of the energy: the liquid has gained %.3g J, %.2g %% of its energy, that neither gravity nor walls, bodies, inflows or forces gave",
			w.V[i].Len(), w.Surplus, 100*w.Surplus/all),
	}
	var tolerance float64
	if u.Advice, tolerance = s.(accountant).calmer(); tolerance < fullLimit-1 {
		return u.orFull(w)
	}
	return u
}

// addSurplus adds a gain of energy from no known source to the surplus, J.
func (w *World) addSurplus(gain float64) { w.Surplus = max(0, w.Surplus+gain) }

// unexplained returns the change of the kinetic energy in the last step less the energy
// from known sources but elastic energy, J. Losses to viscosity and friction are not subtracted.
func (e *account) unexplained() float64 {
	now, before := &e.sum, &e.before
	gravity := e.height - e.heightBefore + now.Gravity - before.Gravity
	given := now.given() - now.Gravity - now.Elastic - (before.given() - before.Gravity - before.Elastic)
	return e.kinetic - e.kineticBefore - gravity - given - max(0, now.Forces-before.Forces)
}

// mostPushed returns the fastest particle of the block to which the pressures of the last
// solve gave most energy.
func (e *account) mostPushed(w *World) (i int) {
	b := 0
	for k, work := range e.pushed {
		if work > e.pushed[b] {
			b = k
		}
	}
	i = b * blockLen
	for k := i; k < min(w.Len(), i+blockLen); k++ {
		if w.V[k].Dot(w.V[k]) > w.V[i].Dot(w.V[i]) {
			i = k
		}
	}
	return i
}

// infinitePressure returns the error of a pressure that a solve has left infinite, or nil if
// all are finite.
func infinitePressure(w *World) error {
	p := w.Carry(carryPressure)
	// v − v is 0 unless v is not finite. Four sums take less time than one.
	if par.Sum(len(p), func(lo, hi int) float64 {
		var sum [4]float64
		list := p[lo:hi]
		for ; len(list) >= 4; list = list[4:] {
			sum[0] += list[0] - list[0]
			sum[1] += list[1] - list[1]
			sum[2] += list[2] - list[2]
			sum[3] += list[3] - list[3]
		}
		for _, v := range list {
			sum[0] += v - v
		}
		return sum[0] + sum[1] + sum[2] + sum[3]
	}) == 0 {
		return nil
	}
	i := slices.IndexFunc(p, func(v float64) bool { return !(math.Abs(v) <= math.MaxFloat64) })
	u := &Unstable{
		ID: w.ID[i], Time: w.Time, X: w.X[i],
		Cause:  fmt.Sprintf("has the pressure %g Pa", p[i]),
		Advice: calmerSolve,
	}
	return u.orFull(w)
}
