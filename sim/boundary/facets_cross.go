package boundary

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// touching is how far an edge must extend to both sides of a triangle to cross it,
// relative to the surface's size. Files keep seven digits, and contact without crossing
// is not a fault.
const touching = 1e-7

// crossing returns a place where the surface crosses itself, if there is one.
// Two triangles that cross share a piece of line, at each of whose ends an edge
// of one of them goes through the other; so only edges are looked at.
func (f *facets) crossing() (at vec.Vec3, crosses bool) {
	slack := touching * f.bounds().Size().Len()
	first := make([]vec.Vec3, (len(f.tri)+crossingGrain-1)/crossingGrain)
	found := make([]bool, len(first))
	par.Each(len(first), func(c int) {
		var list []int32
		for t := c * crossingGrain; t < min(len(f.tri), (c+1)*crossingGrain) && !found[c]; t++ {
			for k := range 3 {
				i, j := f.tri[t][k], f.tri[t][(k+1)%3]
				if i > j {
					continue // the triangle across has it the other way round
				}
				if x, ok := f.pierced(i, j, slack, &list); ok {
					first[c], found[c] = x, true
					break
				}
			}
		}
	})
	for c, ok := range found {
		if ok {
			return first[c], true
		}
	}
	return vec.Vec3{}, false
}

// crossingGrain is how many triangles are looked at together.
const crossingGrain = 512

// pierced returns where the edge between two vertices goes through a triangle
// that has neither of them, if it does.
func (f *facets) pierced(i, j int32, slack float64, list *[]int32) (vec.Vec3, bool) {
	a, b := f.pos[i], f.pos[j]
	*list = f.meeting((*list)[:0], vec.Empty().Include(a).Include(b))
	for _, o := range *list {
		v := &f.tri[o]
		if v[0] == i || v[1] == i || v[2] == i || v[0] == j || v[1] == j || v[2] == j {
			continue
		}
		da, db := a.Sub(f.pos[v[0]]).Dot(f.normal[o]), b.Sub(f.pos[v[0]]).Dot(f.normal[o])
		if math.Min(da, db) > -slack || math.Max(da, db) < slack {
			continue
		}
		if x := a.Lerp(b, da/(da-db)); f.covers(o, x) {
			return x, true
		}
	}
	return vec.Vec3{}, false
}

// meeting appends to dst the triangles of the leaves whose boxes meet b.
func (f *facets) meeting(dst []int32, b vec.Box) []int32 {
	var stack [64]int32
	stack[0] = 0
	for top := 1; top > 0; {
		top--
		at := stack[top]
		n := &f.tree[at]
		if n.box.Min.X > b.Max.X || n.box.Min.Y > b.Max.Y || n.box.Min.Z > b.Max.Z ||
			b.Min.X > n.box.Max.X || b.Min.Y > n.box.Max.Y || b.Min.Z > n.box.Max.Z {
			continue
		}
		if n.leaf == 0 {
			stack[top], stack[top+1] = n.second, at+1
			top += 2
			continue
		}
		dst = append(dst, f.order[n.second:n.second+n.count]...)
	}
	return dst
}
