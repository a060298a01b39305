package bvh

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// box holds a triangle, or many, while the tree is built. Its upper corner is
// negated, so that the least of every number of two boxes is the box of both.
type box struct {
	lower [3]float32
	id    int32 // of the triangle
	upper [3]float32
	bin   int32 // that its middle lies in
}

const (
	bins     = 16 // of the surface area heuristic; more gain little (Wald 2007)
	deep     = 35 // levels after which a range is halved whatever it costs
	halvings = 29 // that bring any range of an int32 down to a leaf
)

var empty = func() (b box) {
	inf := float32(math.Inf(1))
	b.lower, b.upper = [3]float32{inf, inf, inf}, [3]float32{inf, inf, inf}
	return b
}()

func (b *box) include(c *box) {
	for k := range 3 {
		b.lower[k], b.upper[k] = less(c.lower[k], b.lower[k]), less(c.upper[k], b.upper[k])
	}
}

// less returns the lesser of two numbers, neither of which is NaN, and b if
// they are equal, as the processor does.
func less(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

// area returns half the surface of b, which is not empty.
func (b *box) area() float32 {
	x, y, z := -b.lower[0]-b.upper[0], -b.lower[1]-b.upper[1], -b.lower[2]-b.upper[2]
	return float32(x*y) + float32(y*z) + float32(z*x)
}

// New returns the tree over the triangles tri of the points pos.
func New(pos []vec.Vec3, tri [][3]int32) *Tree {
	t := &Tree{}
	if len(tri) == 0 {
		return t
	}
	all := vec.Empty()
	for _, p := range pos {
		all = all.Include(p)
	}
	t.origin = all.Center()
	size := all.Size()
	t.slack = float32(1e-6 * max(size.X, size.Y, size.Z))
	slack := t.slack
	prims := make([]box, len(tri))
	par.For(len(tri), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b := empty
			b.id = int32(i)
			for _, j := range tri[i] {
				for k, x := range t.local(pos[j]) {
					b.lower[k], b.upper[k] = min(b.lower[k], x-slack), min(b.upper[k], -x-slack)
				}
			}
			prims[i] = b
		}
	})
	whole := span{hi: len(prims), box: empty}
	for i := range prims {
		whole.box.include(&prims[i])
	}

	// First the upper levels, then what hangs below them in parallel.
	top := builder{prims: prims, grain: max(2048, len(prims)/64)} // fixed by the input, as the tree must be
	t.root = top.child(whole, 0, 0)
	parts := make([]builder, len(top.tasks))
	roots := make([]int32, len(top.tasks))
	par.Each(len(parts), func(i int) {
		s := top.tasks[i].span
		parts[i] = builder{prims: prims, nodes: make([]node, 0, s.len()/8), leaves: make([][2]int32, 0, s.len()/2)}
		roots[i] = parts[i].child(s, 0, 0)
	})
	type start struct{ node, leaf int }
	at := start{len(top.nodes), len(top.leaves)}
	starts := make([]start, len(parts))
	for i := range parts {
		starts[i] = at
		at.node += len(parts[i].nodes)
		at.leaf += len(parts[i].leaves)
	}
	t.nodes, t.leaves = make([]node, at.node), make([]leaf, at.leaf)
	copy(t.nodes, top.nodes)
	for i, l := range top.leaves {
		t.leaves[i] = t.leaf(pos, tri, prims[l[0]:l[1]])
	}
	par.Each(len(parts), func(i int) {
		s := starts[i]
		move := func(child int32) int32 {
			if child < 0 {
				return child - int32(s.leaf)
			}
			return child + int32(s.node)
		}
		for k, l := range parts[i].leaves {
			t.leaves[s.leaf+k] = t.leaf(pos, tri, prims[l[0]:l[1]])
		}
		copy(t.nodes[s.node:], parts[i].nodes)
		for k := range parts[i].nodes {
			n := &t.nodes[s.node+k]
			for c := range n.child {
				n.child[c] = move(n.child[c])
			}
		}
		if task := top.tasks[i]; len(top.nodes) == 0 {
			t.root = move(roots[i])
		} else {
			t.nodes[task.node].child[task.slot] = move(roots[i])
		}
	})
	return t
}

func (t *Tree) local(p vec.Vec3) [3]float32 {
	p = p.Sub(t.origin)
	return [3]float32{float32(p.X), float32(p.Y), float32(p.Z)}
}

// span is a range of prims that hang below one child.
type span struct {
	lo, hi, depth int
	box           box
}

func (s *span) len() int { return s.hi - s.lo }

// builder makes the nodes and leaves of a part of the tree, depth first.
type builder struct {
	prims  []box // reordered
	nodes  []node
	leaves [][2]int32 // ranges of prims
	grain  int        // spans of this length and less are left to others, as tasks
	tasks  []task
}

// task is a span whose part of the tree becomes a child of a node.
type task struct {
	span
	node, slot int
}

// child returns what becomes of s as a child of a node.
func (b *builder) child(s span, parent, slot int) int32 {
	if s.len() <= leafSize {
		b.leaves = append(b.leaves, [2]int32{int32(s.lo), int32(s.hi)})
		return ^int32(len(b.leaves) - 1)
	}
	if s.len() <= b.grain {
		b.tasks = append(b.tasks, task{s, parent, slot})
		return 0
	}
	at := len(b.nodes)
	b.nodes = append(b.nodes, node{})
	// Of the parts so far, that with the largest surface is split: what most
	// rays meet.
	parts, n := [fanout]span{s}, 1
	for n < fanout {
		largest, area := -1, float32(-1)
		for i := range parts[:n] {
			if p := &parts[i]; p.len() > leafSize {
				if a := p.box.area(); a > area {
					largest, area = i, a
				}
			}
		}
		if largest < 0 {
			break
		}
		parts[largest], parts[n] = split(b.prims, parts[largest])
		n++
	}
	for i := range fanout {
		s := span{box: empty}
		child := int32(0)
		if i < n {
			s = parts[i]
			child = b.child(s, at, i)
		}
		nd := &b.nodes[at]
		nd.child[i] = child
		for k := range 3 {
			nd.box[k][i], nd.box[k+3][i] = s.box.lower[k], -s.box.upper[k]
		}
	}
	return int32(at)
}

// leaf returns the leaf of up to four triangles.
func (t *Tree) leaf(pos []vec.Vec3, tri [][3]int32, prims []box) leaf {
	nan := float32(math.NaN())
	var l leaf
	for i := range leafSize {
		if i >= len(prims) {
			l.id[i] = -1
			for k := range l.corner {
				l.corner[k][i] = nan
			}
			continue
		}
		l.id[i] = prims[i].id
		for k, j := range tri[l.id[i]] {
			p := t.local(pos[j])
			l.corner[3*k][i], l.corner[3*k+1][i], l.corner[3*k+2][i] = p[0], p[1], p[2]
		}
	}
	return l
}

// split divides s where the surface area heuristic is lowest, or in the middle if the
// heuristic is the same everywhere.
func split(prims []box, s span) (left, right span) {
	p := prims[s.lo:s.hi]
	left, right = span{lo: s.lo, depth: s.depth + 1}, span{hi: s.hi, depth: s.depth + 1}
	mid := 0
	if s.depth < deep {
		mid, left.box, right.box = cheapest(p)
	}
	if mid == 0 {
		mid = len(p) / 2
		left.box, right.box = empty, empty
		for i := range p {
			if i < mid {
				left.box.include(&p[i])
			} else {
				right.box.include(&p[i])
			}
		}
	}
	left.hi, right.lo = s.lo+mid, s.lo+mid
	return left, right
}

// cheapest partitions p by the cheapest plane between bins along the longest side of the
// box of all centres (Wald 2007). It returns how many lie before the plane, 0 without a
// plane, and the boxes of both parts.
func cheapest(p []box) (mid int, left, right box) {
	lower, upper := middles(p)
	axis, length := 0, float32(0)
	for k := range 3 {
		if l := upper[k] - lower[k]; l > length {
			axis, length = k, l
		}
	}
	if length == 0 {
		return 0, left, right
	}
	var sets [2][bins]box
	var count [bins]int32
	for i := range bins {
		sets[0][i], sets[1][i] = empty, empty
	}
	fill(p, axis, lower[axis], bins/length, &sets, &count)
	var before, after [bins]box
	sweep(&sets, &before, &after)
	best, cost := 0, float32(math.Inf(1))
	n, all := int32(0), int32(len(p))
	for k := 1; k < bins; k++ {
		n += count[k-1]
		if count[k-1] == 0 || n == all {
			continue
		}
		if c := float32(before[k].area()*tests(n)) + float32(after[k].area()*tests(all-n)); c < cost {
			best, cost, mid = k, c, int(n)
		}
	}
	if best > 0 {
		divide(p, int32(best))
	}
	return mid, before[best], after[best]
}

// tests returns about how many tests of leaves n triangles need.
func tests(n int32) float32 { return float32((n + leafSize - 1) / leafSize) }

// middlesGo returns the box of the middles of p, in twice its coordinates.
func middlesGo(p []box) (lower, upper [4]float32) {
	lower, upper = nowhere()
	for i := range p {
		for k := range 3 {
			c := p[i].lower[k] - p[i].upper[k]
			lower[k], upper[k] = less(c, lower[k]), -less(-c, -upper[k])
		}
	}
	return lower, upper
}

// nowhere returns the corners of a box with nothing in it.
func nowhere() (lower, upper [4]float32) {
	inf := float32(math.Inf(1))
	return [4]float32{inf, inf, inf}, [4]float32{-inf, -inf, -inf}
}

// fillGo puts every box of p into the bin of its middle along axis, and counts
// them. The bins begin at lower and there are scale in a unit, in twice the
// middles' coordinates. Boxes go into two sets of bins in turn.
func fillGo(p []box, axis int, lower, scale float32, in *[2][bins]box, count *[bins]int32) {
	for i := range p {
		b := &p[i]
		b.bin = min(bins-1, max(0, int32((b.lower[axis]-b.upper[axis]-lower)*scale)))
		in[i%2][b.bin].include(b)
		count[b.bin]++
	}
}

// sweepGo adds up the two sets: before[k] gets the bins below k, after[k] the
// bins k and up.
func sweepGo(in *[2][bins]box, before, after *[bins]box) {
	for k := range bins {
		in[0][k].include(&in[1][k])
	}
	before[1], after[bins-1] = in[0][0], in[0][bins-1]
	for k := 2; k < bins; k++ {
		before[k] = before[k-1]
		before[k].include(&in[0][k-1])
	}
	for k := bins - 2; k > 0; k-- {
		after[k] = after[k+1]
		after[k].include(&in[0][k])
	}
}

// divideGo brings the boxes of p in bins before the given one to the front.
func divideGo(p []box, bin int32) {
	mid := 0
	for i := range p {
		p[i], p[mid] = p[mid], p[i]
		if p[mid].bin < bin {
			mid++
		}
	}
}
