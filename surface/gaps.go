package surface

import (
	"math/bits"

	"breakwater/sim/par"
)

// gaps are the small pieces of air that liquid and walls enclose: where a particle is
// missing at a wall, the field falls below the threshold, and light shines through the pit.
// The surface of such a gap hangs together with the liquid's face along the wall, so that
// cavities does not see it.
type gaps struct {
	air  parts
	open []bool  // of each part of the air
	size []int32 // in nodes
}

// fill puts the nodes of all gaps of less than the given number of nodes inside the liquid.
// A node is air if it is before all walls and outside the liquid, and edges of the grid
// connect the nodes of a gap.
func (a *gaps) fill(g *grid, most float64) {
	par.Each(len(g.blocks), func(i int) { g.blocks[i].findAir() })
	a.air.air = true
	a.air.find(g)
	a.open, a.size = resize(a.open, a.air.n), resize(a.size, a.air.n)
	clear(a.open)
	clear(a.size)
	for i, b := range g.blocks {
		if b.airless {
			continue
		}
		a.eachRun(int32(i), func(part int32, r int, run uint16) {
			a.size[part] += int32(bits.OnesCount16(run))
		})
		a.findOpen(g, int32(i))
	}
	par.Each(len(g.blocks), func(i int) {
		b := g.blocks[i]
		if b.airless {
			return
		}
		a.eachRun(int32(i), func(part int32, r int, run uint16) {
			if !a.open[part] && float64(a.size[part]) < most {
				b.inside[r] |= run
			}
		})
		b.sum()
	})
}

// findAir finds the air of a block that has liquid too. The air of any other is large or
// has an opening into such a block.
func (b *block) findAir() {
	b.airless = true
	if b.empty || b.full {
		clear(b.air[:]) // blocks are used again
		return
	}
	for r, row := range b.inside {
		b.air[r] = ^row
		if b.cut {
			b.air[r] &= b.clear[r]
		}
		b.airless = b.airless && b.air[r] == 0
	}
}

// eachRun calls f for each run of air of block b, in row r.
func (a *gaps) eachRun(b int32, f func(part int32, r int, run uint16)) {
	for r, row := range a.air.g.blocks[b].air {
		for row != 0 {
			x := bits.TrailingZeros16(row)
			n := bits.TrailingZeros16(^(row >> x))
			run := uint16((1<<n - 1) << x)
			f(a.air.of[a.air.run(b, r, x)], r, run)
			row &^= run
		}
	}
}

// findOpen marks the parts of the air of block b that go on in an adjacent block without liquid.
func (a *gaps) findOpen(g *grid, index int32) {
	b := g.blocks[index]
	for axis := range 3 {
		for _, step := range [...]int{-1, 1} {
			at := b.at
			at[axis] += step
			var next *block
			if n := g.find(at[0], at[1], at[2]); n >= 0 {
				next = g.blocks[n]
				if !next.empty {
					continue // full, or its air is among the parts
				}
			}
			own, other := 0, side-1 // the layers of nodes that meet
			if step > 0 {
				own, other = other, own
			}
			for r, row := range b.air {
				y, z := r%side, r/side
				beyond := r
				switch {
				case axis == 1 && y != own || axis == 2 && z != own:
					continue
				case axis == 1:
					beyond = z*side + other
				case axis == 2:
					beyond = other*side + y
				}
				if axis == 0 {
					row &= 1 << own
					if next != nil && next.cut && next.clear[r]>>other&1 == 0 {
						row = 0
					}
				} else if next != nil && next.cut {
					row &= next.clear[beyond]
				}
				for ; row != 0; row &= row - 1 {
					a.open[a.air.of[a.air.run(index, r, bits.TrailingZeros16(row))]] = true
				}
			}
		}
	}
}
