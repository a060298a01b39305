package surface

import "slices"

// fillBubbles removes the pieces of the surface that enclose less air than
// least, in m³. What touches a wall, or is one, stays.
func (s *vertices) fillBubbles(least float64) {
	of, all := s.Components()
	small := make([]bool, len(all))
	for k, c := range all {
		small[k] = c.Volume < 0 && -c.Volume < least
	}
	for v, wall := range s.wall {
		if wall {
			small[of[v]] = false
		}
	}
	if !slices.Contains(small, true) {
		return
	}
	number := make([]int32, len(s.Pos)) // new number of each vertex that stays
	var n int32
	for v := range s.Pos {
		if small[of[v]] {
			continue
		}
		number[v] = n
		s.Pos[n], s.part[n], s.wall[n], s.hold[n] = s.Pos[v], s.part[v], s.wall[v], s.hold[v]
		n++
	}
	s.Pos, s.part, s.wall, s.hold = s.Pos[:n], s.part[:n], s.wall[:n], s.hold[:n]
	tris := s.Tri[:0]
	for _, t := range s.Tri {
		if !small[of[t[0]]] {
			tris = append(tris, [3]int32{number[t[0]], number[t[1]], number[t[2]]})
		}
	}
	s.Tri = tris
}
