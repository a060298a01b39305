// Package validate runs flows whose outcome is known from measurements or in closed
// form, and reports the errors of the simulation.
//
// A case is one file that registers itself. It sets up its own world, so a change of a
// shipped scene does not affect it. A case that misses its goal reports that: its
// numbers are findings, not promises.
package validate

import (
	"context"
	"errors"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/registry"
)

// Case is one flow.
type Case func(r *Run) (*Result, error)

// Cases are the known flows.
var Cases = registry.Set[Case]{Kind: "validation case"}

// register adds a case to the family; each case's file calls it.
func register(name, doc, cite string, c Case) { Cases.Add(name, doc, cite, func() Case { return c }) }

// registerSolved adds a case that runs with any solver of a liquid.
func registerSolved(name, doc, cite string, c Case) {
	register(name, doc, cite, c)
	solved[name] = true
}

// solved has the names of the cases that honour Run.Solver.
var solved = map[string]bool{}

// TakesSolver reports whether a case honours Run.Solver.
func TakesSolver(name string) bool { return solved[name] }

// Run is how a case is to be run.
type Run struct {
	Ctx    context.Context
	Quick  bool               // coarsely, in seconds, against goals of its own
	Solver string             // of sim.Solvers, for cases that take one; "" for sim.DefaultSolver
	Tell   func(done float64) // reports now and then the share that is done; may be nil

	steps int
}

// Result is the outcome of a case.
type Result struct {
	Particles int
	Steps     int
	Spacing   float64 // m
	Measures  []Measure
	Plot      *figure.Plot
}

// Measure is one number of a case.
type Measure struct {
	Name string
	Unit string // of Got and Want, "" for ratios

	// Got is the result of the simulation and Want the correct value, both NaN where a
	// whole curve is compared.
	Got, Want float64

	Error float64 // of Got, or of the curve, relative to the correct value; NaN if Got is for information only
	Goal  float64 // the largest Error that is good; +Inf if the measure is for information only
}

// Met reports whether the error is within the goal.
func (m *Measure) Met() bool { return m.Error <= m.Goal || m.Goal == noGoal }

// noGoal is the goal of a measure for information only.
var noGoal = math.Inf(1)

// number returns the measure of a quantity, whose error is relative to scale. A result that
// is not a number misses any goal.
func number(name, unit string, got, want, scale, goal float64) Measure {
	e := math.Abs(float64(got)-float64(want)) / math.Abs(scale)
	if math.IsNaN(e) && goal < noGoal {
		e = math.Inf(1)
	}
	return Measure{name, unit, got, want, e, goal}
}

// curve returns the measure of a curve with the given error.
func curve(name string, e, goal float64) Measure {
	return Measure{Name: name, Got: math.NaN(), Want: math.NaN(), Error: e, Goal: goal}
}

// note returns a measure without a correct value.
func note(name, unit string, got float64) Measure {
	return Measure{name, unit, got, math.NaN(), math.NaN(), noGoal}
}

// pick returns what holds for a full run, or for a quick one.
func (r *Run) pick(full, quick float64) float64 {
	if r.Quick {
		return quick
	}
	return full
}

// advance moves w by s to time end and calls sample at the start and at the
// end of each of n equal parts.
func (r *Run) advance(w *sim.World, s sim.Solver, end float64, n int, sample func() error) error {
	start := w.Time
	for k := range n + 1 {
		err := w.Advance(s, start+(end-start)*float64(k)/float64(n), func(i sim.StepInfo) error {
			r.steps++
			if r.Tell != nil {
				r.Tell((i.Time - start) / (end - start))
			}
			return r.Ctx.Err()
		})
		if err != nil {
			return err
		}
		if err := sample(); err != nil {
			return err
		}
	}
	return nil
}

// result returns the result of a run of w.
func (r *Run) result(w *sim.World, plot *figure.Plot, m ...Measure) *Result {
	return &Result{w.Len(), r.steps, w.Spacing, m, plot}
}

// usual returns the solver that a scene without settings has.
func usual() sim.Solver { return newSolver(sim.DefaultSolver) }

// solver returns the solver of the run with its default settings.
func (r *Run) solver() sim.Solver {
	if r.Solver == "" {
		return usual()
	}
	return newSolver(r.Solver)
}

// newSolver returns a solver with its default settings. It panics if there is none of that
// name.
func newSolver(name string) sim.Solver {
	s, err := sim.Solvers.New(name, registry.None)
	if err != nil {
		panic("validate: " + err.Error())
	}
	return s
}

// order returns the order of convergence p of an error that is e[0] at the spacing d[0] and
// e[1] at d[1], if it is proportional to dᵖ. It is negative for an error that grows as the
// spacing falls, and NaN if an error is 0 or not known.
func order(d, e [2]float64) float64 {
	p := math.Log(e[0]/e[1]) / math.Log(d[0]/d[1])
	if math.IsInf(p, 0) {
		return math.NaN()
	}
	return p
}

// orderOf returns the measure of the order of convergence of an error.
func orderOf(name string, d, e [2]float64) Measure { return note(name+": order", "", order(d, e)) }

// outlast moves w like advance. A run that ends because the liquid is unstable is not an error:
// what it reached is a finding.
func (r *Run) outlast(w *sim.World, s sim.Solver, end float64, n int, sample func() error) error {
	err := r.advance(w, s, end, n, sample)
	if u := (*sim.Unstable)(nil); errors.As(err, &u) {
		return nil
	}
	return err
}

// lasted returns the measure of the time that the runs of a case reached, of the time that
// they were to reach.
func lasted(end float64, w ...*sim.World) Measure {
	reached := end
	for _, w := range w {
		reached = min(reached, w.Time)
	}
	return number("time reached", "s", reached, end, end, 1e-6)
}
