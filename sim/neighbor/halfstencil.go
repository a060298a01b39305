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

// Each calls visit for each pair of points closer than r, on many goroutines but
// never on two that share a point. The slabs of cells with even z come first, all
// at once, and then the odd ones: a slab writes to its own points and to those
// of the next. The visits of a point come in the same order however many
// goroutines there are.
func (h *HalfStencil) Each(visit func(i, j int32)) {
	for phase := range 2 {
		slabs := (h.Slabs() + 1 - phase) / 2
		par.Each(slabs, func(s int) { h.slab(2*s+phase, visit) })
	}
}

// EachSerial is Each on one goroutine and slab by slab, an order of visits that
// differs from that of Each.
func (h *HalfStencil) EachSerial(visit func(i, j int32)) {
	for k := range h.Slabs() {
		h.slab(k, visit)
	}
}

// slab visits the pairs of slab k with itself and the next.
func (h *HalfStencil) slab(k int, visit func(i, j int32)) {
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
