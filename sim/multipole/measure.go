package multipole

import (
	"math"

	"breakwater/sim/biot"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

const (
	// few is how many groups of neighbouring points are compared with direct sums, and group is how
	// many points each has: as many as sim/biot sums side by side. Errors of filaments are large at few
	// points. Where the groups differ so much that the bound is uneven times the error or
	// more, many groups are compared.
	few, many, group = 64, 512, 8
	uneven           = 1.2
	// wider and widest are the factor by which cells grow at a time, and their largest
	// factor.
	wider, widest = 1.5, 4.
	// golden is the fraction of the golden ratio. Its multiples spread the groups over the
	// parts of the tree: the same place in each part would be the same place in each cell.
	golden = math.Phi - 1
)

// sample holds points, and direct sums at them.
type sample struct {
	x, u []vec.Vec3
	i    []int32 // indices of the points in the caller's slice
}

// pick returns groups of points at the given number of places all over the tree, and sums directly at them. Points of a group
// lie in one leaf. Their positions in single precision are from the centre of the group,
// so that neighbours whose fields nearly cancel have their true distances.
func (f *Field) pick(places int) *sample {
	points := f.targets()
	n := min(places, (len(points)+group-1)/group)
	s := &sample{x: make([]vec.Vec3, n*group), u: make([]vec.Vec3, n*group), i: make([]int32, n*group)}
	unit := biot.Unit(f.sorted.Radius)
	par.Each(n, func(k int) {
		lo := int32((float64(k) + math.Mod(float64(float64(k)*golden), 1)) * float64(len(points)) / float64(n))
		leaf := f.leaf(lo)
		lo = max(leaf.lo, min(lo, leaf.hi-group))
		at := points[lo:min(lo+group, leaf.hi)]
		x := s.x[k*group:][:len(at)]
		for j := range at {
			x[j], s.i[k*group+j] = at[j].x, at[j].i
		}
		sums := biot.NewSums(f.Kernel, unit, false)
		sums.Start(x)
		sums.Add(&f.sorted)
		sums.Velocity(s.u[k*group:])
		for j := len(at); j < group; j++ { // fewer points than a group has
			s.x[k*group+j], s.u[k*group+j], s.i[k*group+j] = s.x[k*group], s.u[k*group], s.i[k*group]
		}
	})
	return s
}

// leaf returns the points of the leaf with the point i in the order of the tree.
func (t *tree) leaf(i int32) span {
	c := &t.cells[0]
	for c.split {
		for _, j := range c.child {
			if d := &t.cells[j]; j != 0 && d.points.lo <= i && i < d.points.hi {
				c = d
				break
			}
		}
	}
	return c.points
}

// off returns the error of velocities got at the sample, relative and in the L2 norm, and a
// bound of the error at all points: three standard errors of the mean square more. Groups
// of the sample are independent. Errors of filaments are large at few points, so the bound is high.
func (s *sample) off(got func(k int) vec.Vec3) (l2, bound float64) {
	var off, off2, size float64
	for k := 0; k < len(s.u); k += group {
		sum := 0.
		for j := k; j < k+group; j++ {
			d := got(j).Sub(s.u[j])
			sum, size = sum+d.Dot(d), size+s.u[j].Dot(s.u[j])
		}
		off, off2 = off+sum, off2+float64(sum*sum)
	}
	if size == 0 {
		return 0, 0
	}
	n := float64(len(s.u) / group)
	spread := math.Sqrt(max(0, off2-float64(off*off/n)))
	return math.Sqrt(off / size), math.Sqrt((off + float64(3*spread)) / size)
}

// check measures the error of the velocities u of the last sums. It returns its bound, and the sample
// that it took.
func (f *Field) check(u []vec.Vec3) (bound float64, s *sample) {
	for _, places := range []int{few, many} {
		s = f.pick(places)
		f.measured, bound = s.off(func(k int) vec.Vec3 { return u[s.i[k]] })
		if bound < uneven*f.measured {
			break
		}
	}
	return bound, s
}

// raise looks for an order and cells whose bound of the error is at most the error asked
// for, by the sample s, and sets them in f. It reports whether it found better ones than the
// present ones, whose error has the given bound.
//
// Two more orders show how much of the error the expansions have. The rest comes from
// particles that act as points, and falls as cells become wider.
func (f *Field) raise(sources *biot.Sources, s *sample, bound float64) bool {
	u := make([]vec.Vec3, len(s.x))
	try := func(order int, widen float64) (b float64) {
		f.order, f.widen = order, widen
		f.once(u, nil, s.x, sources)
		_, b = s.off(func(k int) vec.Vec3 { return u[k] })
		return b
	}
	order, widen, found := f.order, f.widen, false
	for bound > f.Error {
		p, w, next := min(order+2, most), widen, math.Inf(1)
		if p > order {
			next = try(p, w)
		}
		if next > f.Error && f.Kernel != biot.Core && w < widest {
			q, v := p, min(w*wider, widest)
			if next > 0.7*bound { // the expansions are not what is wrong
				q = order
			}
			if e := try(q, v); e < next {
				p, w, next = q, v, e
			}
		}
		if !(next < 0.9*bound) {
			break
		}
		order, widen, bound, found = p, w, next, true
	}
	f.order, f.widen = order, widen
	return found
}
