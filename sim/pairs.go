package sim

import (
	"slices"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Vec4 is what the inner loops read of a neighbour: a vector and one number
// more, 16 bytes that lie in one cache line.
type Vec4 struct{ X, Y, Z, S float32 }

// vec returns the vector of v.
func (v Vec4) vec() vec.Vec3 { return vec.New(float64(v.X), float64(v.Y), float64(v.Z)) }

// Grad is a gradient in the inner loops, 1/m.
type Grad struct{ X, Y, Z float32 }

// vec returns g.
func (g Grad) vec() vec.Vec3 { return vec.New(float64(g.X), float64(g.Y), float64(g.Z)) }

// Pairs holds what the sums over neighbours need while the particles stay
// where they are. A solver builds it once a step and sums over it many times,
// which is why it keeps V∇W of every pair, in the 4-byte floats that halve
// the memory to be read. The sums themselves say how the floats matter: a
// relative error of 10⁻⁷ against a tolerance of 10⁻³.
type Pairs struct {
	Near neighbor.Lists // of the particles, in their order; without themselves

	// WallGrad is Σ over the walls of the gradient of their share, 1/m, and
	// its S the rate −Σ v·∇ in 1/s at which moving walls close in.
	WallGrad []Vec4

	volume float64 // V of a particle, m³
	blocks []pairBlock
}

// pairBlock has the pairs of one block of Near, in its order.
type pairBlock struct {
	grad       []Grad    // V∇W(xi−xj), 1/m
	w          []float32 // V W(xi−xj)
	r2, wi, gi []float64 // scratch for one particle
}

// Of returns particle i's neighbours with V∇W and V W of each.
func (p *Pairs) Of(i int) (near []int32, grad []Grad, w []float32) {
	lo, hi := p.Near.Range(i)
	b := &p.blocks[i/neighbor.Block]
	return p.Near.Of(i), b.grad[lo:hi], b.w[lo:hi]
}

// arrange sorts the particles by place, finds their neighbours, readies the
// sums and sets the densities.
func (w *World) arrange() *Pairs {
	h := w.Kernel.H()
	w.cells.Build(w.X, neighbor.Edge(h))
	if !w.cells.Sorted() {
		w.Permute(w.cells.Order(), &w.tmp)
	}
	w.Finder.Build(w.X, h)
	w.pairs.build(w)
	return &w.pairs
}

// build fills p for the particles where they are, and w.Rho with
//
//	ρ_i = ρ₀ (Σ_j V W_ij + λ_i),  λ the walls' share.
func (p *Pairs) build(w *World) {
	n := w.Len()
	p.volume = w.volume
	p.Near.Build(w.Finder, w.X)
	p.WallGrad = slices.Grow(p.WallGrad[:0], n)[:n]
	for len(p.blocks) < blocks(n) {
		p.blocks = append(p.blocks, pairBlock{})
	}
	self := w.Kernel.W(0)
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		total := len(p.Near.Index(b))
		blk.grad = slices.Grow(blk.grad[:0], total)[:total]
		blk.w = slices.Grow(blk.w[:0], total)[:total]
		for i := lo; i < hi; i++ {
			sum := self + blk.fill(w, p, i)
			share := p.wall(w, i)
			w.Rho[i] = w.Rho0 * (p.volume*sum + share)
		}
	})
}

// fill sets the pairs of particle i and returns Σ_j W_ij.
func (b *pairBlock) fill(w *World, p *Pairs, i int) float64 {
	near, grad, wij := p.Of(i)
	n := len(near)
	b.r2 = slices.Grow(b.r2[:0], n)[:n]
	b.wi = slices.Grow(b.wi[:0], n)[:n]
	b.gi = slices.Grow(b.gi[:0], n)[:n]
	xi := w.X[i]
	for k, j := range near {
		d := xi.Sub(w.X[j])
		b.r2[k] = d.Dot(d)
	}
	w.Kernel.Pairs(b.r2, b.wi, b.gi)
	var sum float64
	for k, j := range near {
		d := xi.Sub(w.X[j])
		g := p.volume * b.gi[k]
		grad[k] = Grad{float32(g * d.X), float32(g * d.Y), float32(g * d.Z)}
		wij[k] = float32(p.volume * b.wi[k])
		sum += b.wi[k]
	}
	return sum
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
	p.WallGrad[i] = Vec4{float32(grad.X), float32(grad.Y), float32(grad.Z), float32(rate)}
	return share
}

// blocks returns the number of blocks of n particles.
func blocks(n int) int { return (n + neighbor.Block - 1) / neighbor.Block }

// each calls f on every block b of particles lo ≤ i < hi, in parallel.
func (p *Pairs) each(f func(b, lo, hi int)) {
	n := p.Near.Len()
	par.Each(blocks(n), func(b int) { f(b, b*neighbor.Block, min(n, (b+1)*neighbor.Block)) })
}

// pressureAccel sets a to the acceleration by pressure,
//
//	a_i = −Σ_j V (k_i + k_j) ∇W_ij − k_i ∇λ_i,
//
// where k = p/ρ₀ for a liquid at rest density. It is minus the transpose of
// the compression, so that an exact solve takes energy away and never adds
// any; the pairwise sum conserves momentum.
func (p *Pairs) pressureAccel(a []Vec4, k []float32) {
	p.each(func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			near, grad, _ := p.Of(i)
			grad = grad[:len(near)]
			ki := k[i]
			var x, y, z float32
			for n, j := range near {
				s := ki + k[j]
				g := &grad[n]
				x += s * g.X
				y += s * g.Y
				z += s * g.Z
			}
			wall := &p.WallGrad[i]
			a[i] = Vec4{-x - ki*wall.X, -y - ki*wall.Y, -z - ki*wall.Z, 0}
		}
	})
}

// compression returns the rate at which the relative density of particle i
// grows where the velocities are v and the walls stand still, 1/s:
//
//	Σ_j V (v_i − v_j)·∇W_ij + v_i·∇λ_i.
func (p *Pairs) compression(v []Vec4, i int) float32 {
	near, grad, _ := p.Of(i)
	grad = grad[:len(near)]
	vi := v[i]
	var s float32
	for n, j := range near {
		vj, g := &v[j], &grad[n]
		s += (vi.X-vj.X)*g.X + (vi.Y-vj.Y)*g.Y + (vi.Z-vj.Z)*g.Z
	}
	wall := &p.WallGrad[i]
	return s + vi.X*wall.X + vi.Y*wall.Y + vi.Z*wall.Z
}
