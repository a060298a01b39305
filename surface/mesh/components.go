package mesh

import (
	"math"

	"breakwater/sim/par"
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
func (c Component) Sphericity() float64 { return math.Cbrt(math.Pi*36*c.Volume*c.Volume) / c.Area }

// Components returns the connected pieces of m in the order of their first
// vertices, and the piece each vertex belongs to.
func (m *Mesh) Components() (of []int32, all []Component) {
	sets := par.NewUnion(nil, len(m.Pos))
	par.For(len(m.Tri), func(lo, hi int) {
		for _, t := range m.Tri[lo:hi] {
			sets.Unite(t[0], t[1])
			sets.Unite(t[1], t[2])
		}
	})
	var origin []vec.Vec3 // first vertex of each piece: volumes are taken about it
	for v, up := range sets {
		if up == int32(v) {
			origin = append(origin, m.Pos[v])
		}
	}
	all = make([]Component, sets.Number())
	for _, k := range sets {
		all[k].Vertices++
	}
	sums := par.Sums(len(m.Tri), len(all), func(list []par.Share, lo, hi int) []par.Share {
		last := int32(-1)
		for _, t := range m.Tri[lo:hi] {
			k := sets[t[0]]
			if k != last {
				last = k
				list = append(list, par.Share{Group: k})
			}
			s := &list[len(list)-1]
			a, b, c := m.Pos[t[0]].Sub(origin[k]), m.Pos[t[1]].Sub(origin[k]), m.Pos[t[2]].Sub(origin[k])
			s.N++
			s.A += a.Dot(b.Cross(c)) / 6
			s.B += float64(b.Sub(a).Cross(c.Sub(a)).Len() / 2)
		}
		return list
	})
	for k, s := range sums {
		all[k].Triangles, all[k].Volume, all[k].Area = s.N, s.A, s.B
	}
	return sets, all
}
