package mesh

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
	n, tris := len(m.Pos), m.Tri[triangle:]
	r.Start = grow(r.Start, vertex, n+2)
	r.Next = grow(r.Next, 3*triangle, 3*len(m.Tri))
	r.Prev = grow(r.Prev, 3*triangle, 3*len(m.Tri))
	// Count into the start after the next, so that filling moves each start to
	// where the next begins.
	clear(r.Start[vertex:])
	for _, t := range tris {
		for _, v := range t {
			r.Start[v+2]++
		}
	}
	r.Start[vertex], r.Start[vertex+1] = int32(3*triangle), int32(3*triangle)
	for v := vertex; v < n; v++ {
		r.Start[v+2] += r.Start[v+1]
	}
	for _, t := range tris {
		for k, v := range t {
			i := r.Start[v+1]
			r.Start[v+1] = i + 1
			r.Next[i], r.Prev[i] = t[(k+1)%3], t[(k+2)%3]
		}
	}
	r.Start = r.Start[:n+1]
}

// grow returns s with length n, of which the first kept items stay.
func grow(s []int32, kept, n int) []int32 {
	if n > cap(s) {
		t := make([]int32, n+n/8)
		copy(t, s[:kept])
		s = t
	}
	return s[:n]
}

// Of returns the neighbours that follow v in the triangles around it.
func (r *Rings) Of(v int32) []int32 { return r.Next[r.Start[v]:r.Start[v+1]] }
