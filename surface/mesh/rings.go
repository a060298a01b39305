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
	r := Rings{
		Start: make([]int32, len(m.Pos)+1),
		Next:  make([]int32, 3*len(m.Tri)),
		Prev:  make([]int32, 3*len(m.Tri)),
	}
	for _, t := range m.Tri {
		for _, v := range t {
			r.Start[v+1]++
		}
	}
	for v := range m.Pos {
		r.Start[v+1] += r.Start[v]
	}
	free := append([]int32(nil), r.Start[:len(m.Pos)]...) // next unused place of each vertex
	for _, t := range m.Tri {
		for k, v := range t {
			r.Next[free[v]], r.Prev[free[v]] = t[(k+1)%3], t[(k+2)%3]
			free[v]++
		}
	}
	return r
}

// Of returns the neighbours that follow v in the triangles around it.
func (r *Rings) Of(v int32) []int32 { return r.Next[r.Start[v]:r.Start[v+1]] }
