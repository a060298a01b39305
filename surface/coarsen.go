package surface

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Criteria for an edge's new vertex besides the least error, as shares of the area that
// it stands for.
const (
	// centering draws it to the middle of the vertices that it replaces, along which flat
	// planes leave it free.
	centering = 1e-3
	// wallWeight keeps it on its walls.
	wallWeight = 1e6
	// shortest is the weight of an edge's length in its error, squared: where the liquid
	// is flat, short edges go first.
	shortest = 1e-4
)

// longestSide is how long sides become by tolerance, in spacings. Velocities and
// attributes, which vary over the two spacings of the kernel, are known at the
// vertices only.
const longestSide = 8

// A triangle's shape is 1 if its sides are equal, and 0 if it has no area:
// 4√3 times the area over the sum of the squares of the sides. One below leastShape
// comes to be only in place of a poorer one.
const leastShape = 0.6

// mostSides is the most sides that meet at a new vertex.
const mostSides = 10

// coarsening is the memory of coarsen.
type coarsening struct {
	quadrics []quadric // of the vertices
	cost     []float32 // of each side, at the lower of its corners: +Inf for one that stays
	fresh    []bool    // the vertices whose sides have no cost yet
	merged   []int32   // the new ones among them
	keys     []uint64  // of sides, by cost
	number   []int32   // of a vertex in the coarse mesh
	live     int       // triangles

	tolerance float64 // largest mean distance of a new vertex from the vertices that it replaces, m
	longest   float64 // most length of a new side, m
}

// coarsen enlarges triangles by collapsing edges, while the vertices stay closer than
// tolerance, in m, to the original surface. If most is not 0, it then collapses edges
// until at most that many triangles remain.
//
// Sides are collapsed into vertices, those that change the surface least first (Garland
// and Heckbert 1997). A new vertex is placed so that the volume stays the same (Lindstrom
// and Turk, Fast and memory efficient polygonal simplification, IEEE Visualization 1998).
// A vertex on a wall stays on it. No triangle turns over or becomes a sliver, and the
// mesh stays closed and manifold.
func (s *vertices) coarsen(f *field, tolerance float64, most int) {
	c := &s.scratch.coarsening
	s.walk()
	c.live = len(s.Tri)
	s.findQuadrics()
	if tolerance > 0 {
		c.tolerance, c.longest = tolerance, longestSide*f.spacing
		s.collapse(f, 0)
		s.collapse(f, 0) // edges that could not be collapsed may be, with new neighbours
	}
	if most > 0 && c.live > most {
		c.tolerance, c.longest = math.Inf(1), math.Inf(1)
		s.collapse(f, most)
	}
	s.compact()
}

// findQuadrics gives each vertex the planes of the triangles around it.
func (s *vertices) findQuadrics() {
	c, t := &s.scratch.coarsening, &s.scratch.snapping.corners
	c.quadrics = resize(c.quadrics, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			q := quadric{}
			p := s.Pos[v]
			for _, h := range t.list[t.start[v]:t.start[v+1]] {
				n := s.Pos[t.vertex(next(h))].Sub(p).Cross(s.Pos[t.vertex(last(h))].Sub(p))
				if l := n.Len(); l > 0 {
					q.plane(n.Mul(1/l), l/6)
				}
			}
			c.quadrics[v] = q
		}
	})
}

// collapse collapses sides within the tolerance until none is left or only
// least triangles are.
func (s *vertices) collapse(f *field, least int) {
	c, t := &s.scratch.coarsening, &s.scratch.snapping.corners
	c.cost = resize(c.cost, len(t.twin))
	c.fresh = resize(c.fresh, len(s.Pos))
	clear(c.fresh)
	par.For(len(t.twin), func(lo, hi int) {
		for h := int32(lo); h < int32(hi); h++ {
			c.cost[h] = float32(math.Inf(1))
			if h < t.twin[h] && s.Tri[h/3][0] >= 0 {
				c.cost[h] = s.collapseCost(h)
			}
		}
	})
	for c.live > least {
		// Errors grow as vertices become fewer: so only the better sides are
		// looked at, before all are weighed again.
		s.gather()
		if len(c.keys) == 0 {
			return
		}
		c.merged = c.merged[:0]
		for _, key := range c.keys {
			if c.live <= least {
				break
			}
			h := int32(uint32(key))
			if s.Tri[h/3][0] < 0 || h > t.twin[h] {
				continue
			}
			a, b := t.vertex(h), t.vertex(next(h))
			if c.fresh[a] || c.fresh[b] {
				continue
			}
			if !s.join(h, f) {
				c.cost[h] = float32(math.Inf(1))
			}
		}
		par.For(len(c.merged), func(lo, hi int) {
			for _, a := range c.merged[lo:hi] {
				for h := t.at[a]; ; {
					if u := t.vertex(next(h)); !c.fresh[u] || a < u {
						o := t.twin[h]
						c.cost[max(h, o)] = float32(math.Inf(1))
						c.cost[min(h, o)] = s.collapseCost(min(h, o))
					}
					if h = t.around(h); h == t.at[a] {
						break
					}
				}
			}
		})
		for _, a := range c.merged {
			c.fresh[a] = false
		}
	}
}

// gather sets keys to the quarter of the sides that cost least, in their order.
func (s *vertices) gather() {
	c := &s.scratch.coarsening
	var counts [1 << 15]int32 // by the first bits of the cost
	n := 0
	infinite := math.Float32bits(float32(math.Inf(1))) >> 16
	for h, x := range c.cost {
		if k := math.Float32bits(x) >> 16; k < infinite && s.Tri[h/3][0] >= 0 {
			counts[k]++
			n++
		}
	}
	want, limit := int32(max(n/4, min(n, 2000))), uint32(0)
	for ; want > 0; limit++ {
		want -= counts[limit]
	}
	c.keys = c.keys[:0]
	for h, x := range c.cost {
		if k := math.Float32bits(x); k>>16 < limit && s.Tri[h/3][0] >= 0 {
			c.keys = append(c.keys, uint64(k)<<32|uint64(h))
		}
	}
	slices.Sort(c.keys)
}

// joined returns the corner h or its twin, whichever starts at the vertex that the two
// ends of the side may become. It also returns whether they lie on one curved wall, and
// whether they may be merged. They may if both are of the free surface, or if the walls
// of one include the walls of the other.
func (s *vertices) joined(h int32) (from int32, bent, ok bool) {
	if len(s.constraints) == 0 {
		return h, false, true
	}
	t := &s.scratch.snapping.corners
	o := t.twin[h]
	a, b := t.vertex(h), t.vertex(next(h))
	across := s.kind[a] == contact && s.kind[b] == contact && s.onWall(s.Tri[h/3]) == s.onWall(s.Tri[o/3])
	swap, bent, ok := s.mayJoin(a, b, across)
	if swap {
		h = o
	}
	return h, bent, ok
}

// mayJoin reports whether the two ends of a side may become one, whether it is b
// that they become, and whether they lie on one wall that bends. across says that
// the side has the free surface on both hands, or the wall: between two vertices
// of contact lines it runs across the liquid or its wall then.
func (s *vertices) mayJoin(a, b int32, across bool) (swap, bent, ok bool) {
	ka, kb := s.kind[a], s.kind[b]
	switch {
	case ka == free && kb == free:
		return false, false, true
	case ka == free:
		return true, false, kb == contact
	case kb == free:
		return false, false, ka == contact
	case ka == contact && kb == contact && across:
		return false, false, false
	}
	// A contact vertex has the wall's direction first, as one at the wall has.
	if ka == wall && kb == contact || ka == kb && s.constraints[b].n > s.constraints[a].n {
		swap, a, b = true, b, a
	}
	ha, hb := &s.constraints[a], &s.constraints[b]
	if hb.n > ha.n {
		return swap, false, false
	}
	for _, d := range hb.dirs[:hb.n] {
		k := slices.IndexFunc(ha.dirs[:ha.n], func(e vec.Vec3) bool { return d.Dot(e) > 0.9 })
		if k < 0 {
			return swap, false, false
		}
		bent = bent || ha.n == 1 && d != ha.dirs[k]
	}
	return swap, bent, true
}

// both returns the quadric of both ends of side h, relative to its start. It also returns
// the position of the merged vertex with the smallest error, relative to the same point.
// pull is the inverse matrix, for step.
func (s *vertices) both(h int32) (q quadric, x vec.Vec3, pull vec.Sym3, ok bool) {
	c, t := &s.scratch.coarsening, &s.scratch.snapping.corners
	a, b := t.vertex(h), t.vertex(next(h))
	side := s.Pos[b].Sub(s.Pos[a])
	q = c.quadrics[b]
	share := q.area
	q.move(side.Neg())
	q.add(&c.quadrics[a])
	share /= q.area
	m := q
	m.a.XX, m.a.YY, m.a.ZZ = m.a.XX+float64(centering*q.area), m.a.YY+float64(centering*q.area), m.a.ZZ+float64(centering*q.area)
	if len(s.constraints) > 0 && s.kind[a] != free {
		for _, d := range s.constraints[a].dirs[:s.constraints[a].n] {
			m.plane(d, wallWeight*q.area)
		}
	}
	pull, ok = m.inverse()
	x = pull.Times(side.Mul(share * centering * q.area).Sub(q.b))
	return q, x, pull, ok
}

// collapseCost returns the cost to collapse side h, +Inf if it must stay.
func (s *vertices) collapseCost(h int32) float32 {
	c, t := &s.scratch.coarsening, &s.scratch.snapping.corners
	from, _, ok := s.joined(h)
	if !ok {
		return float32(math.Inf(1))
	}
	q, x, _, ok := s.both(from)
	e := q.at(x)
	if !ok || e > c.tolerance*c.tolerance*q.area {
		return float32(math.Inf(1))
	}
	side := s.Pos[t.vertex(next(h))].Sub(s.Pos[t.vertex(h)])
	return float32(e + float64(shortest*q.area*side.Dot(side)))
}

// join collapses side h if that may be, and reports whether it did.
func (s *vertices) join(h int32, f *field) bool {
	c, t := &s.scratch.coarsening, &s.scratch.snapping.corners
	h, bent, ok := s.joined(h)
	if !ok {
		return false
	}
	q, x, pull, _ := s.both(h)
	a, b := t.vertex(h), t.vertex(next(h))
	side := s.Pos[b].Sub(s.Pos[a])

	// The volume stays the same where n·x = n_b·side, n being the sum of the normals of
	// the triangles around either vertex, and n_b the sum around b alone.
	na, sidesA := s.around(a, b)
	nb, sidesB := s.around(b, a)
	if sidesA+sidesB-4 > mostSides {
		return false
	}
	left, right := s.Pos[t.vertex(last(h))].Sub(s.Pos[a]), s.Pos[t.vertex(last(t.twin[h]))].Sub(s.Pos[a])
	n := na.Add(nb).Add(side.Cross(left)).Add(right.Cross(side))
	along := pull.Times(n)
	if d := n.Dot(along); d > 1e-6*n.Dot(n)/q.area {
		x = x.Add(along.Mul((nb.Dot(side) - n.Dot(x)) / d))
	}
	if len(s.constraints) > 0 && s.kind[a] != free {
		x = s.constraints[a].slide(x)
	}
	to := s.Pos[a].Add(x)
	var normal vec.Vec3
	if bent {
		to, normal = f.project(to)
		x = to.Sub(s.Pos[a])
	}
	if len(f.all) > 0 {
		if d, _ := f.dist(to); d < -1e-6*f.spacing {
			return false // it would slide on one wall into another
		}
	}
	if !(q.at(x) <= c.tolerance*c.tolerance*q.area) || !s.fits(a, b, to) || !s.fits(b, a, to) || !t.collapsible(h) {
		return false
	}

	share := 0.0
	if l2 := side.Dot(side); l2 > 0 {
		share = max(0, min(1, x.Dot(side)/l2))
	}
	q.move(x)
	c.quadrics[a] = q
	if len(s.constraints) == 0 || s.kind[a] == free || s.kind[b] == s.kind[a] {
		s.Nrm[a] = s.Nrm[a].Lerp(s.Nrm[b], share).Unit()
		s.weight[a] += float64(share * (s.weight[b] - s.weight[a]))
	}
	if bent {
		s.constraints[a].dirs[0] = normal
	}
	s.Pos[a] = to
	t.collapse(h)
	c.live -= 2
	c.fresh[a] = true
	c.merged = append(c.merged, a)
	return true
}

// around returns the sum of the normals, twice the areas long, of the triangles around v
// that do not contain u, and the number of all triangles around it.
func (s *vertices) around(v, u int32) (n vec.Vec3, sides int) {
	t := &s.scratch.snapping.corners
	p := s.Pos[v]
	for h := t.at[v]; ; {
		sides++
		if b, c := t.vertex(next(h)), t.vertex(last(h)); b != u && c != u {
			n = n.Add(s.Pos[b].Sub(p).Cross(s.Pos[c].Sub(p)))
		}
		if h = t.around(h); h == t.at[v] {
			return n, sides
		}
	}
}

// fits reports whether v may move to the place to, for the triangles around it that do
// not contain u.
func (s *vertices) fits(v, u int32, to vec.Vec3) bool {
	c, t := &s.scratch.coarsening, &s.scratch.snapping.corners
	p, long2 := s.Pos[v], c.longest*c.longest
	for h := t.at[v]; ; {
		b, d := t.vertex(next(h)), t.vertex(last(h))
		if b != u && d != u {
			pb, pd := s.Pos[b], s.Pos[d]
			was, now := pb.Sub(p).Cross(pd.Sub(p)), pb.Sub(to).Cross(pd.Sub(to))
			before, after := was.Len(), now.Len()
			if was.Dot(now) < 0.5*before*after || !(after > 0) {
				return false
			}
			const shape = 2 * 1.7320508075688772
			e := pb.Sub(pd)
			x, y := pb.Sub(to), pd.Sub(to)
			x2, y2 := x.Dot(x), y.Dot(y)
			if x2 > long2 {
				return false
			}
			if square := x2 + y2 + e.Dot(e); shape*after < leastShape*square {
				x, y = pb.Sub(p), pd.Sub(p)
				if after*(x.Dot(x)+y.Dot(y)+e.Dot(e)) < before*square {
					return false
				}
			}
		}
		if h = t.around(h); h == t.at[v] {
			return true
		}
	}
}

// compact takes out the vertices and triangles that are gone.
func (s *vertices) compact() {
	c, t := &s.scratch.coarsening, &s.scratch.snapping.corners
	c.number = resize(c.number, len(s.Pos))
	n := int32(0)
	for v, h := range t.at {
		if h < 0 {
			continue
		}
		c.number[v] = n
		s.Pos[n], s.Nrm[n] = s.Pos[v], s.Nrm[v]
		s.part[n], s.kind[n], s.weight[n] = s.part[v], s.kind[v], s.weight[v]
		s.down[n] = s.Nrm[v]
		if len(s.constraints) > 0 {
			s.constraints[n] = s.constraints[v]
		}
		n++
	}
	s.Pos, s.Nrm = s.Pos[:n], s.Nrm[:n]
	s.part, s.kind, s.weight, s.down = s.part[:n], s.kind[:n], s.weight[:n], s.down[:n]
	if len(s.constraints) > 0 {
		s.constraints = s.constraints[:n]
	}
	tris := s.Tri[:0]
	for _, tri := range s.Tri {
		if tri[0] >= 0 {
			tris = append(tris, [3]int32{c.number[tri[0]], c.number[tri[1]], c.number[tri[2]]})
		}
	}
	s.Tri = tris
}
