package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// snapping is the memory of snap.
type snapping struct {
	corners
	near    []uint32   // the node of the grid that each vertex is nearest to
	sum     []vec.Vec3 // of the vertices that became one
	n       []int32    // how many they are
	touches []bool     // next to a vertex on a wall
}

// snap makes one of all vertices that lie around a node of the grid, where
// marching cubes leaves slivers: Moore and Warren, Compact isocontours from
// sampled data, Graphics Gems III, 1992. A quarter of the vertices go. The mesh
// stays closed and manifold, since only sides that may go do.
func (s *vertices) snap() {
	t := &s.scratch.snapping
	s.walk()
	n := len(s.Pos)
	t.touches = resize(t.touches, n)
	// There are no normals yet: the sums take their memory.
	s.Nrm = resize(s.Nrm, n)
	t.sum, t.n = s.Nrm, resize(t.n, n)
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			t.sum[v], t.n[v] = s.Pos[v], 1
			t.touches[v] = false
			for _, h := range t.list[t.start[v]:t.start[v+1]] {
				t.touches[v] = t.touches[v] || s.kind[t.vertex(next(h))] == wall
			}
		}
	})
	// What one pass makes of two may be what keeps two others apart.
	for range 2 {
		for v := range int32(n) {
			for t.at[v] >= 0 && s.snapTo(v) {
			}
		}
	}
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			if t.n[v] > 1 {
				s.Pos[v] = t.sum[v].Mul(1 / float64(t.n[v]))
			}
		}
	})
}

// snapTo makes one of v and a neighbour, and reports whether there was one to
// be had.
func (s *vertices) snapTo(v int32) bool {
	t := &s.scratch.snapping
	for h := t.at[v]; ; {
		u := t.vertex(next(h))
		if t.near[u] == t.near[v] && s.alike(u, v) && t.collapsible(h) {
			t.collapse(h)
			t.sum[v] = t.sum[v].Add(t.sum[u])
			t.n[v] += t.n[u]
			s.scratch.of[u] = -1
			return true
		}
		if h = t.around(h); h == t.at[v] {
			return false
		}
	}
}

// alike reports whether two vertices of one node may become one: if they are
// of the free surface, both next to a wall or both not, or lie on the same wall
// and flat.
func (s *vertices) alike(u, v int32) bool {
	t := &s.scratch.snapping
	switch {
	case s.kind[u] != s.kind[v]:
		return false
	case s.kind[u] == free:
		return t.touches[u] == t.touches[v]
	}
	return s.hold[u].n == 1 && s.hold[v].n == 1 && s.hold[u].dirs[0] == s.hold[v].dirs[0]
}

// walk builds the corners of the mesh. They take the memory of the rings, which
// have to be built again once the mesh is as it is to be.
func (s *vertices) walk() {
	t := &s.scratch.snapping.corners
	t.list, t.twin = s.rings.Next, s.rings.Prev
	t.build(s.Mesh)
	s.rings.Next, s.rings.Prev = t.list, t.twin
}
