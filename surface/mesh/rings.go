package mesh

import (
	"runtime"

	"breakwater/sim/par"
)

// Rings lists, for every vertex, the two other corners of each triangle
// around it in the triangle's order: (Next[k], Prev[k]) for k from Start[v] to
// Start[v+1]. In a closed, oriented mesh Next alone holds every neighbour of v
// once.
type Rings struct {
	Start      []int32
	Next, Prev []int32
}

// NewRings collects the rings of m, whose indices must be in range. Within a
// ring the triangles keep their order in m.
func NewRings(m *Mesh) Rings {
	var r Rings
	r.Build(m, 0, 0)
	return r
}

// Build collects the rings of m anew, from vertex and from triangle on; those
// before must be as they were, and the two sets apart. It keeps r's memory.
func (r *Rings) Build(m *Mesh, vertex, triangle int) {
	first, n := 3*triangle, 3*len(m.Tri)
	r.Start = par.Extend(r.Start[:min(len(r.Start), vertex)], len(m.Pos)+1)
	r.Next = par.Extend(r.Next[:min(len(r.Next), first)], n)
	r.Prev = par.Extend(r.Prev[:min(len(r.Prev), first)], n)
	m.ListCorners(r.Start, r.Next, vertex, triangle)
	par.For(n-first, func(lo, hi int) {
		for i := first + lo; i < first+hi; i++ {
			h := r.Next[i]
			t := &m.Tri[h/3]
			switch h % 3 {
			case 0:
				r.Next[i], r.Prev[i] = t[1], t[2]
			case 1:
				r.Next[i], r.Prev[i] = t[2], t[0]
			default:
				r.Next[i], r.Prev[i] = t[0], t[1]
			}
		}
	})
}

// ListCorners lists the corners of triangles by their vertices: list[start[v]:start[v+1]]
// are the corners at vertex v, ascending, where 3t+k is the corner of triangle t at its
// vertex k. It lists the vertices and the triangles from the given ones on, which must
// not share corners with earlier ones. start has room for one entry more than m has
// vertices, and list for three corners per triangle.
//
// The vertices are cut into ranges, each for a core, which passes over chunks
// of triangles that are all elsewhere: neighbours mostly have numbers near to
// each other.
func (m *Mesh) ListCorners(start, list []int32, vertex, triangle int) {
	const chunk = 1 << 12
	n, tris := len(m.Pos)-vertex, m.Tri[triangle:]
	spans := make([][2]int32, (len(tris)+chunk-1)/chunk) // of the vertices of each chunk
	par.Each(len(spans), func(c int) {
		lo, hi := int32(len(m.Pos)), int32(0)
		for _, t := range tris[c*chunk : min(len(tris), (c+1)*chunk)] {
			lo, hi = min(lo, t[0], t[1], t[2]), max(hi, t[0], t[1], t[2])
		}
		spans[c] = [2]int32{lo, hi}
	})
	ranges := max(1, min(2*runtime.GOMAXPROCS(0), n/chunk))
	each := func(f func(lo, hi int32, k int)) {
		par.Each(ranges, func(k int) { f(int32(vertex+k*n/ranges), int32(vertex+(k+1)*n/ranges), k) })
	}
	total := make([]int32, ranges) // corners of each range
	start[vertex] = int32(3 * triangle)
	each(func(lo, hi int32, k int) {
		clear(start[lo+1 : hi+1])
		for c, s := range spans {
			if s[1] < lo || s[0] >= hi {
				continue
			}
			for _, t := range tris[c*chunk : min(len(tris), (c+1)*chunk)] {
				for _, v := range t {
					if lo <= v && v < hi {
						start[v+1]++
						total[k]++
					}
				}
			}
		}
	})
	at := int32(3 * triangle)
	for k, corners := range total {
		total[k], at = at, at+corners
	}
	each(func(lo, hi int32, k int) {
		// The start of v moves on through v+1 to where it ends, and v+1 starts.
		at := total[k]
		for v := lo; v < hi; v++ {
			start[v+1], at = at, at+start[v+1]
		}
		for c, s := range spans {
			if s[1] < lo || s[0] >= hi {
				continue
			}
			for i := c * chunk; i < min(len(tris), (c+1)*chunk); i++ {
				for j, v := range tris[i] {
					if lo <= v && v < hi {
						list[start[v+1]] = int32(3*(triangle+i) + j)
						start[v+1]++
					}
				}
			}
		}
	})
}

// Of returns the neighbours that follow v in the triangles around it.
func (r *Rings) Of(v int32) []int32 { return r.Next[r.Start[v]:r.Start[v+1]] }
