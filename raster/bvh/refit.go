package bvh

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// refitting is room that Refit needs each time.
type refitting struct {
	local         [][3]float32 // points
	leaves, nodes []box
}

// Refit brings t up to date after its points have moved a little: pos and tri
// are those of New, with other coordinates. The tree keeps its shape, so that
// it is right however far they moved, but slower the further.
func (t *Tree) Refit(pos []vec.Vec3, tri [][3]int32) {
	m := &t.moving
	if m.local == nil {
		m.local, m.leaves, m.nodes = make([][3]float32, len(pos)), make([]box, len(t.leaves)), make([]box, len(t.nodes))
	}
	local, around, nodes := m.local, m.leaves, m.nodes
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			local[i] = t.local(pos[i])
		}
	})
	par.For(len(t.leaves), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			around[i] = t.refitLeaf(&t.leaves[i], local, tri)
		}
	})
	// A node comes before its children.
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		whole := empty
		for c, child := range n.child {
			if math.IsInf(float64(n.box[0][c]), 1) { // not there
				continue
			}
			b := &around[max(0, ^child)]
			if child >= 0 {
				b = &nodes[child]
			}
			for k := range 3 {
				n.box[k][c], n.box[k+3][c] = b.lower[k], -b.upper[k]
			}
			whole.include(b)
		}
		nodes[i] = whole
	}
}

// refitLeaf moves the triangles of l and returns the box of them.
func (t *Tree) refitLeaf(l *leaf, local [][3]float32, tri [][3]int32) box {
	b := empty
	for i, id := range l.id {
		if id < 0 {
			continue
		}
		for k, j := range tri[id] {
			p := &local[j]
			for axis, x := range p {
				l.corner[3*k+axis][i] = x
				b.lower[axis], b.upper[axis] = min(b.lower[axis], x), min(b.upper[axis], -x)
			}
		}
	}
	for axis := range 3 {
		b.lower[axis], b.upper[axis] = b.lower[axis]-t.slack, b.upper[axis]-t.slack
	}
	return b
}
