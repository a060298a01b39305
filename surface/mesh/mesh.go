// Package mesh holds indexed triangle meshes. It checks whether they are closed,
// manifold and oriented, and computes volume and area.
package mesh

import "breakwater/sim/vec"

// Mesh is an indexed triangle mesh. Positions are in metres, y up. Vertex
// attributes are empty or as long as Pos.
type Mesh struct {
	Pos []vec.Vec3 // m
	Nrm []vec.Vec3 // unit normals, out of the liquid
	Vel []vec.Vec3 // m/s
	Tri [][3]int32 // counter-clockwise seen from outside
}

// Reset empties m and keeps its memory.
func (m *Mesh) Reset() { m.Pos, m.Nrm, m.Vel, m.Tri = m.Pos[:0], m.Nrm[:0], m.Vel[:0], m.Tri[:0] }

// Volume returns the signed volume enclosed by m, in m³: positive if the
// triangles turn counter-clockwise seen from outside. It is taken about the
// first vertex, so that a mesh far from the origin loses nothing.
func (m *Mesh) Volume() float64 {
	if len(m.Tri) == 0 {
		return 0
	}
	o := m.Pos[0]
	var s float64
	for _, t := range m.Tri {
		a, b, c := m.Pos[t[0]].Sub(o), m.Pos[t[1]].Sub(o), m.Pos[t[2]].Sub(o)
		s += a.Dot(b.Cross(c))
	}
	return s / 6
}

// Area returns the surface area of m, in m².
func (m *Mesh) Area() float64 {
	var s float64
	for _, t := range m.Tri {
		a := m.Pos[t[0]]
		s += m.Pos[t[1]].Sub(a).Cross(m.Pos[t[2]].Sub(a)).Len()
	}
	return s / 2
}

// Bounds returns the smallest box with all of m's vertices in it.
func (m *Mesh) Bounds() vec.Box {
	b := vec.Empty()
	for _, p := range m.Pos {
		b = b.Include(p)
	}
	return b
}

// Round rounds all positions, normals and velocities to the nearest float32, the
// precision of files.
func (m *Mesh) Round() {
	for _, s := range [...][]vec.Vec3{m.Pos, m.Nrm, m.Vel} {
		for i, p := range s {
			s[i] = p.Round()
		}
	}
}
