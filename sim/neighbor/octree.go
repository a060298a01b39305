package neighbor

import (
	"slices"

	"breakwater/sim/vec"
)

func init() {
	Finders.Add("octree", "cubes split into eight until they hold few points, for points with widely varying distances",
		"Meagher 1982", func() Finder { return new(Octree) })
}

// Octree is the tree of Meagher, Geometric modeling using octree encoding, 1982. A
// node's box bounds its points, and is smaller than the cube that they were sorted into.
type Octree struct {
	pos  []vec.Vec3
	r    float64
	node []octant
	idx  []int32 // the points leaf by leaf
	tmp  []int32
}

// octant is a node: its points in idx, and its children, which follow each
// other, none for a leaf.
type octant struct {
	box           vec.Box
	from, to      int32
	child, child1 int32
}

// A leaf holds at most leafPoints, unless they coincide or the tree is as deep as doubles
// can resolve.
const (
	leafPoints = 16
	octreeDeep = 60
)

// Build implements Finder.
func (t *Octree) Build(pos []vec.Vec3, r float64) {
	t.pos, t.r = pos, r
	t.idx = slices.Grow(t.idx[:0], len(pos))[:len(pos)]
	t.tmp = slices.Grow(t.tmp[:0], len(pos))[:len(pos)]
	for i := range t.idx {
		t.idx[i] = int32(i)
	}
	t.node = append(t.node[:0], octant{to: int32(len(pos))})
	cube := Bounds(pos)
	half := 0.
	if len(pos) > 0 {
		s := cube.Size()
		half = max(s.X, s.Y, s.Z) / 2
		t.split(0, cube.Center(), half, 0)
	}
}

// split sorts the points of a node, in the cube of the given half edge around
// center, into its children.
func (t *Octree) split(node int32, center vec.Vec3, half float64, depth int) {
	n := &t.node[node]
	from, to := n.from, n.to
	list := t.idx[from:to]
	n.box = vec.Empty()
	for _, i := range list {
		n.box = n.box.Include(t.pos[i])
	}
	if len(list) <= leafPoints || n.box.Min == n.box.Max || depth == octreeDeep {
		return
	}
	var start [9]int32
	for _, i := range list {
		start[t.pos[i].Octant(center)+1]++
	}
	for o := range 8 {
		start[o+1] += start[o]
	}
	at := start
	for _, i := range list {
		o := t.pos[i].Octant(center)
		t.tmp[at[o]] = i
		at[o]++
	}
	copy(list, t.tmp[:len(list)])
	child := int32(len(t.node))
	var corner [8]int
	children := 0
	for o := range 8 {
		if start[o] < start[o+1] {
			corner[children] = o
			children++
			t.node = append(t.node, octant{from: from + start[o], to: from + start[o+1]})
		}
	}
	t.node[node].child, t.node[node].child1 = child, child+int32(children)
	half /= 2
	for c, o := range corner[:children] {
		off := vec.New(float64(o&1*2-1), float64(o>>1&1*2-1), float64(o>>2&1*2-1))
		t.split(child+int32(c), center.Add(off.Mul(half)), half, depth+1)
	}
}

// Near implements Finder.
func (t *Octree) Near(dst []int32, x vec.Vec3) []int32 {
	from := len(dst)
	if len(t.pos) > 0 {
		dst = t.near(dst, 0, x)
	}
	slices.Sort(dst[from:])
	return dst
}

func (t *Octree) near(dst []int32, node int32, x vec.Vec3) []int32 {
	n := &t.node[node]
	// The slack keeps rounding from dropping a point that lies just inside.
	if d := x.Sub(x.Max(n.box.Min).Min(n.box.Max)); d.Dot(d) >= t.r*t.r*(1+1e-9) {
		return dst
	}
	for c := n.child; c < n.child1; c++ {
		dst = t.near(dst, c, x)
	}
	if n.child == n.child1 {
		for _, i := range t.idx[n.from:n.to] {
			if d := x.Sub(t.pos[i]); d.Dot(d) < t.r*t.r {
				dst = append(dst, i)
			}
		}
	}
	return dst
}
