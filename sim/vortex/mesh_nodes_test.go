package vortex

import (
	"math"
	"testing"

	"breakwater/sim/remesh"
	"breakwater/sim/vec"
)

// TestGrownNodes has a gas of 10 × 20 × 30 cells that grows: its margins do not, and its box and
// the axes that repeat bound it.
func TestGrownNodes(t *testing.T) {
	const margin = 2 * latticeMargin
	for _, c := range []struct {
		name        string
		solver      Mesh
		more, finer float64
		want        int
	}{
		{"same", Mesh{}, 1, 1, (10 + margin) * (20 + margin) * (30 + margin)},
		{"eight times", Mesh{}, 8, 1, (20 + margin) * (40 + margin) * (60 + margin)},
		{"finer cells", Mesh{}, 1, 3, (30 + margin) * (60 + margin) * (90 + margin)},
		{"in a box", Mesh{High: vec.New(1, 3, 3)}, 8, 1, (10 + margin) * (30 + margin) * (30 + margin)},
		{"in a smaller box", Mesh{High: vec.New(0.5, 0.5, 0.5)}, 8, 1, (10 + margin) * (20 + margin) * (30 + margin)},
		{"repeats along x", Mesh{Repeats: [3]bool{true, false, false}}, 8, 2, 2 * (10 + margin) * (80 + margin) * (120 + margin)},
	} {
		s := c.solver
		s.Cell, s.lattice = 0.1, remesh.Lattice{Edge: 0.1, N: [3]int{10 + margin, 20 + margin, 30 + margin}}
		if got := s.GrownNodes(c.more, c.finer); math.Abs(got/float64(c.want)-1) > 1e-9 {
			t.Errorf("%s: %g nodes, want %d", c.name, got, c.want)
		}
	}
}
