package surface

import "slices"

// enough is the number of vertices from which on a drop looks round.
const enough = 90

// refine cuts the triangles of small parts in four, at most twice: a drop of
// one particle may have six vertices on the grid, and has 66 after it. Sides are
// halved on both their triangles, so the surface stays closed.
func (s *vertices) refine(f *field, t, cell float64) {
	for range 2 {
		if !s.halveSides(f, t, cell) {
			return
		}
	}
}

// halveSides cuts the triangles of all parts with fewer than enough vertices,
// and reports whether there were any.
func (s *vertices) halveSides(f *field, t, cell float64) bool {
	size := s.sizes()
	small := func(v int32) bool { return size[s.part[v]] < enough }
	r := &s.rings
	first := len(s.Pos)
	// The new vertex of a side has a number by the place of the side in the
	// ring of its lower end.
	from := r.Start[s.small]
	s.scratch.sides = resize(s.scratch.sides, len(r.Next)-int(from))
	number := s.scratch.sides
	n := first
	for v := int32(s.small); v < int32(first); v++ {
		if !small(v) {
			continue
		}
		for k := r.Start[v]; k < r.Start[v+1]; k++ {
			if v < r.Next[k] {
				number[k-from] = int32(n)
				n++
			}
		}
	}
	if n == first {
		return false
	}
	s.Pos, s.part, s.kind = extend(s.Pos, n), extend(s.part, n), extend(s.kind, n)
	if len(s.constraints) > 0 {
		s.constraints = extend(s.constraints, n)
	}
	for v := int32(s.small); v < int32(first); v++ {
		if !small(v) {
			continue
		}
		for k := r.Start[v]; k < r.Start[v+1]; k++ {
			if u := r.Next[k]; v < u {
				s.halve(v, u, number[k-from])
			}
		}
	}
	half := func(a, b int32) int32 {
		lo, hi := min(a, b), max(a, b)
		return number[int(r.Start[lo]-from)+slices.Index(r.Of(lo), hi)]
	}
	tris := 0
	for _, tri := range s.Tri[s.smallTri:] {
		if small(tri[0]) {
			tris++
		}
	}
	end := len(s.Tri)
	s.Tri = extend(s.Tri, end+3*tris)
	for i, next := s.smallTri, s.Tri[end:]; len(next) > 0; i++ {
		tri := s.Tri[i]
		if !small(tri[0]) {
			continue
		}
		a, b, c := half(tri[0], tri[1]), half(tri[1], tri[2]), half(tri[2], tri[0])
		s.Tri[i] = [3]int32{a, b, c}
		next[0], next[1], next[2] = [3]int32{tri[0], a, c}, [3]int32{a, tri[1], b}, [3]int32{c, b, tri[2]}
		next = next[3:]
	}
	r.Build(s.Mesh, s.small, s.smallTri)
	s.freeInnerSides(int32(first))
	s.sample(f, t, cell, first)
	return true
}

// halve makes vertex n halfway between u and v.
func (s *vertices) halve(v, u, n int32) {
	s.Pos[n], s.part[n] = s.Pos[v].Lerp(s.Pos[u], 0.5), s.part[v]
	switch a, b := s.kind[v], s.kind[u]; {
	case a == free || b == free:
		s.release(n)
		return
	case a == wall || b == wall:
		s.kind[n] = wall
	default:
		s.kind[n] = contact
	}
	s.constraints[n] = s.constraints[v].common(&s.constraints[u])
}

// common returns the constraint directions common to two vertices, which also hold the
// points between them. Without common directions it returns the directions of h, at the
// edge of an obstacle.
func (h *constraint) common(o *constraint) (both constraint) {
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

// freeInnerSides releases the new vertices between two vertices of a contact line that
// lie on an edge with the free surface on both sides.
func (s *vertices) freeInnerSides(first int32) {
	for v := first; v < int32(len(s.Pos)); v++ {
		if s.kind[v] != contact {
			continue
		}
		touches := false
		for k := s.rings.Start[v]; k < s.rings.Start[v+1]; k++ {
			touches = touches || s.onWall([3]int32{v, s.rings.Next[k], s.rings.Prev[k]})
		}
		if !touches {
			s.release(v)
		}
	}
}
