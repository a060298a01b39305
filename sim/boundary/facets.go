package boundary

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// facets is a closed surface of triangles that answers distance queries. Its normals
// point into the liquid.
//
// The normal of the nearest face, edge or vertex decides on which side of the surface a
// point lies. An edge's normal is the mean of its two faces' normals. A vertex's normal
// is the mean of all its faces' normals, weighted by their angles (Bærentzen and Aanæs,
// Signed distance computation using the angle weighted pseudonormal, IEEE TVCG 11, 2005).
// This is right for every closed surface that does not cross itself.
type facets struct {
	pos    []vec.Vec3
	tri    [][3]int32
	normal []vec.Vec3    // of each triangle
	edge   [][3]vec.Vec3 // of the edges from each corner to the next
	flat   [][3]bool     // whether the triangle across that edge lies in the same plane
	vertex []vec.Vec3
	tree   []branch
	order  []int32 // triangles as the leaves have them
}

// branch is a node of the tree of boxes around triangles. The first child
// follows its parent.
type branch struct {
	box         vec.Box
	second      int32 // the second child; of a leaf its first triangle in order
	leaf, count int32 // 1 for a leaf, and its number of triangles
}

// leafSize is the most triangles of a leaf.
const leafSize = 4

// newFacets prepares a closed, outward mesh. turned exchanges in and out: the liquid is
// then inside. Triangles without an area are left out.
func newFacets(pos []vec.Vec3, tri [][3]int32, turned bool) *facets {
	f := &facets{pos: pos}
	for _, t := range tri {
		if turned {
			t[1], t[2] = t[2], t[1]
		}
		a := pos[t[0]]
		if n := pos[t[1]].Sub(a).Cross(pos[t[2]].Sub(a)); n.Len() > 0 {
			f.tri, f.normal = append(f.tri, t), append(f.normal, n.Unit())
		}
	}
	f.pseudonormals()
	f.order = make([]int32, len(f.tri))
	for i := range f.order {
		f.order[i] = int32(i)
	}
	f.grow(0, len(f.tri))
	return f
}

// pseudonormals sets edge, flat and vertex.
func (f *facets) pseudonormals() {
	f.edge, f.flat = make([][3]vec.Vec3, len(f.tri)), make([][3]bool, len(f.tri))
	f.vertex = make([]vec.Vec3, len(f.pos))
	sides := make([][3]int32, 0, 3*len(f.tri)) // corner, corner, 3·triangle+side; the lower corner first
	for i, t := range f.tri {
		for k := range 3 {
			a, b, c := t[k], t[(k+1)%3], t[(k+2)%3]
			u, v := f.pos[b].Sub(f.pos[a]), f.pos[c].Sub(f.pos[a])
			angle := math.Atan2(u.Cross(v).Len(), u.Dot(v))
			f.vertex[a] = f.vertex[a].Add(f.normal[i].Mul(angle))
			f.edge[i][k] = f.normal[i]
			sides = append(sides, [3]int32{min(a, b), max(a, b), int32(3*i + k)})
		}
	}
	slices.SortFunc(sides, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	for k := 0; k+1 < len(sides); k++ {
		a, b := sides[k], sides[k+1]
		if a[0] != b[0] || a[1] != b[1] {
			continue
		}
		i, j := a[2]/3, b[2]/3
		sum := f.normal[i].Add(f.normal[j])
		flat := f.normal[i].Dot(f.normal[j]) > 1-1e-12
		for _, s := range [...]int32{a[2], b[2]} {
			f.edge[s/3][s%3], f.flat[s/3][s%3] = sum, flat
		}
	}
}

// grow appends the tree of order[lo:hi].
func (f *facets) grow(lo, hi int) {
	at := len(f.tree)
	box, middles := vec.Empty(), vec.Empty()
	for _, t := range f.order[lo:hi] {
		for _, v := range f.tri[t] {
			box = box.Include(f.pos[v])
		}
		middles = middles.Include(f.middle(t))
	}
	f.tree = append(f.tree, branch{box: box, second: int32(lo), leaf: 1, count: int32(hi - lo)})
	if hi-lo <= leafSize {
		return
	}
	size := middles.Size()
	axis := func(v vec.Vec3) float64 { return v.X }
	if size.Y > size.X && size.Y >= size.Z {
		axis = func(v vec.Vec3) float64 { return v.Y }
	} else if size.Z > size.X && size.Z > size.Y {
		axis = func(v vec.Vec3) float64 { return v.Z }
	}
	slices.SortFunc(f.order[lo:hi], func(a, b int32) int {
		x, y := axis(f.middle(a)), axis(f.middle(b))
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a - b)
	})
	mid := (lo + hi) / 2
	f.grow(lo, mid)
	f.tree[at].leaf, f.tree[at].second = 0, int32(len(f.tree))
	f.grow(mid, hi)
}

func (f *facets) middle(t int32) vec.Vec3 {
	v := f.tri[t]
	return f.pos[v[0]].Add(f.pos[v[1]]).Add(f.pos[v[2]]).Mul(1. / 3)
}

// bounds returns the box of all triangles.
func (f *facets) bounds() vec.Box { return f.tree[0].box }

// dist returns the signed distance to the surface, positive where the normals
// point, and the unit normal of its nearest point.
func (f *facets) dist(x vec.Vec3) (d float64, n vec.Vec3) { return f.distUpTo(x, math.Inf(1)) }

// distUpTo is dist for a point that is known to be no farther from the surface than most.
func (f *facets) distUpTo(x vec.Vec3, most float64) (d float64, n vec.Vec3) {
	c := closestWithin(most)
	type open struct {
		node int32
		gap  float64 // squared distance to its box
	}
	var stack [64]open
	top := 0
	next := open{0, gap2(&f.tree[0].box, x)}
	for {
		if next.gap < c.d2 {
			b := &f.tree[next.node]
			if b.leaf == 0 {
				near, far := open{next.node + 1, gap2(&f.tree[next.node+1].box, x)}, open{b.second, gap2(&f.tree[b.second].box, x)}
				if near.gap > far.gap {
					near, far = far, near
				}
				stack[top], next = far, near
				top++
				continue
			}
			c.look(f, f.order[b.second:b.second+b.count], x)
		}
		if top == 0 {
			return c.signed()
		}
		top--
		next = stack[top]
	}
}

// closest describes the point of a surface that is nearest to x.
type closest struct {
	d2           float64 // its distance, squared
	side, normal vec.Vec3
}

// closestWithin is the start of a search for a point that is no farther away than most.
func closestWithin(most float64) closest {
	const margin = 1e-9 // for rounding
	return closest{d2: float64(most*most*(1+margin)) + margin*margin}
}

// look compares c with the triangles of a list.
func (c *closest) look(f *facets, list []int32, x vec.Vec3) {
	for _, t := range list {
		const margin = 1e-12 // for rounding
		ax := x.Sub(f.pos[f.tri[t][0]])
		if off := f.normal[t].Dot(ax); off*off > c.d2+float64(margin*ax.Dot(ax)) {
			continue // its plane is farther away
		}
		at, which := f.nearest(t, x)
		s := x.Sub(at)
		if d2 := s.Dot(s); d2 < c.d2 {
			c.d2, c.side = d2, s
			switch {
			case which < 3:
				c.normal = f.vertex[f.tri[t][which]]
			case which < 6:
				c.normal = f.edge[t][which-3]
			default:
				c.normal = f.normal[t]
			}
		}
	}
}

// signed returns the distance and the normal.
func (c *closest) signed() (d float64, n vec.Vec3) {
	d = math.Sqrt(c.d2)
	if d < 1e-12 {
		return 0, c.normal.Unit()
	}
	n = c.side.Mul(1 / d)
	if c.side.Dot(c.normal) < 0 {
		return -d, n.Neg()
	}
	return d, n
}

// gap2 returns the squared distance from x to the box.
func gap2(b *vec.Box, x vec.Vec3) float64 {
	u := max(b.Min.X-x.X, 0, x.X-b.Max.X)
	v := max(b.Min.Y-x.Y, 0, x.Y-b.Max.Y)
	w := max(b.Min.Z-x.Z, 0, x.Z-b.Max.Z)
	return float64(u*u) + float64(v*v) + float64(w*w)
}

// nearest returns the point of triangle t nearest to x, and its place: a corner (0 to 2),
// the edge from a corner (3 to 5), or the inside (6).
func (f *facets) nearest(t int32, x vec.Vec3) (vec.Vec3, int) {
	v := &f.tri[t]
	a, b, c := f.pos[v[0]], f.pos[v[1]], f.pos[v[2]]
	ab, ac, ax := b.Sub(a), c.Sub(a), x.Sub(a)
	u, w, of, where := vec.NearestOnTriangle(ab, ac, ax, x.Sub(b), x.Sub(c))
	switch where {
	case 1:
		return b, where
	case 2:
		return c, where
	case 3:
		return a.Add(ab.Mul(u / of)), where
	case 4:
		return b.Add(c.Sub(b).Mul(w / of)), where
	case 5:
		return a.Add(ac.Mul(w / of)), where
	}
	den := 1 / of
	return a.Add(ab.Mul(u * den)).Add(ac.Mul(w * den)), where
}

// within appends to dst the triangles whose boxes are closer to x than r.
func (f *facets) within(dst []int32, x vec.Vec3, r float64) []int32 {
	var stack [64]int32
	stack[0] = 0
	for top := 1; top > 0; {
		top--
		b := &f.tree[stack[top]]
		if gap2(&b.box, x) >= r*r {
			continue
		}
		if b.leaf == 0 {
			stack[top], stack[top+1] = b.second, stack[top]+1
			top += 2
			continue
		}
		dst = append(dst, f.order[b.second:b.second+b.count]...)
	}
	return dst
}
