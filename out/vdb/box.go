package vdb

import "math"

// Box is a block of voxels from Min to Max, which are both in it.
type Box struct{ Min, Max [3]int32 }

// Box returns the smallest block with the voxels of l that in accepts by their numbers, and
// whether there are any.
func (l *Leaf) Box(in func(n int) bool) (b Box, found bool) {
	b.Min, b.Max = [3]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}, [3]int32{math.MinInt32, math.MinInt32, math.MinInt32}
	for n := range Count {
		if !in(n) {
			continue
		}
		found = true
		for a, c := range [3]int32{int32(n >> 6), int32(n >> 3 & 7), int32(n & 7)} {
			b.Min[a], b.Max[a] = min(b.Min[a], l.At[a]+c), max(b.Max[a], l.At[a]+c)
		}
	}
	return b, found
}

// IsActive reports whether voxel n is active.
func (l *Leaf) IsActive(n int) bool { return l.Active[n>>6]>>(n&63)&1 == 1 }

// Box returns the voxels of t.
func (t *Tile) Box() Box {
	return Box{t.At, [3]int32{t.At[0] + t.Side - 1, t.At[1] + t.Side - 1, t.At[2] + t.Side - 1}}
}

// Bounds returns the smallest and the largest coordinates of b in the world of the file, with
// its voxels as cells around their middles.
func (m *Map) Bounds(b Box) (lo, hi [3]float64) {
	lo, hi = [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for k := range 8 {
		var p [3]float64
		for a := range p {
			p[a] = float64(b.Min[a]) - 0.5
			if k>>a&1 == 1 {
				p[a] = float64(b.Max[a]) + 0.5
			}
		}
		x := m.At(p)
		for a := range x {
			lo[a], hi[a] = min(lo[a], x[a]), max(hi[a], x[a])
		}
	}
	return lo, hi
}
