package validate

import (
	"errors"
	"math"

	"breakwater/sim"
)

// Cases that run at two spacings.

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
