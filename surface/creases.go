package surface

import (
	"cmp"
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// oneWall is the cosine of the angle between two walls below which they count as two, and
// meet in a crease: 14°.
const oneWall = 0.97

// planes are the walls that a vertex lies on, up to three.
type planes struct {
	n      int
	normal [3]vec.Vec3
}

// add puts the vertex also on a wall with normal n.
func (p *planes) add(n vec.Vec3) {
	p.normal[p.n] = n
	p.n++
}

// has reports whether the vertex lies on a wall with normal n.
func (p *planes) has(n vec.Vec3) bool {
	for _, m := range p.normal[:p.n] {
		if m.Dot(n) > oneWall {
			return true
		}
	}
	return false
}

// common returns the walls of p that a second vertex also lies on.
func (p *planes) common(o *planes) (both planes) {
	for _, n := range p.normal[:p.n] {
		if o.has(n) {
			both.add(n)
		}
	}
	return both
}

// planesAt returns the walls that vertex v lies on. It looks for them a little inside the
// liquid and towards each neighbour, where a point is nearest to a wall and not to a crease.
func (s *vertices) planesAt(v int32, f *field) (all planes) {
	p := s.Pos[v]
	const along, inside, on = 0.3, 0.05, 0.02 // the last in cells
	look := func(side vec.Vec3, h *constraint) {
		probe := p.Add(side.Mul(along)).Add(h.dirs[0].Mul(inside * side.Len()))
		d, n := f.dist(probe)
		if gap := d + p.Sub(probe).Dot(n); math.Abs(gap) < on*s.grid.cell && all.n < 3 && !all.has(n) {
			all.add(n)
		}
	}
	for _, u := range s.rings.Of(v) {
		if s.kind[u] != free {
			look(s.Pos[u].Sub(p), &s.constraints[u])
		}
	}
	if all.n == 0 {
		all.add(s.constraints[v].dirs[0])
	}
	return all
}

// creasing is the memory of meetCreases.
type creasing struct {
	planes []planes // of the vertices that are near a crease
	number []int32  // of each vertex among them, or −1
	vertex []int32
}

// crossing is a triangle v, u, w whose corners lie on no common wall, so it cuts off a
// crease or a corner. The vertex v has a way of the given length, in m, onto a wall of
// the others.
type crossing struct {
	v, u, w int32
	length  float64
}

// meetCreases moves vertices onto the creases where walls meet, so that no triangle leads
// from one wall to another through the liquid. Marching cubes cuts creases off that do not
// run along the grid: see Kobbelt et al., Feature sensitive surface extraction from volume
// data, SIGGRAPH 2001, who insert vertices there and flip sides. Here the vertex nearest to
// the crease moves onto it.
func (s *vertices) meetCreases(f *field) {
	if len(f.all) == 0 {
		return
	}
	s.findCreases(f)
	c := &s.scratch.creasing
	var all []crossing
	for _, v := range c.vertex {
		for k := s.rings.Start[v]; k < s.rings.Start[v+1]; k++ {
			e := crossing{v: v, u: s.rings.Next[k], w: s.rings.Prev[k]}
			if s.cuts(&e) {
				if to, ok := s.toCrease(&e); ok {
					e.length = to.length
					all = append(all, e)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.v, b.v), cmp.Compare(a.u, b.u))
	})
	for _, e := range all {
		if !s.cuts(&e) {
			continue
		}
		to, ok := s.toCrease(&e)
		p, h, on := s.Pos[e.v], s.constraints[e.v], c.planes[c.number[e.v]]
		if !ok || !h.meet(&p, to.foot, to.normal, alongWalls*s.grid.cell) {
			continue
		}
		if on.add(to.normal); s.fitsCrease(e.v, p, &on) {
			s.Pos[e.v], s.constraints[e.v], c.planes[c.number[e.v]] = p, h, on
		}
	}
	if s.flipCrossings() {
		s.rings.Build(s.Mesh, 0, 0)
	}
}

// flipCrossings flips the sides that lead from one wall to another between two vertices in
// the crease, which then are connected. It reports whether there were any.
func (s *vertices) flipCrossings() (flipped bool) {
	c := &s.scratch.creasing
	cutting := s.trianglesWhere(func(t [3]int32) bool {
		return c.number[t[0]] >= 0 && s.cuts(&crossing{v: t[0], u: t[1], w: t[2]})
	})
	first := map[[2]int32]int32{} // the first triangle at each side
	made := map[[2]int32]bool{}   // sides
	lost := map[int32]bool{}      // vertices that lost a side
	for _, i := range cutting {
		for k := range int32(3) {
			v, x, a := s.Tri[i][k], s.Tri[i][(k+1)%3], s.Tri[i][(k+2)%3]
			side := [2]int32{min(v, x), max(v, x)}
			j, ok := first[side]
			if !ok {
				first[side] = i
				continue
			}
			at := slices.Index(s.Tri[j][:], x)
			if at < 0 || s.Tri[j][(at+1)%3] != v { // it has changed
				continue
			}
			b := s.Tri[j][(at+2)%3]
			crease := [2]int32{min(a, b), max(a, b)}
			if made[crease] || lost[v] || lost[x] || !s.flips(v, x, a, b) {
				continue
			}
			s.Tri[i], s.Tri[j] = [3]int32{v, b, a}, [3]int32{x, a, b}
			made[crease], lost[v], lost[x] = true, true, true
			flipped = true
			break
		}
	}
	return flipped
}

// flips reports whether the side between v and x may give way to one between a and b,
// since a and b lie in the crease between the walls of v and of x.
func (s *vertices) flips(v, x, a, b int32) bool {
	c := &s.scratch.creasing
	both := c.planes[c.number[a]].common(&c.planes[c.number[b]])
	on, beyond := both.common(&c.planes[c.number[v]]), both.common(&c.planes[c.number[x]])
	if on.n == 0 || beyond.n == 0 || on.has(beyond.normal[0]) {
		return false
	}
	if min(len(s.rings.Of(v)), len(s.rings.Of(x))) < 4 || slices.Contains(s.rings.Of(a), b) {
		return false
	}
	along := s.Pos[b].Sub(s.Pos[a])
	return along.Cross(s.Pos[v].Sub(s.Pos[a])).Dot(on.normal[0]) > 0 && along.Cross(s.Pos[x].Sub(s.Pos[a])).Dot(beyond.normal[0]) < 0
}

// findCreases lists the vertices on walls whose neighbours lie on other walls, and the
// walls that they lie on.
func (s *vertices) findCreases(f *field) {
	c := &s.scratch.creasing
	c.number = resize(c.number, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			c.number[v] = -1
			if s.kind[v] == free {
				continue
			}
			n := s.constraints[v].dirs[0]
			for _, u := range s.rings.Of(int32(v)) {
				if s.kind[u] != free && s.constraints[u].dirs[0].Dot(n) < oneWall {
					c.number[v] = 0
					break
				}
			}
		}
	})
	c.vertex = c.vertex[:0]
	for v, k := range c.number {
		if k == 0 {
			c.number[v] = int32(len(c.vertex))
			c.vertex = append(c.vertex, int32(v))
		}
	}
	c.planes = resize(c.planes, len(c.vertex))
	par.For(len(c.vertex), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c.planes[i] = s.planesAt(c.vertex[i], f)
		}
	})
}

// cuts reports whether e is a triangle along walls, but on no common one of its corners.
func (s *vertices) cuts(e *crossing) bool {
	c := &s.scratch.creasing
	if c.number[e.u] < 0 || c.number[e.w] < 0 || !s.onWall([3]int32{e.v, e.u, e.w}) {
		return false
	}
	both := c.planes[c.number[e.v]].common(&c.planes[c.number[e.u]])
	return both.common(&c.planes[c.number[e.w]]).n == 0
}

// step is a vertex's way along its walls onto another wall, a plane.
type step struct {
	foot, normal vec.Vec3 // of the plane
	length       float64  // m
}

// toCrease returns the shortest way of v onto a wall of the other corners of e, if it is
// shorter than alongWalls. A wall that the two others share comes first.
func (s *vertices) toCrease(e *crossing) (to step, ok bool) {
	c := &s.scratch.creasing
	v, u, w := &c.planes[c.number[e.v]], &c.planes[c.number[e.u]], &c.planes[c.number[e.w]]
	if v.n == 3 {
		return to, false
	}
	at := s.Pos[e.v]
	near := 1e-3 * s.grid.cell
	for _, n := range v.normal[:v.n] {
		if s.Pos[e.u].Sub(at).Dot(n) < -near || s.Pos[e.w].Sub(at).Dot(n) < -near {
			return to, false // the edge of an obstacle
		}
	}
	to.length = alongWalls * s.grid.cell
	try := func(foot vec.Vec3, walls *planes) {
		for _, n := range walls.normal[:walls.n] {
			gap, along := at.Sub(foot).Dot(n), s.constraints[e.v].slide(n).Len()
			if gap > near && along > parallel && gap/along < to.length {
				to, ok = step{foot, n, gap / along}, true
			}
		}
	}
	if both := u.common(w); both.n > 0 {
		try(s.Pos[e.u], &both)
	} else {
		try(s.Pos[e.u], u)
		try(s.Pos[e.w], w)
	}
	return to, ok
}

// fitsCrease reports whether v may move to p on the walls on: it comes to no neighbour, and
// no triangle comes to lie in a crease as a whole.
func (s *vertices) fitsCrease(v int32, p vec.Vec3, on *planes) bool {
	const apart = 0.02 // cells
	c := &s.scratch.creasing
	for k := s.rings.Start[v]; k < s.rings.Start[v+1]; k++ {
		u, w := s.rings.Next[k], s.rings.Prev[k]
		if s.Pos[u].Sub(p).Len() < apart*s.grid.cell {
			return false
		}
		if c.number[u] >= 0 && c.number[w] >= 0 {
			both := on.common(&c.planes[c.number[u]])
			if both.common(&c.planes[c.number[w]]).n > 1 {
				return false
			}
		}
	}
	return true
}
