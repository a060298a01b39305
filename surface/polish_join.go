package surface

import (
	"math"

	"breakwater/sim/par"
)

// short is how long a sliver's shortest side is at most, in longest ones, for its
// ends to become one vertex.
const short = 0.4

// joinSlivers merges the two vertices of the shortest sides of slivers among the given
// triangles of the patch. Such slivers occur where threads have shrunk to blades, and
// where a contact line runs close to the vertices of its wall. It appends the joins of
// this round.
func (s *vertices) joinSlivers(list []int32, round int, joins []join) []join {
	p := &s.scratch.polishing
	cos := math.Cos(minAngle)
	for _, i := range list {
		t := p.patch.Tri[i]
		if t[0] < 0 {
			continue
		}
		a, b, c := p.patch.Pos[t[0]], p.patch.Pos[t[1]], p.patch.Pos[t[2]]
		if !sharp(a, b, c, cos) && !sharp(b, c, a, cos) && !sharp(c, a, b, cos) {
			continue
		}
		sides := [3]float64{b.Sub(a).Len(), c.Sub(b).Len(), a.Sub(c).Len()}
		least := 0
		for k, l := range sides {
			if l < sides[least] {
				least = k
			}
		}
		if sides[least] < short*max(sides[0], sides[1], sides[2]) {
			if j, ok := s.joinAlong(3*i + int32(least)); ok {
				j.order = round*len(p.patch.Tri) + int(i)
				joins = append(joins, j)
			}
		}
	}
	return joins
}

// join is a vertex and two triangles of the patch that went when two vertices became one.
type join struct {
	order  int // of the joins of a patch: by round and triangle
	vertex int32
	tri    [2]int32
}

// joinAlong makes one of the ends of side h of the patch, if they may become one
// and the triangles around are better for it, and reports whether it did.
func (s *vertices) joinAlong(h int32) (j join, ok bool) {
	p := &s.scratch.polishing
	c := &p.corners
	o := c.twin[h]
	if o < 0 {
		return j, false
	}
	across := p.onWall[h/3] == p.onWall[o/3]
	swap, _, ok := s.mayJoin(p.vertex[c.vertex(h)], p.vertex[c.vertex(next(h))], across)
	if swap {
		h, o = o, h
	}
	a, b := c.vertex(h), c.vertex(next(h))
	if !ok || max(a, b, c.vertex(last(h)), c.vertex(last(o))) >= p.inner || !p.moves[b] {
		return j, false
	}
	before := [2]float64{}
	from := p.patch.Pos[a]
	to := from
	if u, v := p.vertex[a], p.vertex[b]; s.kind[u] == s.kind[v] && (s.kind[u] == free || s.constraints[u].n == s.constraints[v].n) && p.moves[a] {
		to = from.Lerp(p.patch.Pos[b], 0.5)
	}
	before[0], _ = p.ringAt(a, -1, from, from)
	before[1], _ = p.ringAt(b, -1, p.patch.Pos[b], p.patch.Pos[b])
	worstA, sameA := p.ringAt(a, b, from, to)
	worstB, sameB := p.ringAt(b, a, p.patch.Pos[b], to)
	if !sameA || !sameB || !(max(worstA, worstB) < max(before[0], before[1])) || !c.collapsible(h) {
		return j, false
	}
	p.patch.Pos[a] = to
	c.collapse(h)
	return join{vertex: b, tri: [2]int32{h / 3, o / 3}}, true
}

// fillUp moves the last vertices and triangles into the places of removed ones.
func (s *vertices) fillUp() {
	p := &s.scratch.polishing
	if len(p.gone) == 0 {
		return
	}
	n := int32(len(s.Pos) - len(p.gone))
	number := p.local[n:] // new numbers of the last vertices, −1 for removed ones
	for i := range number {
		number[i] = 0
	}
	for _, v := range p.gone {
		if v >= n {
			number[v-n] = -1
		}
	}
	last := int32(len(s.Pos))
	for _, v := range p.gone {
		if v >= n {
			continue
		}
		for last--; number[last-n] < 0; {
			last--
		}
		number[last-n] = v
		s.Pos[v], s.Nrm[v], s.part[v], s.kind[v] = s.Pos[last], s.Nrm[last], s.part[last], s.kind[last]
		s.weight[v], s.down[v] = s.weight[last], s.down[last]
		if len(s.constraints) > 0 {
			s.constraints[v] = s.constraints[last]
		}
	}
	s.Pos, s.Nrm, s.part, s.kind, s.weight, s.down = s.Pos[:n], s.Nrm[:n], s.part[:n], s.kind[:n], s.weight[:n], s.down[:n]
	if len(s.constraints) > 0 {
		s.constraints = s.constraints[:n]
	}
	tris := len(s.Tri)
	for _, i := range p.goneTri {
		s.Tri[i][0] = -1
	}
	left := tris - len(p.goneTri)
	for _, i := range p.goneTri {
		if int(i) >= left {
			continue
		}
		for tris--; s.Tri[tris][0] < 0; {
			tris--
		}
		s.Tri[i] = s.Tri[tris]
	}
	s.Tri = s.Tri[:left]
	par.For(len(s.Tri), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for k, v := range s.Tri[i] {
				if v >= n {
					s.Tri[i][k] = number[v-n]
				}
			}
		}
	})
}
