package neighbor

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Cells sorts points into the cells of a uniform grid by a counting sort. The x axis is
// the fastest, so a row of cells along x is one run of points. The zero value is ready
// for Build.
type Cells struct {
	box   vec.Box // of the points
	inv   float64 // 1/edge, 1/m
	n     [3]int  // cells per axis
	key   []int32 // cell of each point
	start []int32 // where each cell's points start in order
	order []int32 // point indices by cell, ascending within a cell
	same  bool    // order is 0, 1, 2, …
	part  []vec.Box
}

// maxCells returns how many cells n points may have: memory for an almost
// empty grid is cheap up to a few megabytes, and beyond it the cells grow.
func maxCells(n int) int { return 1<<20 + 16*n }

// Build sorts the points into cells of the given edge in metres. If the points lie so far
// apart that the cells would be too many, it doubles the edge until they are not.
func (c *Cells) Build(pos []vec.Vec3, edge float64) {
	c.part = slices.Grow(c.part[:0], len(pos)/boundsChunk+1)
	c.box = bounds(pos, c.part)
	c.inv = 1 / edge
	if len(pos) == 0 {
		c.n = [3]int{}
	} else {
		size := c.box.Size()
		for limit := float64(maxCells(len(pos))); ; c.inv /= 2 {
			x, y, z := math.Floor(size.X*c.inv)+1, math.Floor(size.Y*c.inv)+1, math.Floor(size.Z*c.inv)+1
			if x*y*z <= limit {
				c.n = [3]int{int(x), int(y), int(z)}
				break
			}
		}
	}
	c.key = par.Resize(c.key, len(pos))
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x, y, z := c.cell(pos[i])
			c.key[i] = int32((z*c.n[1]+y)*c.n[0] + x)
		}
	})
	c.sort()
}

// Bounds returns the bounding box of pos, which must not contain NaN.
func Bounds(pos []vec.Vec3) vec.Box { return bounds(pos, nil) }

// boundsChunk is how many points a task of bounds looks at.
const boundsChunk = 4096

// bounds is Bounds; it works in part if that is large enough.
func bounds(pos []vec.Vec3, part []vec.Box) vec.Box {
	part = slices.Grow(part[:0], len(pos)/boundsChunk+1)[:len(pos)/boundsChunk+1]
	par.Each(len(part), func(p int) {
		b := vec.Empty()
		lo, hi := b.Min, b.Max
		for _, x := range pos[p*boundsChunk : min(len(pos), (p+1)*boundsChunk)] {
			// Half the time of min and max, which mind NaN.
			if x.X < lo.X {
				lo.X = x.X
			}
			if x.X > hi.X {
				hi.X = x.X
			}
			if x.Y < lo.Y {
				lo.Y = x.Y
			}
			if x.Y > hi.Y {
				hi.Y = x.Y
			}
			if x.Z < lo.Z {
				lo.Z = x.Z
			}
			if x.Z > hi.Z {
				hi.Z = x.Z
			}
		}
		part[p] = vec.Box{Min: lo, Max: hi}
	})
	b := vec.Empty()
	for _, p := range part {
		b = b.Union(p)
	}
	return b
}

// cell returns the cell of x, which must be in the bounding box.
func (c *Cells) cell(x vec.Vec3) (i, j, k int) {
	d := x.Sub(c.box.Min)
	return min(int(d.X*c.inv), c.n[0]-1), min(int(d.Y*c.inv), c.n[1]-1), min(int(d.Z*c.inv), c.n[2]-1)
}

// Corner returns the corner of the cells with the smallest coordinates.
func (c *Cells) Corner() vec.Vec3 { return c.box.Min }

// Cell returns the number of the cell of x, which must be one of the points.
func (c *Cells) Cell(x vec.Vec3) int {
	i, j, k := c.cell(x)
	return (k*c.n[1]+j)*c.n[0] + i
}

// Center returns the middle of a cell.
func (c *Cells) Center(cell int) vec.Vec3 {
	i, j, k := cell%c.n[0], cell/c.n[0]%c.n[1], cell/(c.n[0]*c.n[1])
	return c.box.Min.Add(vec.New(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5).Mul(c.Edge()))
}

// Edge returns the length of the cells' edges, m.
func (c *Cells) Edge() float64 { return 1 / c.inv }

// Rows sets rows to the runs [lo, hi) of Order that hold the points in and around a cell,
// one per row of three cells, ascending. A run is empty where the grid ends.
func (c *Cells) Rows(cell int, rows *[9][2]int32) {
	i, j, k := cell%c.n[0], cell/c.n[0]%c.n[1], cell/(c.n[0]*c.n[1])
	i0, i1 := max(i-1, 0), min(i+2, c.n[0])
	r := 0
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			rows[r] = [2]int32{}
			if y, z := j+dy, k+dz; 0 <= y && y < c.n[1] && 0 <= z && z < c.n[2] {
				row := (z*c.n[1] + y) * c.n[0]
				rows[r] = [2]int32{c.start[row+i0], c.start[row+i1]}
			}
			r++
		}
	}
}

// sort fills start and order from key.
func (c *Cells) sort() {
	cells := c.n[0] * c.n[1] * c.n[2]
	c.start = par.Resize(c.start, cells+1)
	clear(c.start)
	for _, k := range c.key {
		c.start[k+1]++
	}
	for k := range cells {
		c.start[k+1] += c.start[k]
	}
	c.order = par.Resize(c.order, len(c.key))
	c.same = true
	for i, k := range c.key {
		at := c.start[k]
		c.order[at] = int32(i)
		c.start[k]++
		c.same = c.same && int(at) == i
	}
	// Each start has moved on to the next cell's.
	copy(c.start[1:], c.start[:cells])
	c.start[0] = 0
}

// Order returns the indices of the points, cell by cell and ascending within
// a cell. It is valid until the next Build.
func (c *Cells) Order() []int32 { return c.order }

// Sorted reports whether the points came in the order of their cells.
func (c *Cells) Sorted() bool { return c.same }

// RunsIn appends the runs of Order, lo ≤ k < hi, that together hold all points
// in b, ascending, and some beside it.
func (c *Cells) RunsIn(dst [][2]int32, b vec.Box) [][2]int32 {
	b = b.Intersect(c.box)
	if b.IsEmpty() {
		return dst
	}
	i0, j0, k0 := c.cell(b.Min)
	i1, j1, k1 := c.cell(b.Max)
	for k := k0; k <= k1; k++ {
		for j := j0; j <= j1; j++ {
			row := (k*c.n[1] + j) * c.n[0]
			if lo, hi := c.start[row+i0], c.start[row+i1+1]; lo < hi {
				dst = append(dst, [2]int32{lo, hi})
			}
		}
	}
	return dst
}

// Nearest returns the cell of the point of the grid nearest to x.
func (c *Cells) Nearest(x vec.Vec3) int { return c.Cell(x.Max(c.box.Min).Min(c.box.Max)) }

// Size returns the number of cells along each axis.
func (c *Cells) Size() [3]int { return c.n }
