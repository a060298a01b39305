package neighbor

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// HalfStencil visits each pair of points once, where a Finder finds it from
// either end (Gourlay, Fluid Simulation for Video Games 15, 2013). A cell is
// paired with itself and with the 13 of its 26 neighbours that come after it;
// the other 13 pair with it in their turn. The zero value is ready for Build.
type HalfStencil struct {
	cells Cells
	axis  int // along which the slabs follow each other: the longest
	pos   []vec.Vec3
	at    []vec.Vec3 // the same in the order of their cells, with that axis for z
	tmp   []vec.Vec3
	r     float64
}

// Stencil are the 13 offsets, in the order of the cells' numbers.
var Stencil = [13][3]int{
	{1, 0, 0}, {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},
	{-1, -1, 1}, {0, -1, 1}, {1, -1, 1}, {-1, 0, 1}, {0, 0, 1}, {1, 0, 1}, {-1, 1, 1}, {0, 1, 1}, {1, 1, 1},
}

// Build takes the points and the radius r > 0 in metres. It keeps pos.
func (h *HalfStencil) Build(pos []vec.Vec3, r float64) {
	size := Bounds(pos).Size()
	switch h.axis = 2; {
	case size.X > size.Z && size.X >= size.Y:
		h.axis = 0
	case size.Y > size.Z:
		h.axis = 1
	}
	h.pos, h.r, h.at, h.tmp = pos, r, par.Resize(h.at, len(pos)), par.Resize(h.tmp, len(pos))
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			h.tmp[i] = h.turn(pos[i])
		}
	})
	h.cells.Build(h.tmp, r)
	par.For(len(pos), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			h.at[k] = h.tmp[h.cells.order[k]]
		}
	})
}

// turn swaps the slabs' axis and z.
func (h *HalfStencil) turn(v vec.Vec3) vec.Vec3 {
	switch h.axis {
	case 0:
		return vec.New(v.Z, v.Y, v.X)
	case 1:
		return vec.New(v.X, v.Z, v.Y)
	}
	return v
}

// Order returns the indices of the points, slab by slab. It is valid until the next
// Build.
func (h *HalfStencil) Order() []int32 { return h.cells.order }

// Sorted reports whether the points came in that order.
func (h *HalfStencil) Sorted() bool { return h.cells.same }

// Slabs returns how many layers of cells there are along the longest side of all,
// the work of which is one task each.
func (h *HalfStencil) Slabs() int { return h.cells.n[2] }

// Pair is two points, R apart in the direction S from J to I, which is 0 for points
// in the same place.
type Pair struct {
	I, J int32
	R    float64 // m
	S    vec.Vec3
}

// Phases calls f for all slabs with even numbers, on many goroutines, and then for the
// odd ones. The pairs of a slab consist of its own points and the points of the next
// slab, so that no two concurrent calls share a point. Each point is updated in the same
// order for any number of goroutines.
func (h *HalfStencil) Phases(f func(slab int)) {
	for phase := range 2 {
		par.Each((h.Slabs()+1-phase)/2, func(s int) { f(2*s + phase) })
	}
}

// Slab appends the pairs closer than r of slab k with itself and the next. The stencil's
// cells are visited as runs of points, since the cells of a row are consecutive.
func (h *HalfStencil) Slab(list []Pair, k int) []Pair {
	c := &h.cells
	// The article lets an index run over into the next row, where a cell that is
	// kept empty makes it harmless.
	row := func(i, j, k int) [2]int32 {
		if j < 0 || j >= c.n[1] || k >= c.n[2] {
			return [2]int32{}
		}
		cell := (k*c.n[1] + j) * c.n[0]
		return [2]int32{c.start[cell+max(i-1, 0)], c.start[cell+min(i+2, c.n[0])]}
	}
	var near []int32
	for j := range c.n[1] {
		for i := range c.n[0] {
			cell := (k*c.n[1]+j)*c.n[0] + i
			from, to := c.start[cell], c.start[cell+1]
			if from == to {
				continue
			}
			// With F of figure 5, then S: the next cell, the next row, and three rows of
			// the next slab.
			next := c.start[(k*c.n[1]+j)*c.n[0]+min(i+2, c.n[0])]
			rows := [5][2]int32{{from, next}, row(i, j+1, k), row(i, j-1, k+1), row(i, j, k+1), row(i, j+1, k+1)}
			for a := from; a < to; a++ {
				rows[0][0] = a + 1
				near = h.sift(near[:0], a, &rows)
				list = h.pairs(list, a, near)
			}
		}
	}
	return list
}

// sift appends the points closer than r to the point a, in the order of cells, of some
// runs of others, without a branch that one in six would take.
func (h *HalfStencil) sift(near []int32, a int32, rows *[5][2]int32) []int32 {
	most := int32(0)
	for _, r := range rows {
		most += r[1] - r[0]
	}
	near = slices.Grow(near, int(most))[:most]
	n, r2 := 0, h.r*h.r
	x, y, z := h.at[a].X, h.at[a].Y, h.at[a].Z
	for _, r := range rows {
		run := h.at[r[0]:r[1]]
		for k := range run {
			to := &run[k]
			dx, dy, dz := x-to.X, y-to.Y, z-to.Z
			near[n] = r[0] + int32(k)
			hit := 0
			if float64(dx*dx)+float64(dy*dy)+float64(dz*dz) < r2 {
				hit = 1
			}
			n += hit
		}
	}
	return near[:n]
}

// pairs appends the pairs of the point a and those near, in the order of cells.
func (h *HalfStencil) pairs(list []Pair, a int32, near []int32) []Pair {
	pos, order := h.pos, h.cells.order
	p := order[a]
	x, y, z := pos[p].X, pos[p].Y, pos[p].Z
	at := len(list)
	list = slices.Grow(list, len(near))[:at+len(near)]
	found := list[at:]
	for m, k := range near {
		q, pair := order[k], &found[m]
		to := &pos[q]
		dx, dy, dz := x-to.X, y-to.Y, z-to.Z
		r := math.Sqrt(float64(dx*dx) + float64(dy*dy) + float64(dz*dz))
		inv := 0.
		if r > 0 {
			inv = 1 / r
		}
		// One by one, which a whole Pair would be copied for.
		pair.I, pair.J, pair.R = p, q, r
		pair.S.X, pair.S.Y, pair.S.Z = dx*inv, dy*inv, dz*inv
	}
	return list
}
