package vortex

import (
	"fmt"
	"math"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// Solver moves a gas in steps.
type Solver interface {
	// Check fails with a *SettingError for settings that do not suit the gas.
	Check(gas *Gas) error
	// MaxDt returns the longest step, s.
	MaxDt(f *Flow) float64
	// Step moves the flow by dt > 0, in seconds. It fails with an *Unstable error if the
	// result makes no sense.
	Step(f *Flow, gas *Gas, dt float64) (StepInfo, error)
	// VelocityAt returns the velocity of the gas at a point, in m/s, as a sum over all
	// vortons.
	VelocityAt(f *Flow, gas *Gas, x vec.Vec3) vec.Vec3
}

// filler is a Solver that keeps the heat and the mixture of sources in all of their region,
// and needs no vortons from them.
type filler interface{ FillsSources() }

// Solvers are the known methods for a gas.
var Solvers = registry.Set[Solver]{Kind: "gas solver"}

// StepInfo says how a step went.
type StepInfo struct {
	Grid     grid.Grid // of the step
	MaxSpeed float64
	Parts    int     // of the step in the solver mesh; 0 in others
	Longest  float64 // longest part that resolves the flow at the start of the step, s; likewise
	Hits     int     // particles in contact with bodies
	Ledger   Ledger  // of gas that expands in the solver mesh
	Error    float64 // of the velocities, measured at some vortons and relative; 0 if nothing is approximate or the solver does not measure
}

// SettingError is a setting that cannot be.
type SettingError struct{ Key, Text string }

func (e *SettingError) Error() string { return e.Key + ": " + e.Text }

// Unstable says which particle made a step fail.
type Unstable struct {
	What   string // vorton or tracer
	ID     uint32
	Time   float64 // s
	X, V   vec.Vec3
	Advice string    // a possible remedy
	Last   *vec.Vec3 // its place in the last good frame; nil if there is none
}

func (e *Unstable) Error() string {
	what := fmt.Sprintf("%s %d at %v has the velocity %v m/s at %.6g s", e.What, e.ID, e.X, e.V, e.Time)
	if !e.Placed() {
		what = fmt.Sprintf("the place of %s %d is not a number at %.6g s", e.What, e.ID, e.Time)
		if e.Last != nil {
			what += fmt.Sprintf(", and was %v m in the frame before", *e.Last)
		}
	}
	return what + ", so the gas is unstable; expected " + e.Advice
}

// Placed reports whether the particle still has a place.
func (e *Unstable) Placed() bool {
	d := e.X.Dot(e.X)
	return !math.IsNaN(d) && !math.IsInf(d, 0)
}

// TooLarge says that the gas fills a lattice of too many nodes.
type TooLarge struct {
	N    [3]int  // nodes along each axis
	Time float64 // s
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the gas fills a lattice of %d × %d × %d nodes, above solver.most, at %.6g s; expected a box by solver.low and solver.high, or a larger gas.cell",
		e.N[0], e.N[1], e.N[2], e.Time)
}

// Advance moves the flow by a solver to time end in equal steps. Sources add particles
// before each step. done, unless it is nil, is called after each step and may end the run
// with an error.
func (f *Flow) Advance(s Solver, gas *Gas, end float64, done func(StepInfo) error) error {
	for f.Time < end {
		left := end - f.Time
		n := max(1, int(left/s.MaxDt(f)+1-1e-9))
		dt, next := left/float64(n), end
		if n > 1 {
			next = f.Time + dt
		}
		_, fills := s.(filler)
		f.emit(gas, next, !fills)
		info, err := s.Step(f, gas, dt)
		if err != nil {
			return err
		}
		f.Time = next
		for _, b := range f.Bodies {
			if b.Course != nil {
				b.Course(f.Time, b.Solid)
			}
		}
		if done != nil {
			if err := done(info); err != nil {
				return err
			}
		}
	}
	return nil
}
