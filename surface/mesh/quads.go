package mesh

import (
	"cmp"
	"math"
	"slices"

	"breakwater/sim/vec"
)

// Conditions for two triangles to form one quad: flat but for a small angle, and without
// a corner that is sharper or blunter than these.
var (
	flattest = math.Cos(25 * math.Pi / 180)
	sharpest = math.Cos(40 * math.Pi / 180)
	bluntest = math.Cos(150 * math.Pi / 180)
)

// Quads pairs triangles of m into quads, and returns these and the triangles that
// are left over. The first and the third
// corner of a quad are the ends of the side that its triangles share: cut from the
// first, it is those two again.
//
// The best pairs are made first: those with corners nearest to right angles. Unmatched
// triangles then look for augmenting paths, along which partners are exchanged (Berge,
// Two theorems in graph theory, PNAS 43, 1957). A few percent of the triangles remain.
func (m *Mesh) Quads() (quads [][4]int32, tris [][3]int32) {
	p := pairing{m: m, twin: m.twins(), mate: make([]int32, len(m.Tri)), seen: make([]int32, len(m.Tri))}
	type side struct {
		badness float32
		corner  int32
	}
	var sides []side
	for h := range int32(len(p.twin)) {
		if h < p.twin[h] {
			if b := p.badness(h); b < math.Inf(1) {
				sides = append(sides, side{float32(b), h})
			}
		}
	}
	slices.SortFunc(sides, func(a, b side) int {
		return cmp.Or(cmp.Compare(a.badness, b.badness), cmp.Compare(a.corner, b.corner))
	})
	for i := range p.mate {
		p.mate[i] = -1
	}
	for _, s := range sides {
		if o := p.twin[s.corner]; p.mate[s.corner/3] < 0 && p.mate[o/3] < 0 {
			p.mate[s.corner/3], p.mate[o/3] = s.corner, o
		}
	}
	for t := range int32(len(m.Tri)) {
		if p.mate[t] < 0 {
			p.turn++
			p.find(t, 12)
		}
	}
	for t, h := range p.mate {
		switch {
		case h < 0:
			tris = append(tris, m.Tri[t])
		case h < p.twin[h]:
			o := p.twin[h]
			a, b := p.vertex(h), p.vertex(o)
			// Counter-clockwise: a, the corner across from o, b, the corner across from
			// h.
			quads = append(quads, [4]int32{a, p.vertex(before(o)), b, p.vertex(before(h))})
		}
	}
	return quads, tris
}

// pairing finds partners for triangles. Corner 3t+k is the corner of triangle t at its
// vertex k, and also stands for the side that starts there.
type pairing struct {
	m    *Mesh
	twin []int32 // the corner whose side runs the other way, or −1
	mate []int32 // of each triangle the corner of the side to its partner, −1 if it has none
	seen []int32 // the turn in which a triangle was asked last
	turn int32
}

func after(h int32) int32  { return h - h%3 + (h+1)%3 }
func before(h int32) int32 { return h - h%3 + (h+2)%3 }

func (p *pairing) vertex(h int32) int32 { return p.m.Tri[h/3][h%3] }

// badness returns the deviation of the quad over side h from a rectangle, +Inf if it is
// unusable.
func (p *pairing) badness(h int32) float64 {
	o := p.twin[h]
	x := p.m.Pos
	a, b, c, d := x[p.vertex(h)], x[p.vertex(before(o))], x[p.vertex(o)], x[p.vertex(before(h))]
	if n, k := b.Sub(a).Cross(c.Sub(a)), c.Sub(a).Cross(d.Sub(a)); n.Dot(k) < flattest*n.Len()*k.Len() {
		return math.Inf(1)
	}
	sides := [4]vec.Vec3{b.Sub(a).Unit(), c.Sub(b).Unit(), d.Sub(c).Unit(), a.Sub(d).Unit()}
	worst := 0.0
	for k, s := range sides {
		cos := -s.Dot(sides[(k+3)%4])
		if !(cos < sharpest && cos > bluntest) {
			return math.Inf(1)
		}
		worst = max(worst, math.Abs(cos))
	}
	return worst
}

// find finds a partner for triangle t with at most the given number of changes of
// partners, and reports whether it succeeded.
func (p *pairing) find(t int32, changes int) bool {
	p.seen[t] = p.turn
	for pass := range 2 { // first those without a partner
		for k := range int32(3) {
			h := 3*t + k
			o := p.twin[h]
			u := o / 3
			if o < 0 || p.seen[u] == p.turn || p.badness(h) == math.Inf(1) {
				continue
			}
			if pass == 0 {
				if p.mate[u] < 0 {
					p.mate[t], p.mate[u] = h, o
					return true
				}
				continue
			}
			if changes == 0 {
				return false
			}
			left := p.twin[p.mate[u]] / 3
			if p.seen[left] == p.turn {
				continue
			}
			p.seen[u] = p.turn
			if p.find(left, changes-1) {
				p.mate[t], p.mate[u] = h, o
				return true
			}
		}
	}
	return false
}

// twins returns for each corner the corner whose side runs the other way, or −1.
func (m *Mesh) twins() []int32 {
	start := make([]int32, len(m.Pos)+2)
	for _, t := range m.Tri {
		for _, v := range t {
			start[v+2]++
		}
	}
	for v := range m.Pos {
		start[v+2] += start[v+1]
	}
	list := make([]int32, 3*len(m.Tri)) // corners by vertex
	for i, t := range m.Tri {
		for k, v := range t {
			list[start[v+1]] = int32(3*i + k)
			start[v+1]++
		}
	}
	twin := make([]int32, 3*len(m.Tri))
	for h := range twin {
		twin[h] = -1
	}
	for h := range int32(len(twin)) {
		v, u := m.Tri[h/3][h%3], m.Tri[h/3][(h+1)%3]
		for _, o := range list[start[u]:start[u+1]] {
			if n := after(o); m.Tri[n/3][n%3] == v && (twin[o] < 0 || twin[o] == h) {
				twin[h], twin[o] = o, h
				break
			}
		}
	}
	return twin
}
