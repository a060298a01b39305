package neighbor

import (
	"cmp"
	"slices"

	"breakwater/sim/plug"
	"breakwater/sim/vec"
)

func init() {
	Finders.Register(plug.Entry[Finder]{
		Name: "cell-hash", Doc: "a hash table of cells, each with a list of its points", Cite: "van Kooten 2010",
		New: func(d plug.Decode) (Finder, error) { return new(CellHash), d(&struct{}{}) },
	})
}

// CellHash is the grid-cell-based hash of van Kooten, Optimized SPH, in: Game
// Physics Pearls, 2010: a bucket lists cells, and a cell its points, so that a
// query meets each cell that shares the bucket once, however many points are
// in it.
type CellHash struct {
	r, inv float64
	pos    []vec.Vec3
	mask   uint64
	order  []int32  // the points cell by cell
	cells  []filled // the cells that are not empty, by bucket
	start  []int32  // of each bucket in cells
	bucket []uint32 // scratch: of the cells
	sorted []filled // scratch
}

// filled is a cell and its points in order, [from, to).
type filled struct {
	cell     cube
	from, to int32
}

// Build implements Finder.
func (s *CellHash) Build(pos []vec.Vec3, r float64) {
	s.pos, s.r, s.inv = pos, r, 1/Edge(r)
	s.order = slices.Grow(s.order[:0], len(pos))[:len(pos)]
	for i := range s.order {
		s.order[i] = int32(i)
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return compare(cubeOf(pos[a], s.inv), cubeOf(pos[b], s.inv)) })
	s.sorted = s.sorted[:0]
	for k, i := range s.order {
		c := cubeOf(pos[i], s.inv)
		if n := len(s.sorted); n == 0 || s.sorted[n-1].cell != c {
			s.sorted = append(s.sorted, filled{c, int32(k), 0})
		}
		s.sorted[len(s.sorted)-1].to = int32(k + 1)
	}
	s.mask = tableMask(2 * len(s.sorted))
	s.bucket = s.bucket[:0]
	for i := range s.sorted {
		s.bucket = append(s.bucket, uint32(s.sorted[i].cell.hash(s.mask)))
	}
	var order []int32
	s.start, order = countingSort(s.bucket, int(s.mask)+1, s.start, nil)
	s.cells = s.cells[:0]
	for _, i := range order {
		s.cells = append(s.cells, s.sorted[i])
	}
}

// compare orders cells by z, then y, then x.
func compare(a, b cube) int {
	return cmp.Or(cmp.Compare(a[2], b[2]), cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
}

// Near implements Finder.
func (s *CellHash) Near(dst []int32, x vec.Vec3) []int32 {
	from := len(dst)
	lo, hi := around(x, s.r, s.inv)
	each(lo, hi, func(c cube) {
		b := c.hash(s.mask)
		for _, f := range s.cells[s.start[b]:s.start[b+1]] {
			if f.cell != c {
				continue
			}
			for _, i := range s.order[f.from:f.to] {
				if d := x.Sub(s.pos[i]); d.Dot(d) < s.r*s.r {
					dst = append(dst, i)
				}
			}
		}
	})
	slices.Sort(dst[from:])
	return dst
}
