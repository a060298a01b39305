package mesh

import (
	"math"

	"breakwater/sim/vec"
)

// Creased returns m with smooth normals, except at edges where two faces turn by at least
// the given angle, in degrees. The normal of a corner is a mean over the triangles around
// its vertex that turn by less from its own. They are weighted by their angles there, so
// the diagonal of a quad does not matter (Thürmer and Wüthrich 1998). Every triangle has
// vertices of its own.
func (m *Mesh) Creased(degrees float64) *Mesh {
	r, least := NewRings(m), math.Cos(degrees*math.Pi/180)
	c := &Mesh{Pos: make([]vec.Vec3, 0, 3*len(m.Tri)), Nrm: make([]vec.Vec3, 0, 3*len(m.Tri))}
	for _, t := range m.Tri {
		own := m.normal(t[0], t[1], t[2]).Unit()
		base := int32(len(c.Pos))
		for _, v := range t {
			var n vec.Vec3
			for k := r.Start[v]; k < r.Start[v+1]; k++ {
				if flat := m.normal(v, r.Next[k], r.Prev[k]).Unit(); flat.Dot(own) > least {
					n = n.Add(flat.Mul(m.angle(v, r.Next[k], r.Prev[k])))
				}
			}
			c.Pos, c.Nrm = append(c.Pos, m.Pos[v]), append(c.Nrm, n.Unit())
		}
		c.Tri = append(c.Tri, [3]int32{base, base + 1, base + 2})
	}
	return c
}

// angle returns the angle at a of the triangle abc, in radians.
func (m *Mesh) angle(a, b, c int32) float64 {
	u, v := m.Pos[b].Sub(m.Pos[a]), m.Pos[c].Sub(m.Pos[a])
	return math.Atan2(u.Cross(v).Len(), u.Dot(v))
}
