package neighbor

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

func init() {
	Finders.Add("grid", "uniform grid, points sorted by cell", "Green 2008", func() Finder { return new(Grid) })
}

// Grid searches the cells of a uniform grid, whose points it keeps sorted by
// cell (Green, CUDA Particles, 2008, without the GPU). It is fastest on points
// that come sorted: see Cells, with the edge Edge(r).
type Grid struct {
	cells Cells
	r     float64
	x     []vec.Vec3 // the points by cell
	src   []vec.Vec3 // the points as they came
}

// Edge returns the edge that Grid gives its cells for a search radius r: the
// radius itself. Five points are then tested for each found. With half the
// edge it is half as many, but in three times as many runs, which took a
// fifth longer when measured.
func Edge(r float64) float64 { return r }

// Build implements Finder.
func (g *Grid) Build(pos []vec.Vec3, r float64) {
	g.r = r
	g.cells.Build(pos, Edge(r))
	if g.x = pos; g.cells.Sorted() {
		return
	}
	g.src = slices.Grow(g.src[:0], len(pos))[:len(pos)]
	g.x = g.src
	order := g.cells.Order()
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			g.x[i] = pos[order[i]]
		}
	})
}

// Near implements Finder.
func (g *Grid) Near(dst []int32, x vec.Vec3) []int32 {
	c := &g.cells
	d := x.Sub(c.box.Min)
	r, r2 := g.r, g.r*g.r
	j0, j1 := span(d.Y, r, c.inv, c.n[1])
	k0, k1 := span(d.Z, r, c.inv, c.n[2])
	edge := 1 / c.inv
	from := len(dst)
	for k := k0; k < k1; k++ {
		dz := gap(d.Z, k, edge)
		for j := j0; j < j1; j++ {
			dy := gap(d.Y, j, edge)
			// The row of cells is farther than r, or reaches |dx| < √rest. The
			// slack keeps rounding from dropping a point that lies just inside.
			rest := float64(r2*(1+1e-9)) - float64(dy*dy) - float64(dz*dz)
			if rest <= 0 {
				continue
			}
			i0, i1 := span(d.X, math.Sqrt(rest), c.inv, c.n[0])
			if i0 >= i1 {
				continue
			}
			row := (k*c.n[1] + j) * c.n[0]
			dst = near(dst, g.x, int(c.start[row+i0]), int(c.start[row+i1]), x, r2)
		}
	}
	if !c.Sorted() {
		order := c.Order()
		for n := from; n < len(dst); n++ {
			dst[n] = order[dst[n]]
		}
		slices.Sort(dst[from:])
	}
	return dst
}

// near appends the j in lo ≤ j < hi with x[j] closer than √r2 to y. The outcome of the
// test sets the step of n and not a branch, because it is unpredictable, and a
// mispredicted branch costs more than the test.
func near(dst []int32, x []vec.Vec3, lo, hi int, y vec.Vec3, r2 float64) []int32 {
	n := len(dst)
	dst = slices.Grow(dst, hi-lo)[:n+hi-lo]
	for j, p := range x[lo:hi] {
		dx, dy, dz := y.X-p.X, y.Y-p.Y, y.Z-p.Z
		dst[n] = int32(lo + j)
		n += int(math.Float64bits(float64(dx*dx)+float64(dy*dy)+float64(dz*dz)-r2) >> 63) // 1 if less than r2
	}
	return dst[:n]
}

// span returns the cells [lo, hi) of an axis of n cells that the interval [d−r, d+r]
// overlaps.
func span(d, r, inv float64, n int) (lo, hi int) {
	a, b := (d-r)*inv, (d+r)*inv
	if !(b >= 0) || a >= float64(n) {
		return 0, 0
	}
	return int(max(a, 0)), int(min(b, float64(n-1))) + 1
}

// gap returns the distance along an axis from d to cell k, 0 inside it.
func gap(d float64, k int, edge float64) float64 {
	lo := float64(float64(k) * edge)
	return max(lo-d, d-lo-edge, 0)
}
