package bvh

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// refitting is room that Refit needs each time.
type refitting struct {
	local, there  [][3]float32 // points, and where they go
	leaves, nodes []box
}

// Refit brings t up to date after its points have moved a little: pos and tri are the
// arguments of New, with other coordinates. The tree keeps its shape. It is correct
// however far the points moved, but slower the farther.
func (t *Tree) Refit(pos []vec.Vec3, tri [][3]int32) {
	t.cornerMotions = t.cornerMotions[:0]
	t.refit(pos, nil, tri)
}

// Move is Refit for points that go straight from one place to another while a ray's Time
// goes from 0 to 1. The boxes hold the whole motion: rays are slower the longer it is
// over the triangles.
func (t *Tree) Move(from, to []vec.Vec3, tri [][3]int32) {
	t.cornerMotions = slices.Grow(t.cornerMotions[:0], len(t.leaves))[:len(t.leaves)]
	t.refit(from, to, tri)
}

// refit is Refit if to is nil, and Move otherwise.
func (t *Tree) refit(pos, to []vec.Vec3, tri [][3]int32) {
	m := &t.moving
	if m.local == nil {
		m.local, m.leaves, m.nodes = make([][3]float32, len(pos)), make([]box, len(t.leaves)), make([]box, len(t.nodes))
	}
	if m.there == nil && to != nil {
		m.there = make([][3]float32, len(pos))
	}
	around, nodes := m.leaves, m.nodes
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m.local[i] = t.local(pos[i])
			if to != nil {
				m.there[i] = t.local(to[i])
			}
		}
	})
	par.For(len(t.leaves), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			l := &t.leaves[i]
			b := empty
			l.place(m.local, tri, &b)
			if to != nil {
				l.head(&t.cornerMotions[i], m.there, tri, &b)
			}
			for axis := range 3 {
				b.lower[axis], b.upper[axis] = b.lower[axis]-t.slack, b.upper[axis]-t.slack
			}
			around[i] = b
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

// place moves the triangles of l and includes them in b.
func (l *leaf) place(pos [][3]float32, tri [][3]int32, b *box) {
	for i, id := range l.id {
		if id < 0 {
			continue
		}
		for k, j := range tri[id] {
			for axis, x := range pos[j] {
				l.corner[3*k+axis][i] = x
				b.lower[axis], b.upper[axis] = min(b.lower[axis], x), min(b.upper[axis], -x)
			}
		}
	}
}

// head sets w to how far the triangles of l go to where they will be, which b
// then includes.
func (l *leaf) head(w *cornerMotion, to [][3]float32, tri [][3]int32, b *box) {
	for i, id := range l.id {
		if id < 0 {
			continue
		}
		for k, j := range tri[id] {
			for axis, x := range to[j] {
				w[3*k+axis][i] = x - l.corner[3*k+axis][i]
				b.lower[axis], b.upper[axis] = min(b.lower[axis], x), min(b.upper[axis], -x)
			}
		}
	}
}
