package sim

import (
	"slices"
	"sync"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/sweep"
	"breakwater/sim/vec"
)

// Vec4 is what the inner loops read of a neighbour.
type Vec4 = sweep.Vec4

// vec3 returns the vector of v.
func vec3(v Vec4) vec.Vec3 { return vec.New(float64(v.X), float64(v.Y), float64(v.Z)) }

// Pairs holds what the sums over neighbours need while the particles stay
// where they are. A solver builds it once a step and sums over it many times.
type Pairs struct {
	// WallGrad is Σ over the walls of the gradient of their share, 1/m, and
	// its S the rate −Σ v·∇ in 1/s at which moving walls close in.
	WallGrad []Vec4

	// Stiff is −∂C_i/∂k_i in 1/m², see pressureAccel and compression:
	//
	//	|Σ_j V∇W_ij + ∇λ_i|² + Σ_j |V∇W_ij|²,
	//
	// the inverse of α of Bender and Koschier 2017, eq. 12, with V for m/ρ
	// and without its density.
	Stiff []float32

	// V are the velocities as the passes read them, m/s.
	V []Vec4

	n      int
	h      float32 // support radius, m
	lane   sweep.Lane
	blocks []sweep.Pairs
}

// blockLen is how many consecutive particles have their pairs in one piece of
// memory: enough work to hand out at once, few enough to balance over many
// cores.
const blockLen = 256

// blocks returns the number of blocks of n particles.
func blocks(n int) int { return (n + blockLen - 1) / blockLen }

// each calls f on every block b of particles lo ≤ i < hi, in parallel.
func (p *Pairs) each(f func(b, lo, hi int)) {
	par.Each(blocks(p.n), func(b int) { f(b, b*blockLen, min(p.n, (b+1)*blockLen)) })
}

// slack is how much farther than h candidates are looked for, relative to h:
// whether a pair is one is decided in single precision.
const slack = 1e-4

// arrange sorts the particles by place, finds their neighbours, readies the
// sums and sets the densities. It fails if particles lie in a heap.
func (w *World) arrange() (*Pairs, error) {
	h := w.Kernel.H()
	w.cells.Build(w.X, h*(1+slack))
	if !w.cells.Sorted() {
		w.Permute(w.cells.Order(), &w.tmp)
	}
	if !w.searchesCells() {
		w.Finder.Build(w.X, h*(1+slack))
	}
	return &w.pairs, w.pairs.build(w)
}

// searchesCells reports whether the neighbours are found in the cells that the
// particles are sorted by anyway, as the grid would find them again.
func (w *World) searchesCells() bool {
	_, grid := w.Finder.(*neighbor.Grid)
	return grid
}

// build fills p for the particles where they are, and w.Rho with
//
//	ρ_i = ρ₀ (Σ_j V W_ij + λ_i),  λ the walls' share.
func (p *Pairs) build(w *World) error {
	p.n, p.h = w.Len(), float32(w.Kernel.H())
	p.WallGrad = slices.Grow(p.WallGrad[:0], p.n)[:p.n]
	p.Stiff = slices.Grow(p.Stiff[:0], p.n)[:p.n]
	p.setLane(w)
	for len(p.blocks) < blocks(p.n) {
		p.blocks = append(p.blocks, sweep.Pairs{})
	}
	average := slices.ContainsFunc(w.Forces, func(f Force) bool {
		_, ok := f.(interface{ NeedsAverage() })
		return ok
	})
	volume := w.volume / (float64(p.h) * float64(p.h) * float64(p.h))
	self := sweep.Self(volume)
	crowded := make([]int, blocks(p.n)) // each block's first particle in a heap, plus 1
	cells := w.searchesCells()
	p.each(func(b, lo, hi int) {
		scratch := scratches.Get().(*scratch)
		defer scratches.Put(scratch)
		blk := &p.blocks[b]
		blk.Reset(lo, average)
		var runs sweep.Runs
		last := -1
		for i := lo; i < hi; i++ {
			var sums sweep.Sums
			var ok bool
			if cells {
				if cell := w.cells.Cell(w.X[i]); cell != last {
					w.cells.Rows(cell, (*[9][2]int32)(&runs))
					last = cell
				}
				sums, ok = blk.Add(i, &p.lane, &runs, volume, &scratch.sweep)
			} else {
				scratch.near = w.Finder.Near(scratch.near[:0], w.X[i])
				sums, ok = blk.AddList(i, &p.lane, scratch.near, volume, &scratch.sweep)
			}
			share := p.wall(w, i)
			w.Rho[i] = w.Rho0 * (float64(self) + float64(sums.W) + share)
			if !ok || w.Rho[i] > densityLimit*w.Rho0 {
				crowded[b] = i + 1
				return
			}
			g := &p.WallGrad[i]
			x, y, z := sums.GX/p.h+g.X, sums.GY/p.h+g.Y, sums.GZ/p.h+g.Z
			p.Stiff[i] = float32(x*x) + float32(y*y) + float32(z*z) + sums.Square/(p.h*p.h)
		}
	})
	for _, i := range crowded {
		if i > 0 {
			return w.heap(i - 1)
		}
	}
	return nil
}

// scratch is what a goroutine needs to build a block.
type scratch struct {
	sweep sweep.Scratch
	near  []int32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// setLane sets the positions in units of h from the corner of the cells.
func (p *Pairs) setLane(w *World) {
	l, n := &p.lane, p.n+sweep.Pad
	l.X = slices.Grow(l.X[:0], n)[:n]
	l.Y = slices.Grow(l.Y[:0], n)[:n]
	l.Z = slices.Grow(l.Z[:0], n)[:n]
	corner, inv := w.cells.Corner(), 1/w.Kernel.H()
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			x := w.X[i].Sub(corner).Mul(inv)
			l.X[i], l.Y[i], l.Z[i] = float32(x.X), float32(x.Y), float32(x.Z)
		}
	})
}

// setVelocities brings V up to date with the particles' velocities.
func (p *Pairs) setVelocities(w *World) {
	p.V = slices.Grow(p.V[:0], p.n)[:p.n]
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			v := w.V[i]
			p.V[i] = Vec4{X: float32(v.X), Y: float32(v.Y), Z: float32(v.Z)}
		}
	})
}

// wall sets WallGrad of particle i and returns the walls' share.
func (p *Pairs) wall(w *World, i int) float64 {
	var share, rate float64
	var grad vec.Vec3
	for _, wall := range w.Walls {
		if s, g := wall.Mirror(w.X[i]); s != 0 {
			share, grad = share+s, grad.Add(g)
			rate -= wall.Vel(w.X[i]).Dot(g)
		}
	}
	p.WallGrad[i] = Vec4{X: float32(grad.X), Y: float32(grad.Y), Z: float32(grad.Z), S: float32(rate)}
	return share
}

// pressureAccel sets a to the acceleration by pressure of the particles of
// block b,
//
//	a_i = −Σ_j V (k_i + k_j) ∇W_ij − k_i ∇λ_i,
//
// where k = p/ρ₀ for a liquid at rest density. The pairwise sum conserves
// momentum; the walls' ∇λ is that of a mirror image, so that a constant
// pressure is in balance with a flat wall.
func (p *Pairs) pressureAccel(b int, a []Vec4, k []float32) {
	blk := &p.blocks[b]
	blk.Gradient(a, k)
	for i := blk.First; i < blk.First+blk.Len(); i++ {
		g, w := &a[i], &p.WallGrad[i]
		*g = Vec4{X: -(g.X/p.h + k[i]*w.X), Y: -(g.Y/p.h + k[i]*w.Y), Z: -(g.Z/p.h + k[i]*w.Z)}
	}
}

// compression sets c to the rate at which the relative density of the
// particles of block b grows where the velocities are v and the walls stand
// still, 1/s:
//
//	C_i = Σ_j V (v_i − v_j)·∇W_ij + v_i·∇λ_i.
//
// It is the adjoint of pressureAccel.
func (p *Pairs) compression(b int, c []float32, v []Vec4) {
	blk := &p.blocks[b]
	blk.Divergence(c, v)
	for i := blk.First; i < blk.First+blk.Len(); i++ {
		v, w := &v[i], &p.WallGrad[i]
		c[i] = c[i]/p.h + (v.X*w.X + v.Y*w.Y + v.Z*w.Z)
	}
}
