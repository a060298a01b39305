package neighbor

import "breakwater/sim/vec"

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
