package surface

import "breakwater/sim/vec"

// quadric is the sum of the squared distances from planes, weighted by the areas in them.
// It is a function of a point x, relative to the quadric's vertex:
//
//	Q(x) = xᵀAx + 2b·x + c
//
// (Garland and Heckbert, Surface simplification using quadric error metrics,
// SIGGRAPH 1997). Relative, it loses nothing far from the origin.
type quadric struct {
	a    vec.Sym3 // m²
	b    vec.Vec3 // m³
	c    float64  // m⁴
	area float64  // m²
}

// plane adds a plane through the vertex with the unit normal n.
func (q *quadric) plane(n vec.Vec3, area float64) {
	q.a.AddOuter(n, area)
	q.area += float64(area)
}

// at returns Q(x), 0 or more.
func (q *quadric) at(x vec.Vec3) float64 { return max(0, x.Dot(q.a.Times(x).Add(q.b.Mul(2)))+q.c) }

// move makes q relative to a point d away.
func (q *quadric) move(d vec.Vec3) {
	ad := q.a.Times(d)
	q.c += d.Dot(ad.Add(q.b.Mul(2)))
	q.b = q.b.Add(ad)
}

// add adds o, which is relative to the same point.
func (q *quadric) add(o *quadric) {
	q.a, q.b, q.c, q.area = q.a.Add(o.a), q.b.Add(o.b), q.c+o.c, q.area+o.area
}

// inverse returns the inverse of A. ok is false if A has none.
func (q *quadric) inverse() (inv vec.Sym3, ok bool) {
	adj, det := q.a.Adjugate()
	return adj.Scale(1 / det), det > 0
}
