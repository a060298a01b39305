package grains

import (
	"math"

	"breakwater/sim/vec"
)

const (
	side    = 8 // cells along a block
	cells   = side * side * side
	margin  = 1e-3    // of a cell, by which a grain reaches into its neighbours, more than rounding
	spots   = 1 << 22 // that blocks can be in
	entries = 1 << 26 // of all lists together
)

// grid has the grains by the cells that they reach into. Cells are cubes of blocks of
// 8 × 8 × 8, and only blocks with grains exist. The cells are fixed to the world, so that
// nothing swims when the cloud grows.
type grid struct {
	cell  float64 // side of a cell, m
	lo, n [3]int  // first block, and number of blocks, along the axes
	block []int32 // by place: number of the block; −1 for none
	place [][3]int32
	start []int32 // of the cells of the blocks: first of list
	list  []int32 // numbers of grains, ascending in each cell

	filledCells [][cells / 64]uint64 // by block: which cells have grains
}

// newGrid returns the grid of list, with cells of a side or, if these were too many, of
// larger ones. It has lists of grains only if listed.
func newGrid(list []grain, cell float64, listed bool) *grid {
	for ; ; cell *= 1.5 {
		g := &grid{cell: cell}
		if g.build(list, listed) {
			return g
		}
	}
}

// span are the cells from lo to hi along the axes, both included.
type span struct{ lo, hi [3]int }

func (s *span) has(x, y, z int) bool {
	return x >= s.lo[0] && x <= s.hi[0] && y >= s.lo[1] && y <= s.hi[1] && z >= s.lo[2] && z <= s.hi[2]
}

// pieces calls f for the cells that a grain may reach into on its way, piece by piece of
// about a cell, with the cells of the piece before.
func (g *grid) pieces(a *grain, f func(now, before span)) {
	if a.reach < 0 {
		return
	}
	n := max(1, int(math.Ceil(a.way.Len()/g.cell)))
	reach := a.reach + float64(margin*g.cell)
	before := span{lo: [3]int{1}, hi: [3]int{}} // nothing
	from := a.x.Sub(a.way.Mul(0.5))
	for range n {
		to := from.Add(a.way.Mul(1 / float64(n)))
		lo, hi := from.Min(to), from.Max(to)
		now := span{
			[3]int{g.index(lo.X - reach), g.index(lo.Y - reach), g.index(lo.Z - reach)},
			[3]int{g.index(hi.X + reach), g.index(hi.Y + reach), g.index(hi.Z + reach)},
		}
		f(now, before)
		from, before = to, now
	}
}

// places calls f for places on the way of a, at most step apart.
func (a *grain) places(step float64, f func(x vec.Vec3)) {
	n := 1 + int(a.way.Len()/step)
	for k := range n {
		f(a.x.Add(a.way.Mul((float64(k)+0.5)/float64(n) - 0.5)))
	}
}

func (g *grid) index(x float64) int { return int(math.Floor(x / g.cell)) }

// build fills g, and reports whether it has room.
func (g *grid) build(list []grain, listed bool) bool {
	if len(list) == 0 {
		return true
	}
	lo, hi := list[0].x, list[0].x
	for i := range list {
		a := &list[i]
		reach := max(0, a.reach)
		r := vec.Vec3{X: reach, Y: reach, Z: reach}.Add(abs(a.way).Mul(0.5))
		lo, hi = lo.Min(a.x.Sub(r)), hi.Max(a.x.Add(r))
	}
	room := 1
	for k, x := range lo.Array() {
		// Room on both sides for the nodes about a grain.
		g.lo[k] = floorDiv(g.index(x)-1-2*mistSoftness, side)
		g.n[k] = floorDiv(g.index(hi.Array()[k])+3+2*mistSoftness, side) - g.lo[k] + 1
		if g.n[k] > spots/room {
			return false
		}
		room *= g.n[k]
	}
	g.block = make([]int32, room)
	mark := func(s span) {
		for z := floorDiv(s.lo[2], side); z <= floorDiv(s.hi[2], side); z++ {
			for y := floorDiv(s.lo[1], side); y <= floorDiv(s.hi[1], side); y++ {
				for x := floorDiv(s.lo[0], side); x <= floorDiv(s.hi[0], side); x++ {
					g.block[g.spot(x, y, z)] = 1
				}
			}
		}
	}
	total := 0
	for i := range list {
		g.pieces(&list[i], func(now, _ span) {
			mark(now)
			total += (now.hi[0] - now.lo[0] + 1) * (now.hi[1] - now.lo[1] + 1) * (now.hi[2] - now.lo[2] + 1)
		})
		// The eight nodes about it.
		list[i].places(float64(2*g.cell), func(x vec.Vec3) {
			var about span
			for k, x := range x.Array() {
				first, soft := 2*floorDiv(g.index(x), 2), 2*list[i].softness()
				about.lo[k], about.hi[k] = first-soft, first+2+soft
			}
			mark(about)
		})
	}
	if total > entries {
		return false
	}
	for k := range g.block {
		if g.block[k] == 0 {
			g.block[k] = -1
			continue
		}
		g.block[k] = int32(len(g.place))
		g.place = append(g.place, [3]int32{
			int32(g.lo[0] + k%g.n[0]), int32(g.lo[1] + k/g.n[0]%g.n[1]), int32(g.lo[2] + k/g.n[0]/g.n[1]),
		})
	}
	if !listed {
		return true
	}
	g.start = make([]int32, cells*len(g.place)+1)
	each := func(f func(i int32, cell int)) {
		for i := range list {
			g.pieces(&list[i], func(now, before span) {
				for z := now.lo[2]; z <= now.hi[2]; z++ {
					for y := now.lo[1]; y <= now.hi[1]; y++ {
						for x := now.lo[0]; x <= now.hi[0]; x++ {
							if !before.has(x, y, z) {
								f(int32(i), g.cellAt(x, y, z))
							}
						}
					}
				}
			})
		}
	}
	each(func(_ int32, cell int) { g.start[cell+1]++ })
	for i := range cells * len(g.place) {
		g.start[i+1] += g.start[i]
	}
	g.list = make([]int32, g.start[len(g.start)-1])
	next := make([]int32, cells*len(g.place))
	copy(next, g.start)
	each(func(i int32, cell int) {
		g.list[next[cell]] = i
		next[cell]++
	})
	g.filledCells = make([][cells / 64]uint64, len(g.place))
	for cell, from := range g.start[:cells*len(g.place)] {
		if from < g.start[cell+1] {
			g.filledCells[cell/cells][cell%cells/64] |= 1 << (cell % 64)
		}
	}
	return true
}

// spot returns the place of a block among all.
func (g *grid) spot(x, y, z int) int {
	return ((z-g.lo[2])*g.n[1]+y-g.lo[1])*g.n[0] + x - g.lo[0]
}

// blockAt returns the number of a block, −1 for none.
func (g *grid) blockAt(x, y, z int) int32 {
	x, y, z = x-g.lo[0], y-g.lo[1], z-g.lo[2]
	if uint(x) >= uint(g.n[0]) || uint(y) >= uint(g.n[1]) || uint(z) >= uint(g.n[2]) {
		return -1
	}
	return g.block[(z*g.n[1]+y)*g.n[0]+x]
}

// cellAt returns the number of a cell of a block that exists.
func (g *grid) cellAt(x, y, z int) int {
	b := g.block[g.spot(floorDiv(x, side), floorDiv(y, side), floorDiv(z, side))]
	return int(b)*cells + (z&(side-1)*side+y&(side-1))*side + x&(side-1)
}

// floorDiv returns a/b rounded down, for b a power of 2.
func floorDiv(a, b int) int {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

func abs(a vec.Vec3) vec.Vec3 { return vec.Vec3{X: math.Abs(a.X), Y: math.Abs(a.Y), Z: math.Abs(a.Z)} }

// probe is a ray through a grid.
type probe struct {
	oa, da, inverse [3]float64 // origin, unit direction, and 1 over that
}

func newProbe(o, d vec.Vec3) probe {
	return probe{o.Array(), d.Array(), [3]float64{1 / d.X, 1 / d.Y, 1 / d.Z}}
}

// within returns the part of a ray between two distances that is in the bounds of the grid,
// or an empty part.
func (g *grid) within(p *probe, t0, t1 float64) (from, to float64) {
	b := float64(side * g.cell)
	for k := range 3 {
		lo, hi := float64(float64(g.lo[k])*b), float64(float64(g.lo[k]+g.n[k])*b)
		if p.da[k] == 0 {
			if p.oa[k] < lo || p.oa[k] >= hi {
				return t0, t0
			}
			continue
		}
		from, to := float64((lo-p.oa[k])*p.inverse[k]), float64((hi-p.oa[k])*p.inverse[k])
		t0, t1 = max(t0, min(from, to)), min(t1, max(from, to))
	}
	return t0, t1
}

// blocks calls f for the blocks that exist on a ray between two distances in the bounds of the
// grid, in order, until f returns false.
func (g *grid) blocks(p *probe, t0, t1 float64, f func(block int32, from, to float64) bool) {
	if !(t0 < t1) {
		return
	}
	b := side * g.cell
	perBlock := 1 / b
	var at, step [3]int     // of the block, and to the next one along the axes
	var far, gap [3]float64 // where the ray enters the next one, and the way between two, along the axes, m
	for k := range 3 {
		x := (p.oa[k] + float64(p.da[k]*t0)) * perBlock
		at[k] = min(g.lo[k]+g.n[k]-1, max(g.lo[k], int(math.Floor(x)))) // at a border it may be rounded out
		switch {
		case p.da[k] > 0:
			step[k], gap[k] = 1, b*p.inverse[k]
			far[k] = (float64(float64(at[k]+1)*b) - p.oa[k]) * p.inverse[k]
		case p.da[k] < 0:
			step[k], gap[k] = -1, -b*p.inverse[k]
			far[k] = (float64(float64(at[k])*b) - p.oa[k]) * p.inverse[k]
		default:
			gap[k], far[k] = math.Inf(1), math.Inf(1)
		}
	}
	stride := [3]int{1, g.n[0], g.n[0] * g.n[1]}
	var left [3]int // blocks along the axes, with this one
	spot := 0
	for k := range 3 {
		spot += (at[k] - g.lo[k]) * stride[k]
		if left[k] = g.lo[k] + g.n[k] - at[k]; step[k] < 0 {
			left[k], stride[k] = at[k]-g.lo[k]+1, -stride[k]
		}
	}
	for t0 < t1 {
		k := 0
		if far[1] < far[0] {
			k = 1
		}
		if far[2] < far[k] {
			k = 2
		}
		if end := min(t1, far[k]); end > t0 {
			if n := g.block[spot]; n >= 0 && !f(n, t0, end) {
				return
			}
			t0 = end
		}
		if left[k]--; left[k] == 0 {
			return
		}
		far[k] += gap[k]
		spot += stride[k]
	}
}
