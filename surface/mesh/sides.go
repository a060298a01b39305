package mesh

import (
	"math"

	"breakwater/sim/vec"
)

// Longest returns the length of the longest side of a triangle, and the middle
// of that side. It is 0 for a mesh without triangles.
func (m *Mesh) Longest() (length float64, at vec.Vec3) {
	l2 := 0.0
	for _, t := range m.Tri {
		a, b, c := m.Pos[t[0]], m.Pos[t[1]], m.Pos[t[2]]
		for _, s := range [...][2]vec.Vec3{{a, b}, {b, c}, {c, a}} {
			if e := s[1].Sub(s[0]); e.Dot(e) > l2 {
				l2, at = e.Dot(e), s[0].Lerp(s[1], 0.5)
			}
		}
	}
	return math.Sqrt(l2), at
}
