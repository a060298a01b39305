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
	reach := a.reach + margin*g.cell
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
		g.lo[k] = floorDiv(g.index(x)-1-2*softness, side)
		g.n[k] = floorDiv(g.index(hi.Array()[k])+3+2*softness, side) - g.lo[k] + 1
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
		list[i].places(2*g.cell, func(x vec.Vec3) {
			var about span
			for k, x := range x.Array() {
				about.lo[k] = 2 * floorDiv(g.index(x), 2)
				about.hi[k] = about.lo[k] + 2
				if list[i].reach == misty { // and softened
					about.lo[k], about.hi[k] = about.lo[k]-2*softness, about.hi[k]+2*softness
				}
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

// walk visits the boxes of a regular lattice that a ray crosses, in order.
type walk struct {
	at       [3]int     // box
	step     [3]int     // to the next one, along the axes
	far, gap [3]float64 // where the ray enters the next one, and the way between two, along the axes, m
}

// newWalk starts at the distance t along a ray, in one of the n boxes from lo on along each
// axis. The lattice has boxes of a side, and its box (0, 0, 0) begins at the world's origin.
func newWalk(o, d *[3]float64, t, side float64, lo, n [3]int) (w walk) {
	for k := range 3 {
		x := (o[k] + d[k]*t) / side
		w.at[k] = min(lo[k]+n[k]-1, max(lo[k], int(math.Floor(x)))) // at a border it may be rounded out
		switch {
		case d[k] > 0:
			w.step[k], w.gap[k] = 1, side/d[k]
			w.far[k] = (float64(w.at[k]+1)*side - o[k]) / d[k]
		case d[k] < 0:
			w.step[k], w.gap[k] = -1, -side/d[k]
			w.far[k] = (float64(w.at[k])*side - o[k]) / d[k]
		default:
			w.gap[k], w.far[k] = math.Inf(1), math.Inf(1)
		}
	}
	return w
}

// end returns where the ray leaves the box.
func (w *walk) end() float64 { return min(w.far[0], w.far[1], w.far[2]) }

// next goes on to the next box, along the axis that it returns.
func (w *walk) next() int {
	k := 0
	if w.far[1] < w.far[0] {
		k = 1
	}
	if w.far[2] < w.far[k] {
		k = 2
	}
	w.at[k] += w.step[k]
	w.far[k] += w.gap[k]
	return k
}
