package mesh

import (
	"math"
	"slices"

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

// A blade is a needle that is far longer than 99 % of the triangles.
const (
	bladeLength = 5   // longest sides of the 99th percentile
	bladeShape  = 0.1 // 4√3 area/Σ side², which is 1 for equal sides
)

// Blades returns an error that counts the triangles that stick out of m as blades, and
// names the first place. It returns nil for a mesh without blades.
func (m *Mesh) Blades() error {
	length2 := make([]float64, len(m.Tri)) // of the longest sides, squared
	for i, t := range m.Tri {
		length2[i], _ = m.shape(t)
	}
	limit := bladeLength * bladeLength * percentile(slices.Clone(length2), 0.99)
	var blades fault
	for i, t := range m.Tri {
		if length2[i] <= limit {
			continue
		}
		if l2, shape := m.shape(t); shape < bladeShape {
			blades.add("triangle %d at %v, %.3g m long", i, m.Pos[t[0]], math.Sqrt(l2))
		}
	}
	return blades.err("triangles that protrude as blades")
}

// shape returns the square of t's longest side, and 4√3 times its area over
// the sum of the squares of its sides.
func (m *Mesh) shape(t [3]int32) (length2, shape float64) {
	a, b, c := m.Pos[t[0]], m.Pos[t[1]], m.Pos[t[2]]
	x, y, z := b.Sub(a), c.Sub(b), a.Sub(c)
	x2, y2, z2 := x.Dot(x), y.Dot(y), z.Dot(z)
	if sum := x2 + y2 + z2; sum > 0 {
		shape = 2 * math.Sqrt(3) * x.Cross(z).Len() / sum
	}
	return max(x2, y2, z2), shape
}
