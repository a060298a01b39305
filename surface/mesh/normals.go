package mesh

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// AddNormals sets m's normals to the means of the normals of the triangles
// around each vertex, weighted by area.
func (m *Mesh) AddNormals() {
	r := NewRings(m)
	if cap(m.Nrm) < len(m.Pos) {
		m.Nrm = make([]vec.Vec3, len(m.Pos))
	}
	m.Nrm = m.Nrm[:len(m.Pos)]
	par.For(len(m.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			var n vec.Vec3
			for k := r.Start[v]; k < r.Start[v+1]; k++ {
				n = n.Add(m.normal(int32(v), r.Next[k], r.Prev[k]))
			}
			m.Nrm[v] = n.Unit()
		}
	})
}

// Round rounds all positions, normals and velocities to the nearest float32,
// which is what files keep.
func (m *Mesh) Round() {
	for _, s := range [...][]vec.Vec3{m.Pos, m.Nrm, m.Vel} {
		for i, p := range s {
			s[i] = p.Round()
		}
	}
}
