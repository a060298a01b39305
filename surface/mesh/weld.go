package mesh

import (
	"slices"

	"breakwater/sim/vec"
)

// Weld returns m with one vertex for all at the same place, and without the
// triangles that have then no area. Files that keep a normal or a colour a
// corner, and all STL files, have several.
func Weld(m *Mesh) *Mesh {
	w := &Mesh{Pos: make([]vec.Vec3, 0, len(m.Pos)/2)}
	at := make(map[vec.Vec3]int32, len(m.Pos))
	to := make([]int32, len(m.Pos))
	for i, p := range m.Pos {
		p = p.Add(vec.Vec3{}) // −0 becomes 0
		k, known := at[p]
		if !known {
			k = int32(len(w.Pos))
			at[p], w.Pos = k, append(w.Pos, p)
		}
		to[i] = k
	}
	for _, t := range m.Tri {
		t = [3]int32{to[t[0]], to[t[1]], to[t[2]]}
		if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
			w.Tri = append(w.Tri, t)
		}
	}
	return w
}

// OpenEdges returns the number of directed edges without an equal number of partners in
// the other direction, and the middle of the first. A closed mesh whose triangles all
// turn the same way has none.
func (m *Mesh) OpenEdges() (n int, first vec.Vec3) {
	type side struct{ a, b, turn int32 } // a < b
	sides := make([]side, 0, 3*len(m.Tri))
	for _, t := range m.Tri {
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			if a < b {
				sides = append(sides, side{a, b, 1})
			} else {
				sides = append(sides, side{b, a, -1})
			}
		}
	}
	slices.SortFunc(sides, func(x, y side) int {
		if x.a != y.a {
			return int(x.a - y.a)
		}
		return int(x.b - y.b)
	})
	for lo := 0; lo < len(sides); {
		hi, sum := lo, int32(0)
		for ; hi < len(sides) && sides[hi].a == sides[lo].a && sides[hi].b == sides[lo].b; hi++ {
			sum += sides[hi].turn
		}
		if sum != 0 {
			if n == 0 {
				first = m.Pos[sides[lo].a].Lerp(m.Pos[sides[lo].b], 0.5)
			}
			n++
		}
		lo = hi
	}
	return n, first
}
