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

// Frame returns square bars of the given width along the edges, just outside them, for a
// body that is drawn by its edges only. Edges that go on from each other at less than 60°
// are one bar, without a joint; others end where they meet.
func Frame(edges []Edge, width float64) *Mesh {
	at := map[vec.Vec3][]int{} // the edges at each point
	for i, e := range edges {
		at[e.A], at[e.B] = append(at[e.A], i), append(at[e.B], i)
	}
	m := new(Mesh)
	for i, e := range edges {
		along := e.B.Sub(e.A).Unit()
		end := func(p vec.Vec3, away float64) (section, bool) {
			s := section{at: p, along: along, out: e.Out}
			if list := at[p]; len(list) == 2 {
				o := edges[list[0]+list[1]-i]
				on := o.B.Sub(o.A).Unit().Mul(away) // the way on from this edge
				if o.B == p {
					on = on.Neg()
				}
				if on.Dot(along) > 0.5 {
					s.along = along.Add(on).Unit()
					s.out = e.Out.Add(o.Out)
					s.out = s.out.Sub(s.along.Mul(s.out.Dot(s.along))).Unit()
					return s, false
				}
			}
			s.at = p.Add(along.Mul(away * width / 2))
			return s, true
		}
		a, cutA := end(e.A, -1)
		b, cutB := end(e.B, 1)
		m.bar(a, b, cutA, cutB, width)
	}
	return m
}

// section is where a bar is cut across.
type section struct{ at, along, out vec.Vec3 }

// corners returns the corners of a bar of the given width, and the normals of its sides.
// Seen along the bar, each side lies to the left of the previous corner.
func (s section) corners(width float64) (p, n [4]vec.Vec3) {
	const clear = 0.02 // of the width, between the edge and its bar
	side := s.along.Cross(s.out)
	n = [4]vec.Vec3{s.out, side, s.out.Neg(), side.Neg()}
	middle := s.at.Add(s.out.Mul((0.5 + clear) * width))
	for k := range p {
		p[k] = middle.Add(n[k].Add(n[(k+1)%4]).Mul(width / 2))
	}
	return p, n
}

// bar adds a square bar, closed where it is cut, and outward.
func (m *Mesh) bar(a, b section, cutA, cutB bool, width float64) {
	face := func(p, n [4]vec.Vec3) {
		k := int32(len(m.Pos))
		m.Pos, m.Nrm = append(m.Pos, p[:]...), append(m.Nrm, n[:]...)
		m.Tri = append(m.Tri, [3]int32{k, k + 1, k + 2}, [3]int32{k, k + 2, k + 3})
	}
	p, n := a.corners(width)
	q, o := b.corners(width)
	for k := range 4 {
		i := (k + 1) % 4 // the side from corner k to corner i has the normal i
		face([4]vec.Vec3{p[k], p[i], q[i], q[k]}, [4]vec.Vec3{n[i], n[i], o[i], o[i]})
	}
	if cutA {
		back := a.along.Neg()
		face([4]vec.Vec3{p[3], p[2], p[1], p[0]}, [4]vec.Vec3{back, back, back, back})
	}
	if cutB {
		face(q, [4]vec.Vec3{b.along, b.along, b.along, b.along})
	}
}

// SharpEdges returns the edges of a closed mesh at which two faces meet at the given
// angle in degrees or more.
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

// Cylinder returns a closed, outward cylinder of n sides between the centres of its ends.
// Its edges are bevelled by a hundredth of its radius, so its side is shaded round and
// its ends flat.
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
