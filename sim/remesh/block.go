package remesh

import (
	"math"

	"breakwater/sim/vec"
)

// Block is a box of nodes: those from Lo on and before Hi along each axis.
type Block struct{ Lo, Hi [3]int }

// All returns the block of all nodes.
func (l *Lattice) All() Block { return Block{Hi: l.N} }

// Around returns the block of all nodes in a box and of some more on each side. Where the nodes repeat along
// any axis, it is the block of all nodes.
func (l *Lattice) Around(box vec.Box, more int) Block {
	if l.Repeats() {
		return l.All()
	}
	if box.IsEmpty() {
		return Block{}
	}
	var b Block
	lo, hi := box.Min.Array(), box.Max.Array()
	for a, n := range l.N {
		within := func(x float64) int {
			if x -= float64(l.Low[a]); x > 0 {
				return int(min(x, float64(n)))
			}
			return 0 // also if it is not a number
		}
		b.Lo[a] = within(math.Floor(lo[a]/l.Edge) - float64(more))
		b.Hi[a] = within(math.Ceil(hi[a]/l.Edge) + float64(more) + 1)
	}
	return b
}

// empty reports whether b has no nodes.
func (b Block) empty() bool { return b.Lo[0] >= b.Hi[0] || b.Lo[1] >= b.Hi[1] || b.Lo[2] >= b.Hi[2] }

// Union returns the smallest block with the nodes of both.
func (b Block) Union(c Block) Block {
	if b.empty() {
		return c
	}
	if c.empty() {
		return b
	}
	for a := range b.Lo {
		b.Lo[a], b.Hi[a] = min(b.Lo[a], c.Lo[a]), max(b.Hi[a], c.Hi[a])
	}
	return b
}

// Grown returns the block with more nodes on each side, as far as the lattice goes.
func (l *Lattice) Grown(b Block, more int) Block {
	if b.empty() {
		return b
	}
	for a, n := range l.N {
		b.Lo[a], b.Hi[a] = max(0, b.Lo[a]-more), min(n, b.Hi[a]+more)
	}
	return b
}

// Rows calls f for the rows of a block: the nodes [p, q) along x, of the nodes [from, to).
func (l *Lattice) Rows(b Block, from, to int, f func(p, q int)) {
	nx, plane := l.N[0], l.N[0]*l.N[1]
	for k := max(b.Lo[2], from/plane); k < b.Hi[2] && k*plane < to; k++ {
		for j := b.Lo[1]; j < b.Hi[1]; j++ {
			row := k*plane + j*nx
			if p, q := max(from, row+b.Lo[0]), min(to, row+b.Hi[0]); p < q {
				f(p, q)
			}
		}
	}
}
