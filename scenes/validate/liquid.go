package validate

import (
	"math"

	"breakwater/sim"
	"breakwater/sim/vec"
)

// moments are sums over all particles.
type moments struct {
	xx, yy    float64 // means of x² and y² about the origin, m²
	side, top float64 // highest x and y, m
	energy    float64 // kinetic, J
	momentum  float64 // |Σ mv|, kg m/s
	flow      float64 // Σ m|v|, kg m/s
	spin      float64 // Σ m x×v about z and the origin, kg m²/s
	turning   float64 // Σ m|x||v|, kg m²/s
}

func momentsOf(w *sim.World) (m moments) {
	var p vec.Vec3
	n := float64(w.Len())
	for i, x := range w.X {
		v := w.V[i]
		m.xx += x.X * x.X / n
		m.yy += x.Y * x.Y / n
		m.side, m.top = max(m.side, x.X), max(m.top, x.Y)
		m.energy += float64(w.Mass() / 2 * v.Dot(v))
		m.flow += float64(w.Mass() * v.Len())
		m.spin += float64(w.Mass() * (float64(x.X*v.Y) - float64(x.Y*v.X)))
		m.turning += float64(w.Mass() * x.Len() * v.Len())
		p = p.Add(v.Mul(w.Mass()))
	}
	m.momentum = p.Len()
	return m
}

// about is a liquid about its centre of mass.
type about struct {
	center, velocity vec.Vec3 // m, m/s
	energy           float64  // kinetic, J
	spin             vec.Vec3 // Σ m x×v, kg m²/s
}

func aboutCenter(w *sim.World) (a about) {
	n := float64(w.Len())
	for i, x := range w.X {
		a.center, a.velocity = a.center.Add(x), a.velocity.Add(w.V[i])
	}
	a.center, a.velocity = a.center.Mul(1/n), a.velocity.Mul(1/n)
	for i, x := range w.X {
		v := w.V[i].Sub(a.velocity)
		a.energy += float64(w.Mass() / 2 * v.Dot(v))
		a.spin = a.spin.Add(x.Sub(a.center).Cross(v).Mul(w.Mass()))
	}
	return a
}

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
