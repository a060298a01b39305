package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// snapping is the memory of snap.
type snapping struct {
	corners
	near    []uint32   // the node of the grid that each vertex is nearest to
	layers  []layer    // and the end of the last
	sum     []vec.Vec3 // of the vertices that became one
	n       []int32    // how many they are
	touches []bool     // next to a vertex on a wall
}

// snap merges all vertices that lie around a node of the grid, where marching cubes
// leaves slivers. See Moore and Warren, Compact isocontours from sampled data, Graphics
// Gems III, 1992. A quarter of the vertices go. The mesh stays closed and manifold, since
// only sides that may go do.
func (s *vertices) snap() {
	t := &s.scratch.snapping
	s.walk()
	n := len(s.Pos)
	t.touches = resize(t.touches, n)
	// Normals do not exist yet, so the sums use their memory.
	s.Nrm = resize(s.Nrm, n)
	t.sum, t.n = s.Nrm, resize(t.n, n)
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			t.sum[v], t.n[v] = s.Pos[v], 1
			t.touches[v] = false
			for _, u := range t.to[t.start[v]:t.start[v+1]] {
				t.touches[v] = t.touches[v] || s.kind[u] == wall
			}
		}
	})
	// Merging two vertices in a pass may keep two others apart.
	for range 2 {
		s.eachNode(func(v int32) {
			for t.at[v] >= 0 && s.snapTo(v) {
			}
		})
	}
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			if t.n[v] > 1 {
				s.Pos[v] = t.sum[v].Mul(1 / float64(t.n[v]))
			}
		}
	})
}

// layer is a layer of blocks: where its blocks and the vertices on their edges
// begin.
type layer struct{ block, vertex int32 }

// rim is how many of a layer's nodes at either end wait for the nodes between them.
// Vertices around a node have neighbours around the adjacent nodes, and those neighbours
// have theirs around the nodes adjacent to these. Merging the vertices of a node reads
// and writes at most 3 nodes away, and must not overlap with another merge at most 3
// nodes away.
const rim = 2

// eachNode calls f with all vertices, in an order that depends on the grid alone. First
// come the vertices of nodes inside the layers of blocks, all layers at once. Then come
// the vertices of nodes around the planes between layers, all planes at once.
func (s *vertices) eachNode(f func(v int32)) {
	t := &s.scratch.snapping
	between := func(k, first, end int) {
		if k < 0 || k > len(t.layers)-2 {
			return
		}
		for v := t.layers[k].vertex; v < t.layers[k+1].vertex; v++ {
			z := int(t.near[v] / rows % side)
			if int32(t.near[v]/(rows*side)) >= t.layers[k+1].block {
				z += side // the node is of the next layer
			}
			if first <= z && z < end {
				f(v)
			}
		}
	}
	par.Each(len(t.layers)-1, func(k int) { between(k, rim, side-rim) })
	par.Each(len(t.layers), func(k int) {
		between(k-1, side-rim, side+1)
		between(k, 0, rim)
	})
}

// snapTo makes one of v and a neighbour, and reports whether there was one to
// be had.
func (s *vertices) snapTo(v int32) bool {
	t := &s.scratch.snapping
	for h := t.at[v]; ; {
		u, around := t.step(h)
		if t.near[u] == t.near[v] && s.alike(u, v) && t.collapsible(h) {
			t.collapse(h)
			t.sum[v] = t.sum[v].Add(t.sum[u])
			t.n[v] += t.n[u]
			s.scratch.of[u] = -1
			return true
		}
		if h = around; h == t.at[v] {
			return false
		}
	}
}

// alike reports whether two vertices of one node may be merged. They may if both are of
// the free surface, and both or neither are next to a wall. They also may if they lie on
// the same flat wall.
func (s *vertices) alike(u, v int32) bool {
	t := &s.scratch.snapping
	switch {
	case s.kind[u] != s.kind[v]:
		return false
	case s.kind[u] == free:
		return t.touches[u] == t.touches[v]
	}
	return s.constraints[u].n == 1 && s.constraints[v].n == 1 && s.constraints[u].dirs[0] == s.constraints[v].dirs[0]
}

// walk builds the corners of the mesh. They take the memory of the rings, which
// have to be built again once the mesh is as it is to be.
func (s *vertices) walk() {
	t := &s.scratch.snapping.corners
	t.list, t.twin = s.rings.Next, s.rings.Prev
	t.build(s.Mesh)
	s.rings.Next, s.rings.Prev = t.list, t.twin
}
