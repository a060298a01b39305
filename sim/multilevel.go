package sim

import (
	"slices"
	"sync"

	"breakwater/sim/neighbor"
	"breakwater/sim/pairsum"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// multilevel corrects the errors of a pressure that reach over many particles. A Jacobi
// step moves such an error by one neighbour, so that without multilevel the iterations of a
// solve grow in proportion to the depth in particles: from 13 to 200 in still tanks of 25
// to 200 layers. With it there are 7, from the start of such tanks on, for any depth.
//
// To a Jacobi step of projection it adds P B Pᵀr, r the residual. Pᵀ adds up the particles
// of a cell, and P gives each of them the pressure of its cell. The cells are those of the
// search for neighbours, with edges of h. B is a multigrid cycle for PᵀAP, A the matrix of
// poisson. The sum is the additive method of Bramble, Pasciak and Xu, Parallel multilevel
// preconditioners, Math. Comput. 55, 1990, with two terms.
//
// The coarser grids have cells of 2 × 2 × 2 finer ones. Their matrices are P'ᵀA'P' too, but
// divided by coarseStiffness. A pressure that is constant in each cell and follows a slope
// has steps twice as high between cells half as often, and twice the energy of the slope
// (Braess, Towards algebraic multigrid for elliptic problems of second order, Computing
// 55, 1995). A cycle visits each coarser grid but the coarsest twice, as a W-cycle does.
//
// Only particles whose pressure may change either way take part. Others count as a
// surface with the correction 0, as do particles beside inflows. Walls, gaps between drops
// and the sides of a periodic domain need no care, because the matrix follows the pairs.
// Lengths are in units of h. All sums have a fixed order.
type multilevel struct {
	cells  *neighbor.Cells
	x      []vec.Vec3 // m
	rate   *poisson
	levels []*grid // the finest first
	depth  int     // grids in use; 0 before the first correction of a solve
	cell   []int32 // of each particle and image: its cell of the finest grid, or their number for one that takes no part
	place  []int32 // of each particle: its cell among all, the empty ones too
	before []int32 // cells that begin before a block
	table  []int32 // of each place in a grid: its cell + 1, or 0
}

const (
	// jacobiShare and coarseShare scale the two terms, so that the eigenvalues of the
	// iteration's matrix stay below 1. Half and twice the ratio took a fifth more
	// iterations; with 0.5 and 0.5 it diverged.
	jacobiShare = 0.8
	coarseShare = 0.25

	// coarseRelax is the factor of the Jacobi steps within a cycle.
	coarseRelax = 0.75

	// coarseStiffness is 2 in theory. The W-cycle is stable up to 2.
	coarseStiffness = 1.8

	// changedShare is the share of the particles that may begin or cease to take part
	// before the matrices are found again.
	changedShare = 0.02

	// coarsestSweeps is the number of Jacobi steps on the coarsest grid, of at most
	// rowsLen cells.
	coarsestSweeps = 16
)

// correctedRanges are those of a solve with corrections. κ was found to be 10 to 40. A last
// one of 160 took up to twice the iterations where they are many.
var correctedRanges = ranges{first: 10, last: 40, growth: 2, length: 3}

// corrector is a pressureRate that knows a correction for a projection.
type corrector interface {
	// correct adds factor times the correction to k of p.At, for the remainders in s.comp
	// of the pressures in s.before. The matrices may be found again if fresh is set.
	correct(s *projection, p *Pairs, dt2, factor float32, fresh bool)
}

// grid is a grid of cells with particles, and its matrix
//
//	(A x)_c = extra_c x_c + Σ_d weight_cd (x_c − x_d).
type grid struct {
	n      int
	size   [3]int  // cells along each axis, empty ones too
	place  []int32 // of each cell, among all
	first  []int32 // where the parts of each cell begin: particles on the finest grid, and in parts on others
	parts  []int32 // cells of the next finer grid
	parent []int32 // the cell of the next coarser grid
	rows   []gridRows
	extra  []float32
	relax  []float32 // coarseRelax over the diagonal
	b, x   []float32
	rest   []float32 // b − A x
	first2 []float32 // x of the first of two visits
}

// rowsLen is how many rows of a matrix lie together. They are the work of a task.
const rowsLen = 64

// gridRows are rowsLen rows of a matrix.
type gridRows struct {
	start   [rowsLen + 1]int32
	list    []gridWeight
	changed int // particles that began or ceased to take part
}

type gridWeight struct {
	to     int32
	weight float32
}

// resize gives g n cells.
func (g *grid) resize(n int) {
	g.n = n
	for _, v := range []*[]float32{&g.extra, &g.relax, &g.b, &g.x, &g.rest, &g.first2} {
		*v = par.Resize(*v, n)
	}
	g.parent = par.Resize(g.parent, n)
	g.rows = par.Resize(g.rows, g.tasks())
}

// tasks returns the number of tasks for all rows.
func (g *grid) tasks() int { return (g.n + rowsLen - 1) / rowsLen }

// each calls f for all rows, in parallel: for r, which has the rows lo ≤ c < hi.
func (g *grid) each(f func(r *gridRows, lo, hi int)) {
	par.Each(g.tasks(), func(t int) { f(&g.rows[t], t*rowsLen, min(g.n, (t+1)*rowsLen)) })
}

// rowSums adds up a row of a matrix.
type rowSums struct {
	slot []uint8 // of each cell, 0 for none
	cell []int32 // of each slot
	sum  pairsum.SlotSums
}

var rowSumsPool = sync.Pool{New: func() any { return new(rowSums) }}

// outside is the slot of those who take no part.
const outside = 1

// newRowSums returns sums for cells below n, and for n, who take no part.
func newRowSums(n int) *rowSums {
	s := rowSumsPool.Get().(*rowSums)
	if len(s.slot) <= n {
		s.slot = make([]uint8, n+n/8+1)
	}
	s.slot[n] = outside
	s.cell = append(s.cell[:0], -1, int32(n))
	return s
}

// release ends the use of s.
func (s *rowSums) release() {
	s.slot[s.cell[outside]] = 0
	rowSumsPool.Put(s)
}

// slotOf returns the slot of a cell. When all slots are taken it is outside.
func (s *rowSums) slotOf(cell int32) uint8 {
	if k := s.slot[cell]; k != 0 {
		return k
	}
	k := len(s.cell)
	if k == pairsum.Slots {
		return outside
	}
	s.slot[cell] = uint8(k)
	s.cell = append(s.cell, cell)
	for lane := range s.sum {
		s.sum[lane][k] = 0
	}
	return uint8(k)
}

// finish makes the sums, times scale, the row of cell c, and clears them. The row's extra is
// the one given, and the weight of those outside, and what the diagonal needs to be least.
func (s *rowSums) finish(g *grid, r *gridRows, c int, extra, least, scale float32) {
	var diagonal float32
	for k := outside; k < len(s.cell); k++ {
		sum := float32(scale * ((s.sum[0][k] + s.sum[2][k]) + (s.sum[1][k] + s.sum[3][k])))
		cell := s.cell[k]
		switch {
		case k == outside:
			extra += sum
			for lane := range s.sum {
				s.sum[lane][k] = 0
			}
			continue
		case sum > 0 && int(cell) != c:
			diagonal += sum
			r.list = append(r.list, gridWeight{cell, sum})
		}
		s.slot[cell] = 0
	}
	s.cell = s.cell[:outside+1]
	r.start[c%rowsLen+1] = int32(len(r.list))
	g.extra[c], g.relax[c] = max(extra, least-diagonal), 0
	if diagonal += g.extra[c]; diagonal > 0 {
		g.relax[c] = coarseRelax / diagonal
	}
}

// start sets the positions of a solve, and the rate that m corrects.
func (m *multilevel) start(w *World, rate *poisson) {
	m.cells, m.x, m.rate, m.depth = &w.cells, w.X, rate, 0
}

// takesPart reports whether particle i takes part in the correction: if its pressure is not
// the lowest, or if it is, but nearly has no remainder that says whether it should be. Those
// that are pressed from the lowest pressure upward begin with a Jacobi step. If they took
// part they would rise and fall without end.
func (m *multilevel) takesPart(s *projection, p *Pairs, i int) bool {
	if p.Diagonal[i] == 0 || len(m.rate.inlet) > 0 && m.rate.inlet[i] {
		return false
	}
	return p.closed || s.before[i] > p.lowest(i) || s.comp[i] > -s.tol && s.comp[i] < s.tol
}

// number finds the cells of the particles.
func (m *multilevel) number(s *projection, p *Pairs) {
	g := m.level(0)
	g.size = m.cells.Size()
	m.place = par.Resize(m.place, p.n)
	m.before = par.Resize(m.before, blocks(p.n)+1)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			m.place[i] = int32(m.cells.Cell(m.x[i]))
		}
	})
	begins := func(i int) bool { return i == 0 || m.place[i] != m.place[i-1] }
	p.each(func(b, lo, hi int) {
		m.before[b+1] = 0
		for i := lo; i < hi; i++ {
			if begins(i) {
				m.before[b+1]++
			}
		}
	})
	m.before[0] = 0
	for b := range blocks(p.n) {
		m.before[b+1] += m.before[b]
	}
	g.resize(int(m.before[blocks(p.n)]))
	g.place = par.Resize(g.place, g.n)
	g.first = par.Resize(g.first, g.n+1)
	g.first[g.n] = int32(p.n)
	m.cell = par.Resize(m.cell, p.numItems())
	p.each(func(b, lo, hi int) {
		c := m.before[b] - 1
		for i := lo; i < hi; i++ {
			if begins(i) {
				c++
				g.place[c], g.first[c] = m.place[i], int32(i)
			}
			if m.cell[i] = c; !m.takesPart(s, p, i) {
				m.cell[i] = int32(g.n)
			}
		}
	})
	updateImages(p, m.cell)
}

// level returns the grid at depth d.
func (m *multilevel) level(d int) *grid {
	for len(m.levels) <= d {
		m.levels = append(m.levels, new(grid))
	}
	return m.levels[d]
}

// find finds the grids and their matrices.
func (m *multilevel) find(s *projection, p *Pairs) {
	m.number(s, p)
	g := m.levels[0]
	g.each(func(r *gridRows, lo, hi int) {
		sums := newRowSums(g.n)
		defer sums.release()
		r.list = r.list[:0]
		near := newCellRows(g, lo)
		for c := lo; c < hi; c++ {
			near.each(c, func(d int) { sums.slotOf(int32(d)) })
			var extra, least float32
			for i := int(g.first[c]); i < int(g.first[c+1]); i++ {
				if int(m.cell[i]) == c {
					extra += m.ownWeight(p, i)
					least += leastWeights
					m.addPairs(sums, &p.blocks[i/blockLen], i%blockLen)
				}
			}
			sums.finish(g, r, c, extra, least, 2)
		}
	})
	for m.depth = 1; g.n > rowsLen; m.depth++ {
		next := m.level(m.depth)
		if !m.coarsen(g, next) {
			break
		}
		g = next
	}
}

// cellRows walks along the nine rows of a grid's cells around cells that follow each other.
type cellRows struct {
	g    *grid
	next [9]int // in each row, the first cell that is not before the present one's neighbours
}

// newCellRows returns the rows around cell c of g and those that follow.
func newCellRows(g *grid, c int) cellRows {
	r := cellRows{g: g}
	for k := range r.next {
		r.next[k], _ = slices.BinarySearch(g.place[:g.n], r.from(c, k))
	}
	return r
}

// from returns the place of the first of the three neighbours of cell c in row k.
func (r *cellRows) from(c, k int) int32 {
	n := r.g.size
	return r.g.place[c] + int32(((k/3-1)*n[1]+k%3-1)*n[0]) - 1
}

// each calls f for cell c and its neighbours. At the sides of the grid it may add others.
func (r *cellRows) each(c int, f func(d int)) {
	for k, d := range r.next {
		from := r.from(c, k)
		for d < r.g.n && r.g.place[d] < from {
			d++
		}
		r.next[k] = d
		for ; d < r.g.n && r.g.place[d] <= from+2; d++ {
			f(d)
		}
	}
}

// ownWeight returns h² times what the surface and the free bodies add to the diagonal of
// particle i. For the bodies it is a bound, as in prepareCouplings.
func (m *multilevel) ownWeight(p *Pairs, i int) float32 {
	open := m.rate.open[i]
	if p.rigid == nil {
		return open
	}
	others := float32(2*p.correction.moments[i].X.S) + open
	return open + float32(poissonLambda*max(0, float32(p.Diagonal[i]*p.h*p.h)-others))
}

// addPairs adds the weights of particle k of a block to the sums of its neighbours' cells.
func (m *multilevel) addPairs(s *rowSums, blk *block, k int) {
	list, j := blk.List[blk.Start[k]:blk.Start[k+1]], blk.Base[k]
	for {
		done, at := s.sum.Add(s.slot, m.cell, list, j)
		if done == len(list) {
			return
		}
		pairs := &list[done] // with an image, whose cell may be far away
		for lane, f := range pairs.F {
			at += int32(pairs.Step[lane])
			s.sum[lane][s.slotOf(m.cell[at])] += pairsum.Weight(f)
		}
		list, j = list[done+1:], at
	}
}

// coarsen makes g the grid that is next coarser than f, with its matrix. It reports
// whether there is a coarser grid.
func (m *multilevel) coarsen(f, g *grid) bool {
	for axis, n := range f.size {
		g.size[axis] = (n + 1) / 2
	}
	if g.size == f.size {
		return false
	}
	m.table = par.Resize(m.table, g.size[0]*g.size[1]*g.size[2])
	clear(m.table)
	g.place = g.place[:0]
	for c, at := range f.place {
		x, y, z := int(at)%f.size[0]/2, int(at)/f.size[0]%f.size[1]/2, int(at)/(f.size[0]*f.size[1])/2
		at := (z*g.size[1]+y)*g.size[0] + x
		if m.table[at] == 0 {
			g.place = append(g.place, int32(at))
			m.table[at] = int32(len(g.place))
		}
		f.parent[c] = m.table[at] - 1
	}
	g.resize(len(g.place))
	g.sortParts(f)
	g.each(func(r *gridRows, lo, hi int) {
		sums := newRowSums(g.n)
		defer sums.release()
		r.list = r.list[:0]
		for c := lo; c < hi; c++ {
			extra := float32(0)
			for _, part := range g.parts[g.first[c]:g.first[c+1]] {
				extra += f.extra[part]
				for _, to := range f.row(int(part)) {
					sums.sum[0][sums.slotOf(f.parent[to.to])] += to.weight
				}
			}
			sums.finish(g, r, c, extra/coarseStiffness, 0, 1./coarseStiffness)
		}
	})
	return true
}

// sortParts fills first and parts with the cells of f by their parents.
func (g *grid) sortParts(f *grid) {
	g.first = par.Resize(g.first, g.n+1)
	clear(g.first)
	for _, c := range f.parent {
		g.first[c+1]++
	}
	for c := range g.n {
		g.first[c+1] += g.first[c]
	}
	g.parts = par.Resize(g.parts, f.n)
	for part, c := range f.parent {
		g.parts[g.first[c]] = int32(part)
		g.first[c]++
	}
	// Each first has moved on to the next cell's.
	copy(g.first[1:], g.first[:g.n])
	g.first[0] = 0
}

// row returns the weights of row c.
func (g *grid) row(c int) []gridWeight {
	r := &g.rows[c/rowsLen]
	return r.list[r.start[c%rowsLen]:r.start[c%rowsLen+1]]
}

// setRest sets rest of the rows lo ≤ c < hi.
func (g *grid) setRest(_ *gridRows, lo, hi int) {
	for c := lo; c < hi; c++ {
		x := g.x[c]
		rest := g.b[c] - float32(g.extra[c]*x)
		for _, to := range g.row(c) {
			rest += float32(to.weight * (g.x[to.to] - x))
		}
		g.rest[c] = rest
	}
}

// smooth adds a Jacobi step to x.
func (g *grid) smooth() {
	g.each(g.setRest)
	g.each(func(_ *gridRows, lo, hi int) {
		for c := lo; c < hi; c++ {
			g.x[c] += float32(g.relax[c] * g.rest[c])
		}
	})
}

// cycle sets x of the grid at depth d to an approximation of A⁻¹b.
func (m *multilevel) cycle(d int) {
	g := m.levels[d]
	if d+1 == m.depth {
		g.balance()
	}
	g.each(func(_ *gridRows, lo, hi int) {
		for c := lo; c < hi; c++ {
			g.x[c] = g.relax[c] * g.b[c]
		}
	})
	if d+1 == m.depth {
		for range coarsestSweeps {
			g.smooth()
		}
		return
	}
	next := m.levels[d+1]
	g.each(g.setRest)
	next.each(func(_ *gridRows, lo, hi int) {
		for c := lo; c < hi; c++ {
			sum := float32(0)
			for _, part := range next.parts[next.first[c]:next.first[c+1]] {
				sum += g.rest[part]
			}
			next.b[c] = sum
		}
	})
	m.cycle(d + 1)
	if d+2 < m.depth {
		m.visitAgain(d + 1)
	}
	g.each(func(_ *gridRows, lo, hi int) {
		for c := lo; c < hi; c++ {
			g.x[c] += next.x[g.parent[c]]
		}
	})
	g.smooth()
}

// balance subtracts the mean from b if the liquid has no surface, so that A has no inverse.
func (g *grid) balance() {
	sum := 0.
	for c, extra := range g.extra {
		if extra > 0 {
			return
		}
		sum += float64(g.b[c])
	}
	for c := range g.b {
		g.b[c] -= float32(sum / float64(g.n))
	}
}

// visitAgain adds to x of the grid at depth d a cycle for what is left of b.
func (m *multilevel) visitAgain(d int) {
	g := m.levels[d]
	g.each(g.setRest)
	g.each(func(_ *gridRows, lo, hi int) {
		copy(g.first2[lo:hi], g.x[lo:hi])
		copy(g.b[lo:hi], g.rest[lo:hi])
	})
	m.cycle(d)
	g.each(func(_ *gridRows, lo, hi int) {
		for c := lo; c < hi; c++ {
			g.x[c] += g.first2[c]
		}
	})
}

// restrict sets b of the finest grid to the remainders of its particles. It returns how
// many particles have begun or ceased to take part.
func (m *multilevel) restrict(s *projection, p *Pairs, dt2 float32) (changed int) {
	g, scale := m.levels[0], p.h*p.h/dt2
	g.each(func(r *gridRows, lo, hi int) {
		r.changed = 0
		for c := lo; c < hi; c++ {
			sum := float32(0)
			for i := int(g.first[c]); i < int(g.first[c+1]); i++ {
				switch now := m.takesPart(s, p, i); {
				case now != (int(m.cell[i]) == c):
					r.changed++
				case now:
					sum += s.comp[i]
				}
			}
			g.b[c] = scale * sum
		}
	})
	for t := range g.tasks() {
		changed += g.rows[t].changed
	}
	return changed
}

// correct implements corrector.
func (m *multilevel) correct(s *projection, p *Pairs, dt2, factor float32, fresh bool) {
	if m.depth == 0 || float64(m.restrict(s, p, dt2)) > changedShare*float64(p.n) && fresh {
		m.find(s, p)
		m.restrict(s, p, dt2)
	}
	m.cycle(0)
	g := m.levels[0]
	g.each(func(_ *gridRows, lo, hi int) {
		for c := lo; c < hi; c++ {
			by := float32(factor * coarseShare * g.x[c])
			for i := int(g.first[c]); i < int(g.first[c+1]); i++ {
				if int(m.cell[i]) == c && m.takesPart(s, p, i) {
					k := &p.At[i].S
					*k = max(p.lowest(i), *k+by)
				}
			}
		}
	})
}
