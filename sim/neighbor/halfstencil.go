package neighbor

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// HalfStencil visits each pair of points once, where a Finder finds it from
// either end (Gourlay, Fluid Simulation for Video Games 15, 2013). A cell is
// paired with itself and with the 13 of its 26 neighbours that come after it;
// the other 13 pair with it in their turn. The zero value is ready for Build.
type HalfStencil struct {
	cells Cells
	pos   []vec.Vec3
	r     float64
}

// Stencil are the 13 offsets, in the order of the cells' numbers.
var Stencil = [13][3]int{
	{1, 0, 0}, {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},
	{-1, -1, 1}, {0, -1, 1}, {1, -1, 1}, {-1, 0, 1}, {0, 0, 1}, {1, 0, 1}, {-1, 1, 1}, {0, 1, 1}, {1, 1, 1},
}

// Build takes the points and the radius r > 0 in metres. It keeps pos.
func (h *HalfStencil) Build(pos []vec.Vec3, r float64) {
	h.pos, h.r = pos, r
	h.cells.Build(pos, r)
}

// Slabs returns how many layers of cells there are along z, the work of which is
// one task.
func (h *HalfStencil) Slabs() int { return h.cells.n[2] }

// Pair takes a pair of points: their numbers, d from j to i, and d². It may be
// called from many goroutines, with pairs that share no point.
type Pair func(i, j int32, d vec.Vec3, d2 float64)

// Each calls visit for each pair of points closer than r, in the order of Phases.
func (h *HalfStencil) Each(visit Pair) {
	h.Phases(func(slab int) { h.Slab(slab, visit) })
}

// Phases calls f for all slabs with even numbers, on many goroutines, and then
// for the odd ones. The pairs of a slab are of its own points and those of the
// next, so no two calls at once share a point; and what happens to a point comes
// in the same order however many goroutines there are.
func (h *HalfStencil) Phases(f func(slab int)) {
	for phase := range 2 {
		par.Each((h.Slabs()+1-phase)/2, func(s int) { f(2*s + phase) })
	}
}

// Slab calls visit for each pair of points closer than r of slab k with itself
// and the next. The stencil's cells are visited as runs of points, for those of a
// row are one after the other.
func (h *HalfStencil) Slab(k int, visit Pair) {
	c := &h.cells
	// The article lets an index run over into the next row, where a cell that is
	// kept empty makes it harmless.
	row := func(i, j, k int) []int32 {
		if j < 0 || j >= c.n[1] || k >= c.n[2] {
			return nil
		}
		cell := (k*c.n[1] + j) * c.n[0]
		return c.order[c.start[cell+max(i-1, 0)]:c.start[cell+min(i+2, c.n[0])]]
	}
	for j := range c.n[1] {
		for i := range c.n[0] {
			cell := (k*c.n[1]+j)*c.n[0] + i
			from, to := c.start[cell], c.start[cell+1]
			if from == to {
				continue
			}
			// With F of figure 5, then S: the next cell, the next row, and three rows of
			// the next slab.
			next := c.order[from:c.start[(k*c.n[1]+j)*c.n[0]+min(i+2, c.n[0])]]
			rows := [4][]int32{row(i, j+1, k), row(i, j-1, k+1), row(i, j, k+1), row(i, j+1, k+1)}
			for a := range int(to - from) {
				h.pairs(next[a], next[a+1:], visit)
				for _, r := range rows {
					h.pairs(next[a], r, visit)
				}
			}
		}
	}
}

// pairs visits p with those of list that are close. They are sifted out first,
// without a branch that one in six would take.
func (h *HalfStencil) pairs(p int32, list []int32, visit Pair) {
	const most = 64
	var near [most]int32
	x, r2 := h.pos[p], h.r*h.r
	for len(list) > 0 {
		n := 0
		part := list[:min(most, len(list))]
		list = list[len(part):]
		for _, q := range part {
			y := &h.pos[q]
			dx, dy, dz := x.X-y.X, x.Y-y.Y, x.Z-y.Z
			near[n%most] = q
			hit := 0
			if dx*dx+dy*dy+dz*dz < r2 {
				hit = 1
			}
			n += hit
		}
		for _, q := range near[:n] {
			d := x.Sub(h.pos[q])
			visit(p, q, d, d.Dot(d))
		}
	}
}
