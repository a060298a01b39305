package vortex

import (
	"math"
	"testing"

	"breakwater/sim/remesh"
)

// TestConfineNextToNothing cuts off a value beside a node that has next to nothing to give and
// one that has nothing: the values stay within their bounds, and numbers.
func TestConfineNextToNothing(t *testing.T) {
	s := newMesh(1)
	s.lattice = remesh.Lattice{Edge: 1, N: [3]int{8, 8, 8}}
	s.carriers = s.lattice.All()
	list := make([]float32, s.lattice.Len())
	at := func(x, y, z int) *float32 { return &list[(z*8+y)*8+x] }
	*at(4, 4, 4), *at(5, 4, 4), *at(3, 4, 4) = 1.1, 1e-42, 1
	s.confine(list, 1.1, func(int) (lo, hi float32) { return 0, 1 })
	for p, x := range list {
		if !(x >= 0 && x <= 1) {
			t.Errorf("node %d has %g", p, x)
		}
	}
	if math.IsNaN(s.sumOf(list)) {
		t.Error("the sum is not a number")
	}
}
