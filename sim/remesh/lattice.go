// Package remesh moves what particles carry to the nodes of a lattice and back, and takes
// derivatives there.
//
//	lattice.go    the nodes
//	block.go      boxes of nodes
//	period.go     axes along which they repeat
//	deposit.go    from particles to nodes, and back
//	slopes.go     derivatives at nodes
//	kernels.go    the inner loops of these, in plain Go
//
// The assembly gives the bits of the plain Go.
// The nodes are fixed to the world, so a lattice that grows with a gas changes no node.
package remesh

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Lattice is a box of nodes. Node (i, j, k) is at (Low + (i, j, k)) × Edge.
type Lattice struct {
	Edge   float64 // m
	Low, N [3]int
	Period [3]int // nodes along axes that repeat, without copies; 0 for others
}

// Fit returns the lattice with the given edge in m that has at least margin nodes on each
// side of a box. The number of nodes along axis a is what round makes of the least one.
func Fit(box vec.Box, edge float64, margin int, round func(a, n int) int) Lattice {
	l := Lattice{Edge: edge}
	if box.IsEmpty() {
		return l
	}
	lo, hi := box.Min.Array(), box.Max.Array()
	for a := range lo {
		l.Low[a] = int(math.Floor(lo[a]/edge)) - margin
		l.N[a] = round(a, int(math.Ceil(hi[a]/edge))+margin+1-l.Low[a])
	}
	return l
}

// Bounds returns the smallest box with all points in it.
func Bounds(x []vec.Vec3) vec.Box {
	const grain = 4096
	part := make([]vec.Box, (len(x)+grain-1)/grain)
	par.Each(len(part), func(c int) {
		b := vec.Empty()
		for _, p := range x[c*grain : min(len(x), (c+1)*grain)] {
			b = b.Include(p)
		}
		part[c] = b
	})
	all := vec.Empty()
	for _, b := range part {
		all = all.Union(b)
	}
	return all
}

// Len returns the number of nodes.
func (l *Lattice) Len() int { return l.N[0] * l.N[1] * l.N[2] }

// At returns the place of node p, m. Nodes are counted along x first, and along z last.
func (l *Lattice) At(p int) vec.Vec3 {
	i, j, k := p%l.N[0], p/l.N[0]%l.N[1], p/(l.N[0]*l.N[1])
	return vec.New(float64(l.Low[0]+i), float64(l.Low[1]+j), float64(l.Low[2]+k)).Mul(l.Edge)
}

// Inside calls f for the rows of nodes in a box, in parallel for each plane of nodes: the
// nodes [p, q), which are along x. Planes are counted by c from 0 on. Copies are left out.
func (l *Lattice) Inside(box vec.Box, f func(c, p, q int)) {
	lo, hi := l.range3(box)
	par.Each(max(0, hi[2]-lo[2]), func(c int) {
		for j := lo[1]; j < hi[1]; j++ {
			row := ((c+lo[2])*l.N[1] + j) * l.N[0]
			if lo[0] < hi[0] {
				f(c, row+lo[0], row+hi[0])
			}
		}
	})
}

// range3 returns the nodes [lo, hi) along each axis that are in a box.
func (l *Lattice) range3(box vec.Box) (lo, hi [3]int) {
	a, b := box.Min.Array(), box.Max.Array()
	for k := range lo {
		copies := float64(l.Copies(k))
		n := float64(l.N[k]) - copies
		lo[k] = int(min(max(math.Ceil(a[k]/l.Edge)-float64(l.Low[k]), copies), n))
		hi[k] = int(min(max(math.Floor(b[k]/l.Edge)-float64(l.Low[k])+1, copies), n))
	}
	return lo, hi
}

// planes calls f for each plane of nodes between the margins, in parallel: rows are the
// nodes [p, q) along x.
func (l *Lattice) planes(margin int, f func(p, q int)) { l.planesOf(l.All(), margin, f) }

// planesOf is planes for the nodes of a block.
func (l *Lattice) planesOf(b Block, margin int, f func(p, q int)) {
	for a, n := range l.N {
		b.Lo[a], b.Hi[a] = max(b.Lo[a], margin), min(b.Hi[a], n-margin)
	}
	if b.empty() {
		return
	}
	par.Each(b.Hi[2]-b.Lo[2], func(c int) {
		for j := b.Lo[1]; j < b.Hi[1]; j++ {
			row := ((c+b.Lo[2])*l.N[1] + j) * l.N[0]
			f(row+b.Lo[0], row+b.Hi[0])
		}
	})
}
