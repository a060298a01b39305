package surface

import (
	"breakwater/sim/par"
	"breakwater/surface/mesh"
)

// arrangement is the memory of arrange.
type arrangement struct {
	of          []int32          // piece of each vertex; −1 if the vertex has become one with another
	pieces      []mesh.Component // of the surface
	number      []int32          // new number of each vertex, −1 if it goes
	part        []int32
	kind        []kind
	constraints []constraint
	tri         [][3]int32
}

// dropEmptyParts marks pieces of parts without volume for removal: ghosts of a field between
// drops, which hold no particles, and dropped strays.
func (s *vertices) dropEmptyParts(gone []bool, want []float64) {
	for v, p := range s.part {
		if want[p] == 0 {
			gone[s.scratch.arrangement.of[v]] = true
		}
	}
}

// chunk is how many vertices or triangles are renumbered at a time.
const chunk = 1 << 12

// arrange removes the marked pieces of the surface, and puts small parts last. It counts
// the remaining pieces per chunk in parallel and then numbers them: first the large ones
// of all chunks, then the small.
func (s *vertices) arrange(gone []bool) {
	a := &s.scratch.arrangement
	stays := func(v int) bool { return a.of[v] >= 0 && !gone[a.of[v]] }
	size := par.Sums(len(s.Pos), s.parts, func(list []par.Share, lo, hi int) []par.Share {
		last := int32(-1)
		for v := lo; v < hi; v++ {
			if !stays(v) {
				continue
			}
			if s.part[v] != last {
				last = s.part[v]
				list = append(list, par.Share{Group: last})
			}
			list[len(list)-1].N++
		}
		return list
	})
	starts, small := split(len(s.Pos), func(v int) int {
		switch {
		case !stays(v):
			return -1
		case size[s.part[v]].N < enough:
			return 1
		}
		return 0
	})
	s.small = small
	n := int(starts[len(starts)-1][1])
	a.number = resize(a.number, len(s.Pos))
	// Normals do not exist yet, so the positions use their memory.
	pos := resize(s.Nrm, n)
	a.part, a.kind, a.constraints = resize(a.part, n), resize(a.kind, n), a.constraints[:0]
	if len(s.constraints) > 0 {
		a.constraints = resize(a.constraints, n)
	}
	par.Each(len(starts)-1, func(c int) {
		at := starts[c]
		for old := c * chunk; old < min(len(s.Pos), (c+1)*chunk); old++ {
			if !stays(old) {
				a.number[old] = -1
				continue
			}
			class := 0
			if size[s.part[old]].N < enough {
				class = 1
			}
			v := at[class]
			at[class]++
			a.number[old], pos[v], a.part[v], a.kind[v] = v, s.Pos[old], s.part[old], s.kind[old]
			if len(a.constraints) == 0 {
				continue
			}
			if a.constraints[v].n = 0; a.kind[v] != free {
				a.constraints[v] = s.constraints[old]
			}
		}
	})
	class := func(i int) int {
		switch v := s.Tri[i][0]; {
		case v < 0 || a.number[v] < 0:
			return -1
		case int(a.number[v]) < s.small:
			return 0
		}
		return 1
	}
	starts, s.smallTri = split(len(s.Tri), class)
	a.tri = resize(a.tri, int(starts[len(starts)-1][1]))
	par.Each(len(starts)-1, func(c int) {
		at := starts[c]
		for i := c * chunk; i < min(len(s.Tri), (c+1)*chunk); i++ {
			if k := class(i); k >= 0 {
				t := s.Tri[i]
				a.tri[at[k]] = [3]int32{a.number[t[0]], a.number[t[1]], a.number[t[2]]}
				at[k]++
			}
		}
	})
	s.Pos, s.Nrm = pos, s.Pos[:0]
	s.part, a.part = a.part, s.part
	s.kind, a.kind = a.kind, s.kind
	s.constraints, a.constraints = a.constraints, s.constraints
	s.Tri, a.tri = a.tri, s.Tri
}

// split returns the first positions of the items of class 0 and class 1 of each chunk of
// n items, and the number of items in class 0. All of class 0 come before class 1; other
// items are left out. After the last chunk is the end.
func split(n int, class func(i int) int) (starts [][2]int32, zeros int) {
	chunks := (n + chunk - 1) / chunk
	starts = make([][2]int32, chunks+1)
	par.Each(chunks, func(c int) {
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			if k := class(i); k >= 0 {
				starts[c][k]++
			}
		}
	})
	var at int32
	for k := range 2 {
		for c := range starts {
			starts[c][k], at = at, at+starts[c][k]
		}
		if k == 0 {
			zeros = int(at)
		}
	}
	return starts, zeros
}
