package multipole

import (
	"math"

	"breakwater/sim/biot"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

const (
	// full is how many particles or points a cell may have before it is split. Near sums
	// and expansions then take about the same time.
	full = 72
	// deepest is the number of times that a cell can be split. It ends the splitting of
	// particles that lie in one place.
	deepest = 24
)

// item is a particle or a point in the order of the tree.
type item struct {
	x      vec.Vec3
	radius float64
	i      int32 // index in the caller's slice
}

// span is a range of items, from lo to hi−1.
type span struct{ lo, hi int32 }

func (s span) len() int { return int(s.hi - s.lo) }

// cell is a cube of the octree.
type cell struct {
	at      [3]int32 // position in its level, in edges
	parent  int32
	child   [8]int32 // 0: none
	sources span
	points  span
	split   bool
	level   int8
	touches int8
	near    [27]int32 // cells of this level that touch it, itself among them
}

// tree is an octree over particles and points.
type tree struct {
	corner   vec.Vec3
	edge     float64 // of the root, m
	cells    []cell
	levels   []int // first cell of each level, and the number of cells
	sources  []item
	points   []item // the sources themselves if shared
	shared   bool
	scratch  []item
	scratch2 []item       // for the points, which are sorted at the same time
	sorted   biot.Sources // the particles in the order of the tree
}

// center returns the centre of a cell and its edge.
func (t *tree) center(c *cell) (vec.Vec3, float64) {
	e := math.Ldexp(t.edge, -int(c.level))
	return t.corner.Add(vec.New(float64(c.at[0])+0.5, float64(c.at[1])+0.5, float64(c.at[2])+0.5).Mul(e)), e
}

// build makes the tree. The edge of a cell is at least spread radii of its parent's
// particles.
func (t *tree) build(points []vec.Vec3, s *biot.Sources, spread float64) {
	t.shared = len(points) == s.Len() && len(points) > 0 && &points[0] == &s.X[0]
	t.sources = items(t.sources, s.X)
	box, radius := vec.Empty(), 0.0
	for i := range t.sources {
		t.sources[i].radius = s.Radius[i]
		box, radius = box.Include(s.X[i]), max(radius, s.Radius[i])
	}
	if !t.shared {
		t.points = items(t.points, points)
		for _, p := range points {
			box = box.Include(p)
		}
	}
	size := box.Size()
	widest := max(size.X, size.Y, size.Z)
	edge := 1.05 * widest
	// The least cells have just the edge that the largest radius allows. That is the best
	// use of expansions where all radii are alike.
	if least := spread * radius; edge > least {
		edge = least * math.Exp2(math.Ceil(math.Log2(edge/least)))
	} else {
		edge = least
	}
	t.edge = edge
	// Particles in a plane or on a line should not lie on the faces of cells, where
	// expansions are least exact. So the box is not in the middle of the root.
	t.corner = box.Center().Sub(vec.New(edge, edge, edge).Mul(0.5)).Sub(vec.New(0.31, 0.43, 0.37).Mul(edge - widest))

	root := cell{sources: span{0, int32(len(t.sources))}, points: span{0, int32(len(points))}, touches: 1}
	t.cells, t.levels = append(t.cells[:0], root), append(t.levels[:0], 0)
	t.scratch = par.Resize(t.scratch, len(t.sources))
	if !t.shared {
		t.scratch2 = par.Resize(t.scratch2, len(t.points))
	}
	for level := 0; ; level++ {
		lo, hi := t.levels[level], len(t.cells)
		t.levels = append(t.levels, hi)
		if lo == hi {
			t.levels = t.levels[:level+1]
			break
		}
		t.split(lo, hi, spread)
	}
	t.gather(s)
}

// items returns an item for each of x.
func items(v []item, x []vec.Vec3) []item {
	v = par.Resize(v, len(x))
	for i, p := range x {
		v[i] = item{x: p, i: int32(i)}
	}
	return v
}

// split splits the cells from lo to hi−1, one level, where they are full.
func (t *tree) split(lo, hi int, spread float64) {
	ends := make([][2][9]int32, hi-lo)
	par.Each(hi-lo, func(k int) {
		c := &t.cells[lo+k]
		if c.level == deepest || max(c.sources.len(), c.points.len()) <= full {
			return
		}
		middle, e := t.center(c)
		for _, it := range t.sources[c.sources.lo:c.sources.hi] {
			if 0.5*e < spread*it.radius {
				return
			}
		}
		c.split = true
		ends[k][0] = sort(t.sources, t.scratch, c.sources, middle)
		if t.shared {
			ends[k][1] = ends[k][0]
		} else {
			ends[k][1] = sort(t.points, t.scratch2, c.points, middle)
		}
	})
	for k := range ends {
		if !t.cells[lo+k].split {
			continue
		}
		for o := range int32(8) {
			c := &t.cells[lo+k]
			s := span{ends[k][0][o], ends[k][0][o+1]}
			p := span{ends[k][1][o], ends[k][1][o+1]}
			if s.len() == 0 && p.len() == 0 {
				continue
			}
			c.child[o] = int32(len(t.cells))
			t.cells = append(t.cells, cell{
				at:     [3]int32{2*c.at[0] + o&1, 2*c.at[1] + o>>1&1, 2*c.at[2] + o>>2},
				parent: int32(lo + k), level: c.level + 1, sources: s, points: p,
			})
		}
	}
	par.For(len(t.cells)-hi, func(a, b int) {
		for i := hi + a; i < hi+b; i++ {
			c := &t.cells[i]
			for _, j := range t.cousins(c) {
				if d := &t.cells[j]; touch(c.at[0]-d.at[0], c.at[1]-d.at[1], c.at[2]-d.at[2]) {
					c.near[c.touches] = j
					c.touches++
				}
			}
		}
	})
}

// cousins returns the children of the cells that touch the parent of c.
func (t *tree) cousins(c *cell) (list []int32) {
	list = make([]int32, 0, 8*27)
	parent := &t.cells[c.parent]
	for _, p := range parent.near[:parent.touches] {
		for _, j := range t.cells[p].child {
			if j != 0 {
				list = append(list, j)
			}
		}
	}
	return list
}

// sort sorts the items of a span by octant, keeping the order within, and returns where
// the octants begin.
func sort(v, scratch []item, s span, middle vec.Vec3) (ends [9]int32) {
	from := scratch[s.lo:s.hi]
	copy(from, v[s.lo:s.hi])
	for i := range from {
		ends[from[i].x.Octant(middle)+1]++
	}
	ends[0] = s.lo
	for o := range 8 {
		ends[o+1] += ends[o]
	}
	next := ends
	for i := range from {
		o := from[i].x.Octant(middle)
		v[next[o]] = from[i]
		next[o]++
	}
	return ends
}

// gather copies the particles into the order of the tree.
func (t *tree) gather(s *biot.Sources) {
	n := s.Len()
	t.sorted = biot.Sources{X: par.Resize(t.sorted.X, n), Alpha: par.Resize(t.sorted.Alpha, n), Radius: par.Resize(t.sorted.Radius, n)}
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			it := &t.sources[i]
			t.sorted.X[i], t.sorted.Alpha[i], t.sorted.Radius[i] = it.x, s.Alpha[it.i], it.radius
		}
	})
}

// targets returns the points in the order of the tree.
func (t *tree) targets() []item {
	if t.shared {
		return t.sources
	}
	return t.points
}
