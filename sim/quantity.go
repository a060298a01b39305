package sim

import (
	"math"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Quantity is what can be told of each particle beside its place, velocity and
// number.
type Quantity interface {
	// Of returns a value for each particle of w, moved by s: one of the two
	// slices. The walls of w are where they are at its time.
	Of(w *World, s Solver) (scalar []float64, vector []vec.Vec3)
	// Numbers returns how many a value has: 1, or 3 of a vector.
	Numbers() int
	// Suits returns an error if the quantity is not known of what s moves.
	Suits(s Solver) error
}

// Quantities are the known ones.
var Quantities = registry.Set[Quantity]{Kind: "attribute"}

// known is the part of a quantity that is known of every liquid.
type known struct{ number }

func (known) Suits(Solver) error { return nil }

// number is the part of a quantity that is no vector.
type number struct{}

func (number) Numbers() int { return 1 }

func quantity(name, doc, cite string, q Quantity) {
	Quantities.Register(registry.Entry[Quantity]{Name: name, Doc: doc, Cite: cite, New: func(d registry.Decode) (Quantity, error) { return q, d(&struct{}{}) }})
}

// each returns a value for each of n particles, which f gives it.
func each(n int, f func(i int) float64) []float64 {
	v := make([]float64, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v[i] = f(i)
		}
	})
	return v
}

func init() {
	quantity("speed", "how fast a particle is, m/s", "", speedQuantity{})
	quantity("density", "density as the solver sums it, kg/m³", "", densityQuantity{})
	quantity("wall_distance", "distance to the nearest wall, m", "", wallQuantity{})
}

type speedQuantity struct{ known }

func (speedQuantity) Of(w *World, _ Solver) ([]float64, []vec.Vec3) {
	return each(w.Len(), func(i int) float64 { return w.V[i].Len() }), nil
}

type densityQuantity struct{ known }

func (densityQuantity) Of(w *World, _ Solver) ([]float64, []vec.Vec3) {
	return each(w.Len(), func(i int) float64 { return w.Rho[i] }), nil
}

type wallQuantity struct{ known }

// farFromWalls is the distance where there is no wall at all, m.
const farFromWalls = 1e6

func (wallQuantity) Of(w *World, _ Solver) ([]float64, []vec.Vec3) {
	return each(w.Len(), func(i int) float64 {
		least := farFromWalls
		for _, wall := range w.Walls {
			d, _ := wall.Dist(w.X[i])
			least = min(least, d)
		}
		return least
	}), nil
}

// around calls f for each particle with those closer than h to it, itself
// among them.
func (w *World) around(f func(i int, near []int32)) {
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

// symmetric is a symmetric matrix: xx, xy, xz, yy, yz, zz.
type symmetric [6]float64

// add adds s a⊗a.
func (m *symmetric) add(a vec.Vec3, s float64) {
	m[0] += s * a.X * a.X
	m[1] += s * a.X * a.Y
	m[2] += s * a.X * a.Z
	m[3] += s * a.Y * a.Y
	m[4] += s * a.Y * a.Z
	m[5] += s * a.Z * a.Z
}

// inverse returns that of m, if m is far enough from singular: if its
// determinant is above a thousandth of that of a ball with its trace.
func (m *symmetric) inverse() (n symmetric, ok bool) {
	n = symmetric{
		m[3]*m[5] - m[4]*m[4], m[2]*m[4] - m[1]*m[5], m[1]*m[4] - m[2]*m[3],
		m[0]*m[5] - m[2]*m[2], m[1]*m[2] - m[0]*m[4], m[0]*m[3] - m[1]*m[1],
	}
	det := m[0]*n[0] + m[1]*n[1] + m[2]*n[2]
	mean := (m[0] + m[3] + m[5]) / 3
	if !(det > 1e-3*mean*mean*mean) || math.IsInf(1/det, 0) {
		return symmetric{}, false
	}
	for k := range n {
		n[k] /= det
	}
	return n, true
}

func (m *symmetric) mul(a vec.Vec3) vec.Vec3 {
	return vec.New(m[0]*a.X+m[1]*a.Y+m[2]*a.Z, m[1]*a.X+m[3]*a.Y+m[4]*a.Z, m[2]*a.X+m[4]*a.Y+m[5]*a.Z)
}
