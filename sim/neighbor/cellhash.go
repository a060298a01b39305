package neighbor

import (
	"slices"

	"breakwater/sim/vec"
)

func init() {
	Finders.Add("cell-hash", "a hash table of cells, each with a list of its points", "van Kooten 2010", func() Finder { return new(CellHash) })
}

// CellHash is the grid-cell-based hash of van Kooten, Optimized SPH, in: Game
// Physics Pearls, 2010: a bucket lists cells, and a cell its points, so that a
// query meets each cell that shares the bucket once, however many points are
// in it.
type CellHash struct {
	r, inv float64
	pos    []vec.Vec3
	mask   uint64
	head   []int32  // of each bucket: its first cell, or −1
	cells  []filled // the cells that are not empty, in the order of their first points
	own    []uint32 // the cell of each point
	start  []int32  // of each cell in order
	order  []int32  // the points cell by cell
}

// filled is a cell, its points, [from, to) in order, and the next of its bucket.
type filled struct {
	cell           cube
	from, to, next int32
}

// Build implements Finder.
func (s *CellHash) Build(pos []vec.Vec3, r float64) {
	s.pos, s.r, s.inv = pos, r, 1/Edge(r)
	s.mask = tableMask(len(pos))
	s.head = slices.Grow(s.head[:0], int(s.mask)+1)[:s.mask+1]
	for b := range s.head {
		s.head[b] = -1
	}
	s.cells = s.cells[:0]
	s.own = slices.Grow(s.own[:0], len(pos))[:len(pos)]
	for i, x := range pos {
		c := cubeOf(x, s.inv)
		b := c.hash(s.mask)
		k := s.head[b]
		for k >= 0 && s.cells[k].cell != c {
			k = s.cells[k].next
		}
		if k < 0 {
			k = int32(len(s.cells))
			s.cells = append(s.cells, filled{cell: c, next: s.head[b]})
			s.head[b] = k
		}
		s.own[i] = uint32(k)
	}
	s.start, s.order = countingSort(s.own, len(s.cells), s.start, s.order)
	for k := range s.cells {
		s.cells[k].from, s.cells[k].to = s.start[k], s.start[k+1]
	}
}

// Order returns the points cell by cell.
func (s *CellHash) Order() []int32 { return s.order }

// Cell returns a number for the cell of point i.
func (s *CellHash) Cell(i int) int { return int(s.own[i]) }

// Candidates appends to dst lists of points that hold all those closer than r to x, no
// point twice: the lists of all cells that are closer.
func (s *CellHash) Candidates(dst [][]int32, x vec.Vec3) [][]int32 {
	lo, hi := around(x, s.r, s.inv)
	return s.lists(dst, lo, hi)
}

// Around is Candidates for all points of x's cell at once.
func (s *CellHash) Around(dst [][]int32, x vec.Vec3) [][]int32 {
	lo := cubeOf(x, s.inv)
	hi := lo
	for a := range lo {
		lo[a], hi[a] = lo[a]-1, hi[a]+1
	}
	return s.lists(dst, lo, hi)
}

// lists appends the points of the cells lo to hi.
func (s *CellHash) lists(dst [][]int32, lo, hi cube) [][]int32 {
	each(lo, hi, func(c cube) {
		for k := s.head[c.hash(s.mask)]; k >= 0; k = s.cells[k].next {
			if f := &s.cells[k]; f.cell == c {
				dst = append(dst, s.order[f.from:f.to])
				break
			}
		}
	})
	return dst
}

// Near implements Finder.
func (s *CellHash) Near(dst []int32, x vec.Vec3) []int32 {
	from := len(dst)
	var lists [27][]int32
	for _, list := range s.Candidates(lists[:0], x) {
		for _, i := range list {
			if d := x.Sub(s.pos[i]); d.Dot(d) < s.r*s.r {
				dst = append(dst, i)
			}
		}
	}
	slices.Sort(dst[from:])
	return dst
}
