package neighbor

import (
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

func init() {
	Finders.Add("spatial-hash", "an unbounded grid whose cells share the buckets of a table",
		"Teschner et al. 2003", func() Finder { return new(SpatialHash) })
}

// SpatialHash is the search of Teschner, Heidelberger, Müller, Pomeranets and Gross,
// Optimized Spatial Hashing for Collision Detection of Deformable Objects, 2003: points
// in a bucket for the hash of their cell, twice as many buckets as points. Cells that
// share a bucket are distinguished by the points' own cells; otherwise a point would be
// found twice.
type SpatialHash struct {
	r, inv float64
	pos    []vec.Vec3
	mask   uint64
	bucket []uint32 // of each point
	start  []int32  // of each bucket in order
	order  []int32
	cell   []cube // of the points in order
}

// Build implements Finder.
func (s *SpatialHash) Build(pos []vec.Vec3, r float64) {
	s.pos, s.r, s.inv = pos, r, 1/Edge(r)
	s.mask = tableMask(2 * len(pos))
	s.bucket = slices.Grow(s.bucket[:0], len(pos))[:len(pos)]
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.bucket[i] = uint32(cubeOf(pos[i], s.inv).hash(s.mask))
		}
	})
	s.start, s.order = countingSort(s.bucket, int(s.mask)+1, s.start, s.order)
	s.cell = slices.Grow(s.cell[:0], len(pos))[:len(pos)]
	par.For(len(pos), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			s.cell[k] = cubeOf(pos[s.order[k]], s.inv)
		}
	})
}

// Near implements Finder.
func (s *SpatialHash) Near(dst []int32, x vec.Vec3) []int32 {
	from := len(dst)
	lo, hi := around(x, s.r, s.inv)
	each(lo, hi, func(c cube) {
		b := c.hash(s.mask)
		for k := s.start[b]; k < s.start[b+1]; k++ {
			if s.cell[k] != c {
				continue
			}
			if d := x.Sub(s.pos[s.order[k]]); d.Dot(d) < s.r*s.r {
				dst = append(dst, s.order[k])
			}
		}
	})
	slices.Sort(dst[from:])
	return dst
}

// Candidates appends to dst the buckets of the cells that are closer than r to x,
// each once: lists of points that hold all those closer than r, and others.
func (s *SpatialHash) Candidates(dst [][]int32, x vec.Vec3) [][]int32 {
	var seen [27]uint64
	n := 0
	lo, hi := around(x, s.r, s.inv)
	each(lo, hi, func(c cube) {
		b := c.hash(s.mask)
		if s.start[b] < s.start[b+1] && !slices.Contains(seen[:n], b) {
			seen[n], n = b, n+1
			dst = append(dst, s.order[s.start[b]:s.start[b+1]])
		}
	})
	return dst
}

// countingSort returns the indices of key by key, ascending within one, and where
// each of the n keys starts. It works in the slices given.
func countingSort(key []uint32, n int, start, order []int32) (_, _ []int32) {
	start = slices.Grow(start[:0], n+1)[:n+1]
	clear(start)
	for _, k := range key {
		start[k+1]++
	}
	for k := range n {
		start[k+1] += start[k]
	}
	order = slices.Grow(order[:0], len(key))[:len(key)]
	for i, k := range key {
		order[start[k]] = int32(i)
		start[k]++
	}
	copy(start[1:], start[:n])
	start[0] = 0
	return start, order
}
