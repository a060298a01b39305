package mesh

import (
	"math"

	"breakwater/sim/vec"
)

// Component is one connected piece of a mesh.
type Component struct {
	Vertices  int     `json:"vertices"`
	Triangles int     `json:"triangles"`
	Volume    float64 `json:"volume_m3"` // signed; negative for the wall of an inner cavity
	Area      float64 `json:"area_m2"`
}

// Sphericity returns the area of a ball of c's volume over c's area: 1 for a
// ball, 0.81 for a cube.
func (c Component) Sphericity() float64 {
	return math.Cbrt(math.Pi*36*c.Volume*c.Volume) / c.Area
}

// Components returns the connected pieces of m in the order of their first
// vertices, and the piece each vertex belongs to.
func (m *Mesh) Components() (of []int32, all []Component) {
	// Union-find, the smaller index leads, so that a root is the first
	// vertex of its piece.
	of = make([]int32, len(m.Pos))
	for v := range of {
		of[v] = int32(v)
	}
	root := func(v int32) int32 {
		for of[v] != v {
			of[v] = of[of[v]]
			v = of[v]
		}
		return v
	}
	for _, t := range m.Tri {
		a, b, c := root(t[0]), root(t[1]), root(t[2])
		lead := min(a, b, c)
		of[a], of[b], of[c] = lead, lead, lead
	}
	var origin []vec.Vec3 // first vertex of each piece: volumes are taken about it
	for v := range of {
		if of[v] == int32(v) {
			of[v] = int32(len(all))
			all = append(all, Component{})
			origin = append(origin, m.Pos[v])
		} else {
			of[v] = of[of[v]] // the parent came before and holds its number already
		}
		all[of[v]].Vertices++
	}
	for _, t := range m.Tri {
		k := of[t[0]]
		a, b, c := m.Pos[t[0]].Sub(origin[k]), m.Pos[t[1]].Sub(origin[k]), m.Pos[t[2]].Sub(origin[k])
		all[k].Triangles++
		all[k].Volume += a.Dot(b.Cross(c)) / 6
		all[k].Area += b.Sub(a).Cross(c.Sub(a)).Len() / 2
	}
	return of, all
}
