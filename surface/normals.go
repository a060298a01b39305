package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// onWall reports whether triangle t lies on a wall. All its vertices are then
// held, and one of them is a wall vertex, or all three are of a contact line and
// the triangle faces the wall.
func (s *vertices) onWall(t [3]int32) bool {
	if s.wall[t[0]] || s.wall[t[1]] || s.wall[t[2]] {
		return true
	}
	for _, v := range t {
		if s.hold[v].n == 0 {
			return false
		}
	}
	p := s.Pos[t[0]]
	n := s.Pos[t[1]].Sub(p).Cross(s.Pos[t[2]].Sub(p)).Unit()
	for _, v := range t {
		if s.hold[v].dirs[0].Dot(n) > -0.7 {
			return false
		}
	}
	return true
}

// fieldTurn is the cosine of the angle up to which the field's normal is taken
// for the surface's. Where they differ by more, smoothing has moved the surface
// away from what the field had there: a dent that is filled, a thread's end.
const fieldTurn = 0.7

// freeNormals returns the normal of the free surface at each vertex: that of
// the field, or in drops and sheets, which are rounder than the field, and
// where the surface has been smoothed into another shape, the mean of the
// triangles around, weighted by area. For a wall vertex it is the wall's.
func (s *vertices) freeNormals() []vec.Vec3 {
	normals := make([]vec.Vec3, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			if s.wall[v] {
				normals[v] = s.hold[v].dirs[0].Neg()
				continue
			}
			var n vec.Vec3
			r := &s.rings
			for k := r.Start[v]; k < r.Start[v+1]; k++ {
				t := [3]int32{int32(v), r.Next[k], r.Prev[k]}
				if s.hold[v].n > 0 && s.onWall(t) {
					continue
				}
				p := s.Pos[v]
				n = n.Add(s.Pos[t[1]].Sub(p).Cross(s.Pos[t[2]].Sub(p)))
			}
			if n = n.Unit(); n == (vec.Vec3{}) {
				// All triangles lie on the wall, or have no area.
				if n = s.hold[v].dirs[0].Neg(); s.hold[v].n == 0 {
					n = vec.New(0, 1, 0)
				}
			}
			if s.weight[v] > 0.5 && s.down[v].Dot(n) > fieldTurn {
				n = s.down[v]
			}
			normals[v] = n
		}
	})
	return normals
}

// smoothNormals turns each normal of the free surface n times towards the sum
// of its neighbours' (Löschner et al. 2023), fully in the bulk, less in drops
// and sheets, whose shape it would hide. Wall normals take no part, which keeps
// the edge between surface and wall sharp.
func (s *vertices) smoothNormals(normals []vec.Vec3, n int) []vec.Vec3 {
	next := make([]vec.Vec3, len(normals))
	for range n {
		par.For(len(normals), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				next[v] = normals[v]
				if s.wall[v] {
					continue
				}
				var sum vec.Vec3
				for _, u := range s.rings.Of(int32(v)) {
					if !s.wall[u] {
						sum = sum.Add(normals[u])
					}
				}
				if m := normals[v].Lerp(sum.Unit(), min(1, 4*s.weight[v]*s.weight[v])); m.Dot(m) > 0.01 {
					next[v] = m.Unit()
				}
			}
		})
		normals, next = next, normals
	}
	return normals
}
