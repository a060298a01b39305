// Package quantity computes attributes of particles that are not part of their state.
//
//   - quantity.go: the interface, and attributes in closed form
//   - age.go, pressure.go, vorticity.go: one attribute each
package quantity

import (
	"math"

	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Quantity is an attribute of each particle besides its position, velocity and number.
type Quantity interface {
	// Of returns a value for each particle of w, moved by s: one of the two
	// slices. The walls of w are where they are at its time.
	Of(w *sim.World, s sim.Solver) (scalar []float64, vector []vec.Vec3)
	// Numbers returns how many a value has: 1, or 3 of a vector.
	Numbers() int
	// Suits returns an error if the quantity is not available with the solver s.
	Suits(s sim.Solver) error
}

// Quantities are the known ones.
var Quantities = registry.Set[Quantity]{Kind: "attribute"}

// anySolver is embedded in quantities that are available with every solver.
type anySolver struct{ scalarValue }

func (anySolver) Suits(sim.Solver) error { return nil }

// scalarValue is embedded in scalar quantities.
type scalarValue struct{}

func (scalarValue) Numbers() int { return 1 }

func register(name, doc, cite string, q Quantity) {
	Quantities.Add(name, doc, cite, func() Quantity { return q })
}

// perParticle returns the values of f for n particles.
func perParticle(n int, f func(i int) float64) []float64 {
	v := make([]float64, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v[i] = f(i)
		}
	})
	return v
}

func init() {
	register("speed", "speed of a particle, m/s", "", speedQuantity{})
	register("density", "density as summed by the solver, kg/m³", "", densityQuantity{})
	register("wall_distance", "distance to the nearest wall, m", "", wallQuantity{})
}

type speedQuantity struct{ anySolver }

func (speedQuantity) Of(w *sim.World, _ sim.Solver) ([]float64, []vec.Vec3) {
	return perParticle(w.Len(), func(i int) float64 { return w.V[i].Len() }), nil
}

type densityQuantity struct{ anySolver }

func (densityQuantity) Of(w *sim.World, _ sim.Solver) ([]float64, []vec.Vec3) {
	return perParticle(w.Len(), func(i int) float64 { return w.Rho[i] }), nil
}

type wallQuantity struct{ anySolver }

// farFromWalls is the distance in a world without walls, m.
const farFromWalls = 1e6

func (wallQuantity) Of(w *sim.World, _ sim.Solver) ([]float64, []vec.Vec3) {
	return perParticle(w.Len(), func(i int) float64 {
		least := farFromWalls
		for _, wall := range w.Walls {
			d, _ := wall.Dist(w.X[i])
			least = min(least, d)
		}
		return least
	}), nil
}

// eachNeighbourhood calls f for each particle with all particles closer than h to it,
// itself among them.
func eachNeighbourhood(w *sim.World, f func(i int, near []int32)) {
	grid := new(neighbor.Grid)
	h := w.Kernel.H()
	if w.Len() == 0 {
		return
	}
	grid.Build(w.X, h)
	par.For(w.Len(), func(lo, hi int) {
		var near []int32
		for i := lo; i < hi; i++ {
			near = grid.Near(near[:0], w.X[i])
			f(i, near)
		}
	})
}

// invert returns the inverse of m, if m is far enough from singular. Its determinant must
// exceed a thousandth of the determinant of a multiple of the unit matrix with the same
// trace.
func invert(m vec.Sym3) (n vec.Sym3, ok bool) {
	n, det := m.Adjugate()
	mean := m.Trace() / 3
	if !(det > 1e-3*mean*mean*mean) || math.IsInf(1/det, 0) {
		return vec.Sym3{}, false
	}
	return vec.Sym3{XX: n.XX / det, YY: n.YY / det, ZZ: n.ZZ / det, XY: n.XY / det, YZ: n.YZ / det, ZX: n.ZX / det}, true
}
