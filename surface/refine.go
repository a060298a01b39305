package surface

import "breakwater/surface/mesh"

// refine cuts the triangles of small parts in four, at most twice: a drop of
// one particle may have six vertices on the grid, and has 66 after it. Sides are halved on both their triangles, so the surface
// stays closed.
func (s *vertices) refine(f *field, t, cell float64) {
	for range 2 {
		if !s.halveSides(f, t, cell) {
			return
		}
	}
}

// enough is the number of vertices from which on a drop looks round.
const enough = 90

// halveSides cuts the triangles of all parts with fewer than enough vertices,
// and reports whether there were any.
func (s *vertices) halveSides(f *field, t, cell float64) bool {
	size := s.sizes()
	first := int32(len(s.Pos))
	between := map[[2]int32]int32{} // new vertex of each side, lower end first
	half := func(a, b int32) int32 {
		side := [2]int32{min(a, b), max(a, b)}
		v, ok := between[side]
		if !ok {
			v = int32(len(s.Pos))
			between[side] = v
			s.Pos = append(s.Pos, s.Pos[a].Lerp(s.Pos[b], 0.5))
			s.part = append(s.part, s.part[a])
			s.wall = append(s.wall, s.wall[a] || s.wall[b])
			s.hold = append(s.hold, s.hold[a].common(&s.hold[b]))
		}
		return v
	}
	for i, n := 0, len(s.Tri); i < n; i++ {
		tri := s.Tri[i]
		if size[s.part[tri[0]]] >= enough {
			continue
		}
		a, b, c := half(tri[0], tri[1]), half(tri[1], tri[2]), half(tri[2], tri[0])
		s.Tri[i] = [3]int32{a, b, c}
		s.Tri = append(s.Tri, [3]int32{tri[0], a, c}, [3]int32{a, tri[1], b}, [3]int32{c, b, tri[2]})
	}
	if len(between) == 0 {
		return false
	}
	s.rings = mesh.NewRings(s.Mesh)
	s.freeInnerSides(first)
	s.sample(f, t, cell, int(first))
	return true
}

// common returns the directions that hold both of two vertices, and so what
// lies between them; those of h where they have none in common, at the edge of
// an obstacle.
func (h *hold) common(o *hold) (both hold) {
	for _, d := range h.dirs[:h.n] {
		for _, e := range o.dirs[:o.n] {
			if d.Dot(e) > 0.9 {
				both.add(d)
			}
		}
	}
	if both.n == 0 && o.n > 0 {
		return *h
	}
	return both
}

// freeInnerSides releases those of the new vertices that lie between two of a
// contact line, but on a side that has the free surface on both hands.
func (s *vertices) freeInnerSides(first int32) {
	for v := first; v < int32(len(s.Pos)); v++ {
		if s.wall[v] || s.hold[v].n == 0 {
			continue
		}
		touches := false
		for k := s.rings.Start[v]; k < s.rings.Start[v+1]; k++ {
			touches = touches || s.onWall([3]int32{v, s.rings.Next[k], s.rings.Prev[k]})
		}
		if !touches {
			s.hold[v] = hold{}
		}
	}
}
