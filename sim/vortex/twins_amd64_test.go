//go:build amd64 && !noasm

package vortex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// TestTwins: the assembly gives the bits of plain Go, in the grid, outside of it, at its
// points, and at places that are not numbers. It writes nothing after the last tracer.
func TestTwins(t *testing.T) {
	if !avx2 {
		t.Skip("the processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(3, 7))
	number := func() float64 { return r.NormFloat64() }
	gas := Gas{Density: 1.2, Temperature: 300, Wind: vec.New(0.3, -0.1, 0.2)}
	for _, n := range [][3]int{{4, 8, 2}, {2, 2, 16}, {1, 1, 1}} {
		s := &Gourlay{grid: grid.Grid{Min: vec.New(-1, 0, 2), Edge: vec.New(0.3, 0.2, 0.5), N: n}}
		corners := make([]corner, s.grid.Points())
		for p := range corners {
			corners[p] = corner{number(), number(), number(), number()}
		}
		var x []vec.Vec3
		for range 300 {
			x = append(x, vec.New(-0.4+number(), 0.8+number(), 2.5+number()))
		}
		for p := range corners {
			x = append(x, s.grid.Point(p))
		}
		x = append(x, vec.New(math.NaN(), 1, 1), vec.New(0, math.Inf(1), 1), vec.New(0, 1, math.Inf(-1)), vec.New(1e300, -1e300, 0))
		d := s.drifting(&gas, 0.01)
		bits := func(drift func(x, v []vec.Vec3, t []float64)) (all []uint64) {
			x, v, temperature := slices.Clone(x), make([]vec.Vec3, len(x)), make([]float64, len(x))
			last := len(x) - 1
			drift(x[:last], v[:last], temperature[:last])
			for i := range x {
				for _, f := range [...]float64{x[i].X, x[i].Y, x[i].Z, v[i].X, v[i].Y, v[i].Z, temperature[i]} {
					if f != f {
						f = math.NaN() // of which there are many
					}
					all = append(all, math.Float64bits(f))
				}
			}
			return all
		}
		one := bits(func(x, v []vec.Vec3, t []float64) {
			driftAVX2(&x[0].X, &v[0].X, &t[0], &corners[0].x, &d.min[0], len(x))
		})
		two := bits(func(x, v []vec.Vec3, t []float64) { driftGo(x, v, t, corners, d) })
		if !slices.Equal(one, two) {
			t.Errorf("%v cells: the assembly has other bits than plain Go", n)
		}
	}
}
