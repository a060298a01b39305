package remesh

import (
	"math"
	"testing"

	"breakwater/sim/dice"
	"breakwater/sim/vec"
)

// cube is a lattice about the origin.
func cube(n int, edge float64) Lattice {
	return Lattice{Edge: edge, Low: [3]int{-n / 2, -n / 2, -n / 2}, N: [3]int{n, n, n}}
}

// TestOutside checks that particles whose nodes are not all in the lattice leave nothing and
// get nothing.
func TestOutside(t *testing.T) {
	l := cube(8, 1)
	x := []vec.Vec3{{X: 3.5}, {Y: -100}, {Z: 1e12}, {X: math.NaN()}}
	nodes, of := make([]float32, l.Len()), []float32{1, 1, 1, 1}
	l.Deposit([][]float32{nodes}, x, [][]float32{of})
	for p, v := range nodes {
		if v != 0 {
			t.Fatalf("node %v has %g", l.At(p), v)
		}
	}
	l.Fetch([][]float32{of}, x, [][]float32{nodes})
	for i, v := range of {
		if v != 0 {
			t.Errorf("particle %d gets %g", i, v)
		}
	}
}

// TestSum checks that the rates of stretching of a vorticity that ends within the lattice add
// up to zero, as the total vorticity stays the same.
func TestSum(t *testing.T) {
	l := cube(16, 1)
	var u, w, rate Vector
	d := dice.New(8)
	for c := range u {
		u[c], w[c], rate[c] = make([]float32, l.Len()), make([]float32, l.Len()), make([]float32, l.Len())
		for p := range u[c] {
			u[c][p] = float32(d.Float(uint64(6*p+c)) - 0.5)
			if x := l.At(p); max(math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z)) < 3.5 {
				w[c][p] = float32(d.Float(uint64(6*p+3+c)) - 0.5)
			}
		}
	}
	l.Stretch(rate, w, u)
	for c := range rate {
		var sum, size float64
		for _, v := range rate[c] {
			sum, size = sum+float64(v), size+math.Abs(float64(v))
		}
		if !(math.Abs(sum) < 1e-6*size) || size == 0 {
			t.Errorf("rates of component %d add up to %g of %g", c, sum, size)
		}
	}
}
