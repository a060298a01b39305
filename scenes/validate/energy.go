package validate

import (
	"math"

	"breakwater/sim"
)

// budget is the energy of a liquid over a run, relative to its energy at the start above
// y = 0.
type budget struct {
	keeps   bool    // the solver keeps a balance
	start   float64 // J
	total   series  // kinetic and potential energy E/E₀ − 1, over s
	surplus float64 // the most that the liquid had gained from no known source since its energy was lowest

	numerics, impacts float64 // what it got from each, negative where it lost energy
}

// newBudget returns the budget of w, which s is about to move.
func newBudget(w *sim.World, s sim.Solver) *budget {
	b := &budget{keeps: sim.KeepsBalance(s)}
	now := w.Stats()
	b.start = now.Kinetic + now.Potential
	return b
}

// add adds the last Advance of w.
func (b *budget) add(w *sim.World) {
	now, last := w.Stats(), w.Balance()
	b.total.add(w.Time, (now.Kinetic+now.Potential)/b.start-1)
	if w.Time == 0 {
		return
	}
	b.surplus = max(b.surplus, w.Surplus/b.start)
	b.numerics += last.Numerics / b.start
	b.impacts += last.Impacts / b.start
}

// lost returns what numerics took, NaN of a solver that keeps no balance.
func (b *budget) lost() float64 { return b.known(0 - b.numerics) }

// known returns x, or NaN if the solver keeps no balance.
func (b *budget) known(x float64) float64 {
	if !b.keeps {
		return math.NaN()
	}
	return x
}

// surplusOf returns the measure of the surplus, for information only where the solver keeps no
// balance.
func (b *budget) surplusOf(name string, goal float64) Measure {
	if !b.keeps {
		return note(name+": surplus", "", math.NaN())
	}
	return number(name+": surplus", "", b.surplus, 0, 1, goal)
}
