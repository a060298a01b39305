package bvh

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// refitting is room that Refit needs each time.
type refitting struct {
	points        []moved
	leaves, nodes []box
}

// moved is where a point is and where it goes, next to each other in memory.
type moved [6]float32

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
	if m.points == nil {
		m.points, m.leaves, m.nodes = make([]moved, len(pos)), make([]box, len(t.leaves)), make([]box, len(t.nodes))
	}
	around, nodes := m.leaves, m.nodes
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := &m.points[i]
			*(*[3]float32)(p[:3]) = t.local(pos[i])
			if to != nil {
				*(*[3]float32)(p[3:]) = t.local(to[i])
			}
		}
	})
	par.For(len(t.leaves), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var w *cornerMotion
			if to != nil {
				w = &t.cornerMotions[i]
			}
			b := t.leaves[i].place(w, m.points, tri)
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

// place moves the triangles of l to where their points are, and w to how far they go from there,
// nil if they stay. It returns the box of both.
func (l *leaf) place(w *cornerMotion, pos []moved, tri [][3]int32) box {
	b := empty
	x0, y0, z0, x1, y1, z1 := b.lower[0], b.lower[1], b.lower[2], b.upper[0], b.upper[1], b.upper[2]
	for i, id := range l.id {
		if id < 0 {
			continue
		}
		for k, j := range tri[id] {
			p := &pos[j]
			x, y, z := p[0], p[1], p[2]
			l.corner[3*k][i], l.corner[3*k+1][i], l.corner[3*k+2][i] = x, y, z
			x0, y0, z0 = min(x0, x), min(y0, y), min(z0, z)
			x1, y1, z1 = min(x1, -x), min(y1, -y), min(z1, -z)
			if w != nil {
				u, v, s := p[3], p[4], p[5]
				w[3*k][i], w[3*k+1][i], w[3*k+2][i] = u-x, v-y, s-z
				x0, y0, z0 = min(x0, u), min(y0, v), min(z0, s)
				x1, y1, z1 = min(x1, -u), min(y1, -v), min(z1, -s)
			}
		}
	}
	b.lower, b.upper = [3]float32{x0, y0, z0}, [3]float32{x1, y1, z1}
	return b
}
