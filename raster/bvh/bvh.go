// Package bvh finds the triangle that a ray meets first.
//
// A Tree is a hierarchy of boxes in float32 about a local origin. A node has eight
// children, whose boxes are tested together. A leaf has up to four triangles, which are
// tested together in float64. Neighbours share the bits of their corners, so no ray slips
// between them. Plain Go (cast.go) defines the result; where the processor has AVX2,
// assembly written by gen gives the same bits. The same triangles give the same tree on
// any machine.
package bvh

import (
	"math"

	"breakwater/sim/vec"
)

// Tree is a hierarchy over triangles. Cast is safe for concurrent use.
type Tree struct {
	origin        vec.Vec3
	slack         float32 // by which boxes are wider than what they hold: rounding of a ray's origin in box tests
	root          int32   // as node.child
	nodes         []node
	leaves        []leaf
	cornerMotions []cornerMotion // of the leaves; none if nothing moves
	moving        refitting
}

// Hit is where a ray meets a triangle.
type Hit struct {
	T    float64 // metres along the ray
	Tri  int32   // index of the triangle, -1 for none
	U, V float64 // weights of the second and third corner
}

const (
	fanout      = 8    // children of a node
	leafSize    = 4    // triangles of a leaf
	weightSlack = 1e-9 // by which a triangle's weights may miss it: more than their rounding, less than anything seen
)

// node is the boxes of up to eight children. A child ≥ 0 is a node, a child
// < 0 the leaf ^child. A child that is not there has a box that no ray meets.
type node struct {
	box   [6][fanout]float32 // lower x, y, z, upper x, y, z
	child [fanout]int32
}

// leaf is up to four triangles. One that is not there has NaN for corners.
type leaf struct {
	corner [9][leafSize]float32 // x, y, z of the first corner, the second, the third
	id     [leafSize]int32
}

// cornerMotion is how far the corners of a leaf go while a ray's When goes from 0 to 1.
type cornerMotion [9][leafSize]float32

// query is a ray on its way through a tree, as the assembly knows it.
type query struct {
	o, d    [3]float64 // origin and direction, about the tree's origin
	nodes   *node
	leaves  *leaf
	o32     [3]float32
	inv     [3]float32 // 1 over the direction
	near    [3]uint32  // byte offset in a node of the side of a box that the ray meets first, for each axis
	far     [3]uint32  // and of the other
	root    int32
	tri     int32 // of the nearest hit so far, as are those below
	t, u, v float64
	ways    *cornerMotion // nil if nothing moves
	when    float64
}

// Cast returns the nearest triangle that the ray from o along the unit
// direction d meets before tmax metres. Edges count as part of a triangle. What
// moves is met where it is at first.
func (b *Tree) Cast(o, d vec.Vec3, tmax float64) Hit { return b.CastRay(Ray{O: o, D: d, Max: tmax}) }

// Ray is what CastRay and CastAll take.
type Ray struct {
	O, D vec.Vec3 // D of unit length
	Max  float64  // metres
	Time float64  // time within the motion, from 0 to 1
}

// CastRay returns what Cast does, at any time.
func (b *Tree) CastRay(r Ray) Hit {
	if len(b.leaves) == 0 {
		return Hit{T: r.Max, Tri: -1}
	}
	q := b.query(r)
	cast(b, &q)
	return Hit{q.t, q.tri, q.u, q.v}
}

// CastAll sets hits to what CastRay returns for each of the rays. It works on several
// rays at once, which overlaps their reads from memory. Incoherent rays take less than
// half the time.
func (b *Tree) CastAll(rays []Ray, hits []Hit) {
	if len(b.leaves) == 0 {
		for i, r := range rays {
			hits[i] = Hit{T: r.Max, Tri: -1}
		}
		return
	}
	var q [64]query
	for len(rays) > 0 {
		n := min(len(rays), len(q))
		for i, r := range rays[:n] {
			q[i] = b.query(r)
		}
		castMany(b, q[:n])
		for i := range q[:n] {
			hits[i] = Hit{q[i].t, q[i].tri, q[i].u, q[i].v}
		}
		rays, hits = rays[n:], hits[n:]
	}
}

// query returns the ray as cast needs it, of a tree that is not empty.
func (b *Tree) query(r Ray) query {
	o, d := r.O.Sub(b.origin), r.D
	q := query{leaves: &b.leaves[0], root: b.root, tri: -1, t: r.Max, when: r.Time,
		o: [3]float64{o.X, o.Y, o.Z}, d: [3]float64{d.X, d.Y, d.Z}}
	if len(b.nodes) > 0 {
		q.nodes = &b.nodes[0]
	}
	if len(b.cornerMotions) > 0 {
		q.ways = &b.cornerMotions[0]
	}
	for k, x := range q.d {
		q.o32[k] = float32(q.o[k])
		// A ray along a face gets a slope too steep to matter, and so no 0·∞.
		if math.Abs(x) < 1e-30 {
			x = math.Copysign(1e-30, x)
		}
		q.inv[k] = float32(1 / x)
		const row = 4 * fanout
		q.near[k], q.far[k] = uint32(k)*row, uint32(k+3)*row
		if x < 0 {
			q.near[k], q.far[k] = q.far[k], q.near[k]
		}
	}
	return q
}

// Meet returns where the line o + t·d meets the plane of the triangle abc, and
// the weights u of b and v of c there (Möller and Trumbore 1997). All are NaN
// or infinite for a line in the plane.
func Meet(o, d, a, b, c vec.Vec3) (t, u, v float64) {
	e1, e2 := b.Sub(a), c.Sub(a)
	p := cross(d, e2)
	f := 1 / dot(e1, p)
	s := o.Sub(a)
	q := cross(s, e1)
	return f * dot(e2, q), f * dot(s, p), f * dot(d, q)
}

// cross and dot round every product, as the assembly does: some processors
// would fuse it with the sum.

func cross(a, b vec.Vec3) vec.Vec3 {
	return vec.Vec3{
		X: float64(a.Y*b.Z) - float64(a.Z*b.Y),
		Y: float64(a.Z*b.X) - float64(a.X*b.Z),
		Z: float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

func dot(a, b vec.Vec3) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) }
