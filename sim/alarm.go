package sim

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/par"
)

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
