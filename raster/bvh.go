package raster

import (
	"math"

	"breakwater/sim/vec"
)

// bvh is a bounding volume hierarchy of triangles: a flat array of binary
// nodes, each with the boxes of its two children, in float32 about a local
// origin. Boxes are tested in float32; triangles, whose corners neighbours
// share to the bit, in float64, so that no ray slips between them. The same
// triangles give the same hierarchy on any machine.
type bvh struct {
	origin vec.Vec3
	root   int32 // as node.child
	box    box32 // of all
	nodes  []node
	tris   []tri32 // leaf by leaf
}

// node is an inner node. A child ≥ 0 is a node; a child < 0 is a leaf,
// ^child = first<<leafBits | count.
type node struct {
	box   [2]box32
	child [2]int32
}

// box32 is a box: its lower and its upper corner.
type box32 [2][3]float32

// tri32 is a triangle beside its neighbours in a leaf.
type tri32 struct {
	corner [3][3]float32
	id     int32 // index of the triangle in the geometry
}

// hit is where a ray meets a triangle.
type hit struct {
	t    float64 // metres along the ray
	tri  int32   // -1 for none
	u, v float64 // weights of the second and third corner
}

const (
	leafBits = 3
	leafSize = 4  // triangles; fewer mean more nodes, more mean more tests
	bins     = 16 // of the surface area heuristic; more gain little (Wald 2007)
	deep     = 40 // levels after which a range is halved whatever it costs, so that the stack of cast suffices
	stack    = 80
	hair     = 1e-9 // by which a triangle's weights may miss it: more than their rounding, less than anything seen
)

func (b *bvh) local(p vec.Vec3) [3]float32 {
	p = p.Sub(b.origin)
	return [3]float32{float32(p.X), float32(p.Y), float32(p.Z)}
}

// cast returns the nearest triangle that the ray from o along the unit
// direction d meets before tmax metres. Edges count as part of a triangle.
func (b *bvh) cast(o, d vec.Vec3, tmax float64) hit {
	h := hit{t: tmax, tri: -1}
	if len(b.tris) == 0 {
		return h
	}
	r := newRay32(b.local(o), d)
	best := bits(float32(tmax)) // of h, for the boxes
	local := o.Sub(b.origin)
	if _, ok := r.enters(&b.box, best); !ok {
		return h
	}
	type entry struct {
		child int32
		t     int32 // bits of where its box begins
	}
	var todo [stack]entry
	n := 0
	at := b.root
	for {
		if at >= 0 {
			nd := &b.nodes[at]
			t0, ok0 := r.enters(&nd.box[0], best)
			t1, ok1 := r.enters(&nd.box[1], best)
			switch {
			case ok0 && ok1:
				if t0 <= t1 {
					todo[n] = entry{nd.child[1], t1}
					at = nd.child[0]
				} else {
					todo[n] = entry{nd.child[0], t0}
					at = nd.child[1]
				}
				n++
				continue
			case ok0:
				at = nd.child[0]
				continue
			case ok1:
				at = nd.child[1]
				continue
			}
		} else {
			first := int(^at >> leafBits)
			leaf := b.tris[first : first+int(^at&(1<<leafBits-1))]
			for i := range leaf {
				c := &leaf[i].corner
				t, u, v := meet(local, d, widen(c[0]), widen(c[1]), widen(c[2]))
				if t > 0 && t < h.t && u >= -hair && v >= -hair && u+v <= 1+hair {
					h = hit{t, leaf[i].id, u, v}
					best = bits(float32(t))
				}
			}
		}
		for n > 0 && todo[n-1].t > best {
			n--
		}
		if n == 0 {
			return h
		}
		n--
		at = todo[n].child
	}
}

func widen(p [3]float32) vec.Vec3 {
	return vec.Vec3{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

// ray32 is a ray as boxes are tested against it.
type ray32 struct {
	o, inv [3]float32 // origin, and 1 over the direction
	enter  [3]uint8   // for each axis, the side of a box that the ray meets first
}

func newRay32(o [3]float32, d vec.Vec3) ray32 {
	r := ray32{o: o}
	for k, x := range [3]float64{d.X, d.Y, d.Z} {
		// A ray along a face gets a slope too steep to matter, and so no 0·∞.
		if math.Abs(x) < 1e-30 {
			x = math.Copysign(1e-30, x)
		}
		r.inv[k] = float32(1 / x)
		if x < 0 {
			r.enter[k] = 1
		}
	}
	return r
}

// enters returns where r enters c, if it does before tmax (Kay and Kajiya
// 1986). Distances are the bits of floats: as integers those of positive floats
// come in the same order and those of negative ones are negative, and integers
// are compared without a branch.
func (r *ray32) enters(c *box32, tmax int32) (int32, bool) {
	i, j, k := r.enter[0]&1, r.enter[1]&1, r.enter[2]&1
	t0 := max(bits((c[i][0]-r.o[0])*r.inv[0]), bits((c[j][1]-r.o[1])*r.inv[1]), bits((c[k][2]-r.o[2])*r.inv[2]), 0)
	t1 := min(bits((c[1-i][0]-r.o[0])*r.inv[0]), bits((c[1-j][1]-r.o[1])*r.inv[1]), bits((c[1-k][2]-r.o[2])*r.inv[2]), tmax)
	return t0, t0 <= t1+4 // steps of a float: rounding of the products (Ize 2013)
}

func bits(x float32) int32 { return int32(math.Float32bits(x)) }
