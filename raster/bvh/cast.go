package bvh

import (
	"math"

	"breakwater/sim/vec"
)

// stack is room for the children that a ray has yet to visit: seven of the
// nodes on a way down, and the eighth of the last.
const stack = (fanout-1)*(deep+halvings) + 1

// castGo takes the children of a node from the nearest on. What is to be
// visited is kept as one number: above, the bits of where its box begins,
// below, the child.
//
// Distances to boxes are compared by the bits of their floats. As integers, positive
// floats keep their order, and negative ones are negative.
func castGo(b *Tree, q *query) {
	best := bits(float32(q.t))
	var todo [stack]uint64
	todo[0] = uint64(uint32(q.root))
	for n := 1; n > 0; {
		n--
		if int32(todo[n]>>32) > best {
			continue
		}
		at := int32(todo[n])
		if at < 0 {
			q.meet(&b.leaves[^at], b.wayOf(^at))
			best = bits(float32(q.t))
			continue
		}
		nd := &b.nodes[at]
		first := n
		for i := range fanout {
			t, ok := q.enters(nd, i, best)
			if !ok {
				continue
			}
			key := uint64(t)<<32 | uint64(uint32(nd.child[i]))
			k := n
			for ; k > first && todo[k-1] < key; k-- {
				todo[k] = todo[k-1]
			}
			todo[k] = key
			n++
		}
	}
}

// castManyGo casts the rays one after another. The assembly traces several at once, with
// the same results.
func castManyGo(b *Tree, q []query) {
	for i := range q {
		castGo(b, &q[i])
	}
}

// enters returns where the ray enters child i, if it does before best (Kay and
// Kajiya 1986).
func (q *query) enters(nd *node, i int, best int32) (t0 int32, ok bool) {
	t1 := best
	for k := range 3 {
		lo, hi := nd.box[k][i], nd.box[k+3][i]
		if q.inv[k] < 0 {
			lo, hi = hi, lo
		}
		t0 = max(t0, bits((lo-q.o32[k])*q.inv[k]))
		t1 = min(t1, bits((hi-q.o32[k])*q.inv[k]))
	}
	return t0, t0 <= t1+4 // steps of a float: rounding of the products (Ize 2013)
}

// wayOf returns the motion of a leaf's corners, nil if nothing moves.
func (b *Tree) wayOf(leaf int32) *cornerMotion {
	if len(b.cornerMotions) == 0 {
		return nil
	}
	return &b.cornerMotions[leaf]
}

// meet takes over the nearest triangle of l that the ray meets before q.t, the
// first of several that are equally near.
func (q *query) meet(l *leaf, w *cornerMotion) {
	at := func(i, corner int) vec.Vec3 {
		var x [3]float64
		for k := range x {
			x[k] = float64(l.corner[3*corner+k][i])
			if w != nil {
				x[k] += float64(q.when * float64(w[3*corner+k][i]))
			}
		}
		return vec.Vec3{X: x[0], Y: x[1], Z: x[2]}
	}
	o, d := vec.Vec3{X: q.o[0], Y: q.o[1], Z: q.o[2]}, vec.Vec3{X: q.d[0], Y: q.d[1], Z: q.d[2]}
	for i, id := range l.id {
		t, u, v := Meet(o, d, at(i, 0), at(i, 1), at(i, 2))
		if t > 0 && t < q.t && u >= -weightSlack && v >= -weightSlack && u+v <= 1+weightSlack {
			q.t, q.u, q.v, q.tri = t, u, v, id
		}
	}
}

func bits(x float32) int32 { return int32(math.Float32bits(x)) }
