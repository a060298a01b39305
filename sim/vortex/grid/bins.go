package grid

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Bins lists the particles in each cell of a grid.
type Bins struct {
	start []int32
	order []int32 // ascending within a cell
	key   []int32
}

// Sort lists the particles at x by the cells of g.
func (b *Bins) Sort(g *Grid, x []vec.Vec3) {
	b.key, b.order = par.Resize(b.key, len(x)), par.Resize(b.order, len(x))
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c, _ := g.Cell(x[i])
			b.key[i] = int32((c[2]*g.N[1]+c[1])*g.N[0] + c[0])
		}
	})
	b.start = par.Resize(b.start, g.Cells()+1)
	clear(b.start)
	for _, k := range b.key {
		b.start[k+1]++
	}
	for c := range g.Cells() {
		b.start[c+1] += b.start[c]
	}
	for i := len(x) - 1; i >= 0; i-- { // from the end, so that start moves back to the first
		k := b.key[i] + 1
		b.start[k]--
		b.order[b.start[k]] = int32(i)
	}
	// start[c+1] is now where cell c begins.
	copy(b.start, b.start[1:])
	b.start[g.Cells()] = int32(len(x))
}

// In returns the particles in cell c.
func (b *Bins) In(c int) []int32 { return b.Row(c, c) }

// Row returns the particles in the cells from first to last.
func (b *Bins) Row(first, last int) []int32 { return b.order[b.start[first]:b.start[last+1]] }
