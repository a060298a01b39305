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

// Each calls visit for each pair of points closer than r, in the order of Phases.
func (h *HalfStencil) Each(visit func(i, j int32)) {
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
// and the next.
func (h *HalfStencil) Slab(k int, visit func(i, j int32)) {
	c := &h.cells
	for j := range c.n[1] {
		for i := range c.n[0] {
			own := c.points(i, j, k)
			for a, p := range own {
				h.pairs(p, own[a+1:], visit)
			}
			if len(own) == 0 {
				continue
			}
			for _, o := range Stencil {
				// The article lets an index run over into the next row, where
				// a cell that is kept empty makes it harmless.
				x, y, z := i+o[0], j+o[1], k+o[2]
				if x < 0 || x >= c.n[0] || y < 0 || y >= c.n[1] || z >= c.n[2] {
					continue
				}
				other := c.points(x, y, z)
				for _, p := range own {
					h.pairs(p, other, visit)
				}
			}
		}
	}
}

// pairs visits p with those of list that are close.
func (h *HalfStencil) pairs(p int32, list []int32, visit func(i, j int32)) {
	x := h.pos[p]
	for _, q := range list {
		if d := x.Sub(h.pos[q]); d.Dot(d) < h.r*h.r {
			visit(p, q)
		}
	}
}

// points returns the points of a cell.
func (c *Cells) points(i, j, k int) []int32 {
	cell := (k*c.n[1]+j)*c.n[0] + i
	return c.order[c.start[cell]:c.start[cell+1]]
}
