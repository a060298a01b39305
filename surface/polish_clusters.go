package surface

import (
	"cmp"
	"slices"
	"sync"

	"breakwater/sim/par"
)

// clusters are the connected parts of a patch. What polishing does in one neither reads
// nor changes another, so they are polished in parallel.
type clusters struct {
	of       par.Union // cluster of each vertex
	vertices groups    // of each cluster
	tris     groups
	joins    [][]join
}

// groups are lists of ascending numbers, one for each cluster.
type groups struct{ start, list []int32 }

// build makes n groups of the numbers up to items, by the group of each.
func (g *groups) build(n, items int, of func(i int) int32) {
	g.start, g.list = resize(g.start, n+1), resize(g.list, items)
	clear(g.start)
	for i := range items {
		g.start[of(i)]++
	}
	at := int32(0)
	for k, size := range g.start {
		g.start[k], at = at, at+size
	}
	// Each start moves on to the next while its group is filled.
	for i := range items {
		k := of(i)
		g.list[g.start[k]] = int32(i)
		g.start[k]++
	}
	copy(g.start[1:], g.start[:n])
	g.start[0] = 0
}

// of returns group k.
func (g *groups) of(k int) []int32 { return g.list[g.start[k]:g.start[k+1]] }

// find finds the clusters of the patch, and returns their number.
func (c *clusters) find(p *polishing) int {
	c.of = par.NewUnion(c.of, len(p.patch.Pos))
	par.For(len(p.patch.Tri), func(lo, hi int) {
		for _, t := range p.patch.Tri[lo:hi] {
			c.of.Unite(t[0], t[1])
			c.of.Unite(t[1], t[2])
		}
	})
	n := c.of.Number()
	c.vertices.build(n, len(p.patch.Pos), func(v int) int32 { return c.of[v] })
	c.tris.build(n, len(p.patch.Tri), func(i int) int32 { return c.of[p.patch.Tri[i][0]] })
	return n
}

var fans = sync.Pool{New: func() any { return new(fan) }}

// polishClusters turns the sides and moves and joins the vertices of the patch.
func (s *vertices) polishClusters() {
	p := &s.scratch.polishing
	c := &p.clusters
	n := c.find(p)
	c.joins = resize(c.joins, n)
	par.Each(n, func(k int) {
		around := fans.Get().(*fan)
		defer fans.Put(around)
		c.joins[k] = s.polishCluster(c.tris.of(k), c.vertices.of(k), around, c.joins[k][:0])
	})
	// In the order that the joins would have if the patch were one cluster.
	all := slices.Concat(c.joins...)
	slices.SortFunc(all, func(a, b join) int { return cmp.Compare(a.order, b.order) })
	for _, j := range all {
		p.gone = append(p.gone, p.vertex[j.vertex])
		p.goneTri = append(p.goneTri, p.tri[j.tri[0]], p.tri[j.tri[1]])
	}
}

// polishCluster polishes the cluster with the given triangles and vertices. It appends
// to joins what goes.
func (s *vertices) polishCluster(tris, vertices []int32, around *fan, joins []join) []join {
	p := &s.scratch.polishing
	c := &p.corners
	for round := range 4 {
		for _, i := range tris {
			for h := 3 * i; h < 3*i+3; h++ {
				if h < c.twin[h] && p.patch.Tri[i][0] >= 0 && p.better(h) {
					c.flip(h)
				}
			}
		}
		joins = s.joinSlivers(tris, round, joins)
		for range 4 {
			s.spread(vertices, around)
		}
	}
	return joins
}
