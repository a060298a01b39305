package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// arrangement is the memory of arrange.
type arrangement struct {
	of     []int32          // piece of each vertex; −1 if the vertex has become one with another
	pieces []mesh.Component // of the surface
	number []int32          // new number of each vertex, −1 if it goes
	order  []int32          // old number of each vertex that stays
	pos    []vec.Vec3
	part   []int32
	kind   []kind
	hold   []hold
	tri    [][3]int32
}

// exorcise adds to the pieces that go those of parts that are to have no volume:
// ghosts of a field between drops, which hold no particles, and strays that are
// dropped.
func (s *vertices) exorcise(gone []bool, want []float64) {
	for v, p := range s.part {
		if want[p] == 0 {
			gone[s.scratch.arrangement.of[v]] = true
		}
	}
}

// arrange removes the pieces of the surface that are gone, and puts small parts
// last.
func (s *vertices) arrange(gone []bool) {
	a := &s.scratch.arrangement
	size := make([]int, s.parts)
	for v, p := range s.part {
		if a.of[v] >= 0 && !gone[a.of[v]] {
			size[p]++
		}
	}
	a.number = resize(a.number, len(s.Pos))
	a.order = a.order[:0]
	for last := range 2 {
		for v, p := range s.part {
			switch small := size[p] < enough; {
			case a.of[v] < 0 || gone[a.of[v]]:
				a.number[v] = -1
			case small == (last == 1):
				a.number[v] = int32(len(a.order))
				a.order = append(a.order, int32(v))
			}
		}
		if last == 0 {
			s.small = len(a.order)
		}
	}
	n := len(a.order)
	a.pos, a.part, a.kind, a.hold = resize(a.pos, n), resize(a.part, n), resize(a.kind, n), a.hold[:0]
	if len(s.hold) > 0 {
		a.hold = resize(a.hold, n)
	}
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			old := a.order[v]
			a.pos[v], a.part[v], a.kind[v] = s.Pos[old], s.part[old], s.kind[old]
			if len(a.hold) == 0 {
				continue
			}
			if a.hold[v].n = 0; a.kind[v] != free {
				a.hold[v] = s.hold[old]
			}
		}
	})
	a.tri = a.tri[:0]
	for last := range 2 {
		for _, t := range s.Tri {
			if t[0] < 0 {
				continue
			}
			first := a.number[t[0]]
			if first >= 0 && (int(first) >= s.small) == (last == 1) {
				a.tri = append(a.tri, [3]int32{first, a.number[t[1]], a.number[t[2]]})
			}
		}
		if last == 0 {
			s.smallTri = len(a.tri)
		}
	}
	s.Pos, a.pos = a.pos, s.Pos
	s.part, a.part = a.part, s.part
	s.kind, a.kind = a.kind, s.kind
	s.hold, a.hold = a.hold, s.hold
	s.Tri, a.tri = a.tri, s.Tri
}
