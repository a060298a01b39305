package raster

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// prim is a triangle's box while the hierarchy is built.
type prim struct {
	box box32
	id  int32
}

// newBVH returns the hierarchy over the triangles tri of the points pos.
func newBVH(pos []vec.Vec3, tri [][3]int32) *bvh {
	all := vec.Empty()
	for _, p := range pos {
		all = all.Include(p)
	}
	b := &bvh{nodes: make([]node, max(0, len(tri)-1)), tris: make([]tri32, len(tri))}
	if len(tri) == 0 {
		return b
	}
	b.origin = all.Center()
	size := all.Size()
	slack := float32(1e-6 * max(size.X, size.Y, size.Z)) // rounding of a ray's origin in box tests
	prims := make([]prim, len(tri))
	par.For(len(tri), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := prim{emptyBox32(), int32(i)}
			for _, j := range tri[i] {
				q := b.local(pos[j])
				p.box.include(box32{q, q})
			}
			for k := range 3 {
				p.box[0][k], p.box[1][k] = p.box[0][k]-slack, p.box[1][k]+slack
			}
			prims[i] = p
		}
	})
	b.box = emptyBox32()
	for i := range prims {
		b.box.include(prims[i].box)
	}
	b.build(prims)
	par.For(len(prims), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t := tri[prims[i].id]
			b.tris[i] = tri32{[3][3]float32{b.local(pos[t[0]]), b.local(pos[t[1]]), b.local(pos[t[2]])}, prims[i].id}
		}
	})
	return b
}

func sub32(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func emptyBox32() box32 {
	inf := float32(math.Inf(1))
	return box32{{inf, inf, inf}, {-inf, -inf, -inf}}
}

func (b *box32) include(c box32) {
	for k := range 3 {
		b[0][k], b[1][k] = min(b[0][k], c[0][k]), max(b[1][k], c[1][k])
	}
}

// area returns half the surface of b, and 0 for an empty box.
func (b *box32) area() float32 {
	x, y, z := b[1][0]-b[0][0], b[1][1]-b[0][1], b[1][2]-b[0][2]
	if x < 0 {
		return 0
	}
	return x*y + y*z + z*x
}

// span is a range of prims that a node is to be made of. Its n triangles need
// at most n-1 nodes, which are kept at [node, node+n-1): so every span knows
// its place and spans are built in any order.
type span struct {
	lo, hi, node, depth int
}

func (s span) child() int32 {
	if n := s.hi - s.lo; n <= leafSize {
		return ^int32(s.lo<<leafBits | n)
	}
	return int32(s.node)
}

// build splits prims from the top down: the first levels one after the other,
// then the subtrees in parallel.
func (b *bvh) build(prims []prim) {
	root := span{0, len(prims), 0, 0}
	b.root = root.child()
	grain := max(2048, len(prims)/32) // fixed by the input, as the result must be
	var tasks []span
	for todo := []span{root}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.hi-s.lo <= grain {
			tasks = append(tasks, s)
			continue
		}
		l, r := b.split(prims, s)
		todo = append(todo, r, l)
	}
	par.Each(len(tasks), func(i int) { b.subtree(prims, tasks[i]) })
}

func (b *bvh) subtree(prims []prim, s span) {
	if s.hi-s.lo <= leafSize {
		return
	}
	l, r := b.split(prims, s)
	b.subtree(prims, l)
	b.subtree(prims, r)
}

// split divides s where the surface area heuristic, taken over bins along the
// longest axis of the centres (Wald 2007), is lowest, and writes its node.
func (b *bvh) split(prims []prim, s span) (left, right span) {
	p := prims[s.lo:s.hi]
	centers := emptyBox32()
	for i := range p {
		c := p[i].center()
		centers.include(box32{c, c})
	}
	axis := 0
	ext := sub32(centers[1], centers[0])
	for k := 1; k < 3; k++ {
		if ext[k] > ext[axis] {
			axis = k
		}
	}
	mid, boxes := 0, [2]box32{}
	if ext[axis] > 0 && s.depth < deep {
		mid, boxes = partition(p, axis, centers[0][axis], ext[axis])
	}
	if mid == 0 || mid == len(p) {
		mid = len(p) / 2
		boxes = [2]box32{emptyBox32(), emptyBox32()}
		for i := range p {
			boxes[min(1, i/mid)].include(p[i].box)
		}
	}
	left = span{s.lo, s.lo + mid, s.node + 1, s.depth + 1}
	right = span{s.lo + mid, s.hi, s.node + mid, s.depth + 1}
	b.nodes[s.node] = node{boxes, [2]int32{left.child(), right.child()}}
	return left, right
}

func (p *prim) center() [3]float32 {
	lo, hi := &p.box[0], &p.box[1]
	return [3]float32{(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, (lo[2] + hi[2]) / 2}
}

// partition reorders p about the cheapest of the planes between the bins and
// returns how many lie before it, and the boxes of both parts.
func partition(p []prim, axis int, lo, ext float32) (int, [2]box32) {
	scale := bins / ext
	bin := func(q *prim) int {
		return min(bins-1, max(0, int(((q.box[0][axis]+q.box[1][axis])/2-lo)*scale)))
	}
	var box [bins]box32
	var count [bins]int
	for i := range box {
		box[i] = emptyBox32()
	}
	for i := range p {
		k := bin(&p[i])
		count[k]++
		box[k].include(p[i].box)
	}
	var after [bins]box32 // after[k] holds the bins k and up
	after[bins-1] = box[bins-1]
	for k := bins - 2; k >= 0; k-- {
		after[k] = after[k+1]
		after[k].include(box[k])
	}
	best, cost := 0, float32(math.Inf(1))
	var boxes [2]box32
	before, n := emptyBox32(), 0
	for k := 1; k < bins; k++ {
		before.include(box[k-1])
		n += count[k-1]
		if n == 0 || n == len(p) {
			continue
		}
		if c := before.area()*float32(n) + after[k].area()*float32(len(p)-n); c < cost {
			best, cost, boxes = k, c, [2]box32{before, after[k]}
		}
	}
	i, j := 0, len(p)-1
	for i <= j {
		if bin(&p[i]) < best {
			i++
		} else {
			p[i], p[j] = p[j], p[i]
			j--
		}
	}
	return i, boxes
}
