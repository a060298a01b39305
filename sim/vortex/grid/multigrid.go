package grid

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Poisson solves ∇²a = f on the points inside a grid, with given values at the boundary.
// One level is the grid, and each further one has half the cells along some axes.
type Poisson struct {
	level []level
}

// level is a grid of the solution.
type level struct {
	grid    Grid
	a, f, r []vec.Vec3 // unknown, right side, residual
}

// sweeps is how often multigrid relaxes each level on the way down and up (Gourlay,
// part 6).
const sweeps = 3

// Ready makes the levels for a grid.
func (s *Poisson) Ready(g *Grid) {
	n := 0
	for next, ok := *g, true; ok; next, ok = coarser(next) {
		if n == len(s.level) {
			s.level = append(s.level, level{})
		}
		l := &s.level[n]
		l.grid = next
		l.a, l.f, l.r = par.Resize(l.a, next.Points()), par.Resize(l.f, next.Points()), par.Resize(l.r, next.Points())
		n++
	}
	s.level = s.level[:n]
}

// RightSide returns f at the points of the grid, which the caller sets.
func (s *Poisson) RightSide() []vec.Vec3 { return s.level[0].f }

// Values returns a at the points of the grid: first the values at the boundary and a guess
// inside, which the caller sets, then the solution.
func (s *Poisson) Values() []vec.Vec3 { return s.level[0].a }

// Residual returns the largest residual, relative to the largest right side.
func (s *Poisson) Residual() float64 {
	fine := &s.level[0]
	fine.residual()
	return largest(fine.r) / largest(fine.f)
}

// coarser returns the grid with half as many cells along the axes whose cells are short,
// which brings the edges of cells nearer to each other. ok is false if that leaves no
// point inside.
func coarser(g Grid) (h Grid, ok bool) {
	edge := g.Edge.Array()
	least := math.Inf(1)
	for a, n := range g.N {
		if n >= 4 {
			least = min(least, edge[a])
		}
	}
	for a, n := range g.N {
		if n >= 4 && edge[a] < 1.5*least {
			g.N[a], edge[a], ok = n/2, edge[a]*2, true
		}
	}
	g.Edge = vec.New(edge[0], edge[1], edge[2])
	return g, ok
}

// most is the number of cycles, or of hundreds of sweeps, after which a solve ends.
const most = 50

// Multigrid runs V cycles until the residual is at most tolerance times the largest right
// side.
func (s *Poisson) Multigrid(tolerance float64) {
	fine := &s.level[0]
	goal := tolerance * largest(fine.f)
	for range most {
		s.cycle(0)
		if fine.residual(); largest(fine.r) <= goal {
			return
		}
	}
}

// Relax is Multigrid by over-relaxation of the finest level alone.
func (s *Poisson) Relax(tolerance float64) {
	fine := &s.level[0]
	goal := tolerance * largest(fine.f)
	longest := max(fine.grid.N[0], fine.grid.N[1], fine.grid.N[2])
	// The best factor for a cube (Young 1954).
	over := 2 / (1 + math.Sin(math.Pi/float64(longest)))
	for range most {
		for range 20 {
			fine.sweep(over)
		}
		if fine.residual(); largest(fine.r) <= goal {
			return
		}
	}
}

// cycle is a V cycle from level k on.
func (s *Poisson) cycle(k int) {
	l := &s.level[k]
	if k == len(s.level)-1 {
		for range 8 {
			l.sweep(1)
		}
		return
	}
	for range sweeps {
		l.sweep(1)
	}
	l.residual()
	down := &s.level[k+1]
	l.restrict(down)
	clear(down.a)
	s.cycle(k + 1)
	l.correct(down)
	for range sweeps {
		l.sweep(1)
	}
}

// largest returns the length of the longest vector.
func largest(v []vec.Vec3) float64 {
	return math.Sqrt(par.Max(len(v), 0, func(lo, hi int) (m float64) {
		for _, a := range v[lo:hi] {
			m = max(m, a.Dot(a))
		}
		return m
	}))
}

// lines calls f for each line of points along x that is inside, given its first point,
// which is on the boundary, and the sum of its indices.
func (l *level) lines(f func(start, sum int)) {
	row, slice := l.grid.Strides()
	inner := l.grid.N[1] - 1
	par.Each(inner*(l.grid.N[2]-1), func(n int) {
		j, k := 1+n%inner, 1+n/inner
		f(k*slice+j*row, j+k)
	})
}

// weights returns 1/edge² along each axis, and twice their sum.
func (l *level) weights() (x, y, z, sum float64) {
	e := l.grid.Edge
	x, y, z = 1/(e.X*e.X), 1/(e.Y*e.Y), 1/(e.Z*e.Z)
	return x, y, z, 2 * (x + y + z)
}

// sweep relaxes the red points and then the black ones by Gauss and Seidel's rule,
// multiplied by a factor.
func (l *level) sweep(over float64) {
	row, slice := l.grid.Strides()
	wx, wy, wz, all := l.weights()
	a, f := l.a, l.f
	for color := range 2 {
		l.lines(func(start, sum int) {
			for i := 1 + (sum+color)&1; i < l.grid.N[0]; i += 2 {
				p := start + i
				near := a[p-1].Add(a[p+1]).Mul(wx).Add(a[p-row].Add(a[p+row]).Mul(wy)).Add(a[p-slice].Add(a[p+slice]).Mul(wz))
				a[p] = a[p].Lerp(near.Sub(f[p]).Mul(1/all), over)
			}
		})
	}
}

// residual sets r to f − ∇²a inside, and to 0 at the boundary.
func (l *level) residual() {
	row, slice := l.grid.Strides()
	wx, wy, wz, all := l.weights()
	a := l.a
	clear(l.r)
	l.lines(func(start, _ int) {
		for i := 1; i < l.grid.N[0]; i++ {
			p := start + i
			near := a[p-1].Add(a[p+1]).Mul(wx).Add(a[p-row].Add(a[p+row]).Mul(wy)).Add(a[p-slice].Add(a[p+slice]).Mul(wz))
			l.r[p] = l.f[p].Sub(near).Add(a[p].Mul(all))
		}
	})
}

// restrict sets the right side of the coarser level to the residual, weighted by ¼, ½, ¼
// along each axis that is coarser.
func (l *level) restrict(down *level) {
	row, slice := l.grid.Strides()
	coarseRow, coarseSlice := down.grid.Strides()
	clear(down.f)
	ratio := [3]int{l.grid.N[0] / down.grid.N[0], l.grid.N[1] / down.grid.N[1], l.grid.N[2] / down.grid.N[2]}
	down.lines(func(start, _ int) {
		j, k := start%coarseSlice/coarseRow*ratio[1], start/coarseSlice*ratio[2]
		for i := 1; i < down.grid.N[0]; i++ {
			at := k*slice + j*row + i*ratio[0]
			var sum vec.Vec3
			for dk := 1 - ratio[2]; dk < ratio[2]; dk++ {
				for dj := 1 - ratio[1]; dj < ratio[1]; dj++ {
					for di := 1 - ratio[0]; di < ratio[0]; di++ {
						w := hat(di, ratio[0]) * hat(dj, ratio[1]) * hat(dk, ratio[2])
						sum = sum.Add(l.r[at+dk*slice+dj*row+di].Mul(w / float64(ratio[0]*ratio[1]*ratio[2])))
					}
				}
			}
			down.f[start+i] = sum
		}
	})
}

// hat is 1 at 0 and falls to 0 at the given distance, 1 or 2.
func hat(d, reach int) float64 { return 1 - math.Abs(float64(d))/float64(reach) }

// correct adds the coarser level's solution, interpolated.
func (l *level) correct(down *level) {
	row, slice := l.grid.Strides()
	coarseRow, coarseSlice := down.grid.Strides()
	ratio := [3]int{l.grid.N[0] / down.grid.N[0], l.grid.N[1] / down.grid.N[1], l.grid.N[2] / down.grid.N[2]}
	l.lines(func(start, _ int) {
		j, k := start%slice/row, start/slice
		// Points between two coarse ones have half of each.
		j0, j1 := j/ratio[1], (j+ratio[1]-1)/ratio[1]
		k0, k1 := k/ratio[2], (k+ratio[2]-1)/ratio[2]
		lines := [4]int{k0*coarseSlice + j0*coarseRow, k0*coarseSlice + j1*coarseRow, k1*coarseSlice + j0*coarseRow, k1*coarseSlice + j1*coarseRow}
		for i := 1; i < l.grid.N[0]; i++ {
			i0, i1 := i/ratio[0], (i+ratio[0]-1)/ratio[0]
			var sum vec.Vec3
			for _, line := range lines {
				sum = sum.Add(down.a[line+i0]).Add(down.a[line+i1])
			}
			l.a[start+i] = l.a[start+i].Add(sum.Mul(1. / 8))
		}
	})
}
