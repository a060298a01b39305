package mesh

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// Edge is a straight edge of a body, and the direction out of it there.
type Edge struct {
	A, B vec.Vec3
	Out  vec.Vec3 // of unit length, perpendicular to the edge
}

// Frame returns square bars along the edges, just outside them: a body of
// which only the edges are seen. They are a hundred and fiftieth as thick as
// the box of all edges is long.
func Frame(edges []Edge) *Mesh {
	box := vec.Empty()
	for _, e := range edges {
		box = box.Include(e.A).Include(e.B)
	}
	m := new(Mesh)
	if len(edges) == 0 {
		return m
	}
	size := box.Size()
	width := max(size.X, size.Y, size.Z) / 150
	for _, e := range edges {
		m.bar(e, width)
	}
	return m
}

// bar adds a square bar, closed and outward.
func (m *Mesh) bar(e Edge, width float64) {
	along := e.B.Sub(e.A).Unit()
	side := along.Cross(e.Out)
	u, v := e.Out.Add(side).Mul(width/math.Sqrt2/math.Sqrt2), side.Sub(e.Out).Mul(width/math.Sqrt2/math.Sqrt2)
	a := e.A.Sub(along.Mul(width / 2)).Add(e.Out.Mul(0.75 * width))
	b := e.B.Add(along.Mul(width / 2)).Add(e.Out.Mul(0.75 * width))
	ring := [4]vec.Vec3{u, v, u.Neg(), v.Neg()}
	face := func(n vec.Vec3, p ...vec.Vec3) {
		k := int32(len(m.Pos))
		m.Pos = append(m.Pos, p...)
		m.Nrm = append(m.Nrm, n, n, n, n)
		m.Tri = append(m.Tri, [3]int32{k, k + 1, k + 2}, [3]int32{k, k + 2, k + 3})
	}
	for k, r := range ring {
		s := ring[(k+1)%4]
		n := r.Add(s).Unit()
		if r.Cross(s).Dot(along) > 0 {
			face(n, a.Add(r), a.Add(s), b.Add(s), b.Add(r))
		} else {
			face(n, a.Add(s), a.Add(r), b.Add(r), b.Add(s))
		}
	}
	if u.Cross(v).Dot(along) > 0 {
		face(along.Neg(), a.Add(ring[3]), a.Add(ring[2]), a.Add(ring[1]), a.Add(ring[0]))
		face(along, b.Add(ring[0]), b.Add(ring[1]), b.Add(ring[2]), b.Add(ring[3]))
	} else {
		face(along.Neg(), a.Add(ring[0]), a.Add(ring[1]), a.Add(ring[2]), a.Add(ring[3]))
		face(along, b.Add(ring[3]), b.Add(ring[2]), b.Add(ring[1]), b.Add(ring[0]))
	}
}

// SharpEdges returns the edges of a closed mesh at which two faces meet in an
// angle of so many degrees or more.
func (m *Mesh) SharpEdges(degrees float64) (list []Edge) {
	type side struct {
		a, b int32 // a < b
		tri  int
	}
	sides := make([]side, 0, 3*len(m.Tri))
	for i, t := range m.Tri {
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			sides = append(sides, side{min(a, b), max(a, b), i})
		}
	}
	slices.SortStableFunc(sides, func(x, y side) int {
		if x.a != y.a {
			return int(x.a - y.a)
		}
		return int(x.b - y.b)
	})
	limit := math.Cos(degrees * math.Pi / 180)
	for k := 0; k+1 < len(sides); k++ {
		x, y := sides[k], sides[k+1]
		if x.a != y.a || x.b != y.b {
			continue
		}
		s, t := m.Tri[x.tri], m.Tri[y.tri]
		n, o := m.normal(s[0], s[1], s[2]).Unit(), m.normal(t[0], t[1], t[2]).Unit()
		if n.Dot(o) < limit {
			list = append(list, Edge{A: m.Pos[x.a], B: m.Pos[x.b], Out: n.Add(o).Unit()})
		}
	}
	return list
}

// Cylinder returns a closed, outward cylinder of n sides between the centres of
// its ends, with edges bevelled by a hundredth of its radius, so that its side
// is shaded round and its ends flat.
func Cylinder(bottom, top vec.Vec3, radius float64, n int) *Mesh {
	axis := top.Sub(bottom).Unit()
	u := vec.New(1, 0, 0)
	if math.Abs(axis.X) > 0.6 {
		u = vec.New(0, 1, 0)
	}
	u = u.Cross(axis).Unit()
	v := axis.Cross(u)
	bevel := radius / 100
	m := new(Mesh)
	ring := func(c vec.Vec3, r float64, flat vec.Vec3) {
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			out := u.Mul(cos).Add(v.Mul(sin))
			normal := out
			if flat != (vec.Vec3{}) {
				normal = flat
			}
			m.Pos, m.Nrm = append(m.Pos, c.Add(out.Mul(r))), append(m.Nrm, normal)
		}
	}
	ring(bottom, radius-bevel, axis.Neg())
	ring(bottom.Add(axis.Mul(bevel)), radius, vec.Vec3{})
	ring(top.Sub(axis.Mul(bevel)), radius, vec.Vec3{})
	ring(top, radius-bevel, axis)
	m.Pos, m.Nrm = append(m.Pos, bottom, top), append(m.Nrm, axis.Neg(), axis)
	k := int32(n)
	for i := range k {
		j := (i + 1) % k
		for r := range int32(3) {
			a, b, c, d := r*k+i, r*k+j, (r+1)*k+j, (r+1)*k+i
			m.Tri = append(m.Tri, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
		m.Tri = append(m.Tri, [3]int32{4 * k, j, i}, [3]int32{4*k + 1, 3*k + i, 3*k + j})
	}
	return m
}
