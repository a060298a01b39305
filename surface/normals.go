package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/simd"
)

// facing is the cosine of the angle between two normals up to which they are taken
// for the same: 45°.
const facing = 0.7

// onWall reports whether triangle t lies on a wall. All its vertices are then
// held, and one of them is a wall vertex, or all three are of a contact line and
// the triangle faces the wall.
func (s *vertices) onWall(t [3]int32) bool {
	switch a, b, c := s.kind[t[0]], s.kind[t[1]], s.kind[t[2]]; {
	case a == wall || b == wall || c == wall:
		return true
	case a == free || b == free || c == free:
		return false
	}
	p := s.Pos[t[0]]
	n := s.Pos[t[1]].Sub(p).Cross(s.Pos[t[2]].Sub(p)).Unit()
	for _, v := range t {
		if s.constraints[v].dirs[0].Dot(n) > -facing {
			return false
		}
	}
	return true
}

// bulkWeight is the weight of smoothing from which on a vertex belongs to the bulk
// and not to a drop or sheet: half the weight there.
const bulkWeight = 0.5

// freeNormal returns the normal of the free surface at a vertex. It is the field's
// normal, or the mean of the triangles around, weighted by area, in drops and sheets and
// where smoothing has changed the surface's shape. At a wall vertex it is the wall's.
func (s *vertices) freeNormal(v int32) vec.Vec3 {
	if s.kind[v] == wall {
		return s.constraints[v].dirs[0].Neg()
	}
	var n vec.Vec3
	r := &s.rings
	p := s.Pos[v]
	for k := r.Start[v]; k < r.Start[v+1]; k++ {
		t := [3]int32{v, r.Next[k], r.Prev[k]}
		if s.kind[v] == contact && s.onWall(t) {
			continue
		}
		n = n.Add(s.Pos[t[1]].Sub(p).Cross(s.Pos[t[2]].Sub(p)))
	}
	if n = n.Unit(); n == (vec.Vec3{}) {
		// All triangles lie on the wall, or have no area.
		if n = vec.New(0, 1, 0); s.kind[v] == contact {
			n = s.constraints[v].dirs[0].Neg()
		}
	}
	if s.weight[v] > bulkWeight && s.down[v].Dot(n) > facing {
		n = s.down[v]
	}
	return n
}

// smoothNormals sets the mesh's normals to the normals of the free surface, each turned
// n times towards the sum of its neighbours' (Löschner et al. 2023), fully in the bulk,
// less in drops and sheets, whose shape it would hide. Wall normals take no part, which
// keeps the edge between surface and wall sharp.
func (s *vertices) smoothNormals(n int) {
	l, r := &s.links, &s.scratch.relaxation
	r.x, r.next, r.share = resize(r.x, len(s.Pos)+1), resize(r.next, len(s.Pos)+1), resize(r.share, len(s.Pos))
	r.x[len(s.Pos)], r.next[len(s.Pos)] = simd.Vec4{}, simd.Vec4{}
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			n, i := s.freeNormal(int32(v)), l.place[v]
			r.x[i] = simd.Vec4{X: float32(n.X), Y: float32(n.Y), Z: float32(n.Z)}
			if r.share[i] = 0; s.kind[v] != wall {
				u := s.weight[v] / bulkWeight
				r.share[i] = float32(min(1, u*u))
			}
		}
	})
	both := [2][]simd.Vec4{r.x, r.next}
	l.passes(n, func(pass, lo, hi int) {
		simd.Turn(both[1-pass%2], both[pass%2], r.share, &l.Rings, lo, hi)
	})
	s.Nrm = resize(s.Nrm, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			s.Nrm[v] = vec4(both[n%2][l.place[v]]).Unit()
		}
	})
}
