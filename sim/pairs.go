package sim

import (
	"slices"
	"sync"
	"sync/atomic"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/neighbor"
	"breakwater/sim/pairsum"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/period"
	"breakwater/sim/phase"
	"breakwater/sim/vec"
)

// Vec4 is the data that the inner loops read of a neighbour.
type Vec4 = pairsum.Vec4

// vec3 returns the vector of v.
func vec3(v Vec4) vec.Vec3 { return vec.New(float64(v.X), float64(v.Y), float64(v.Z)) }

// vec4 returns v in single precision, with nothing in S.
func vec4(v vec.Vec3) Vec4 { return Vec4{X: float32(v.X), Y: float32(v.Y), Z: float32(v.Z)} }

// Pairs holds the data for sums over neighbours at fixed particle positions. A solver
// builds it once per step and uses it for many sums.
type Pairs struct {
	// At are the positions in units of h as the passes read them; S is free
	// for a solver: Gradient sums over it. Images follow the particles, here
	// and in V: who changes either calls updateImageScalars or updateImages.
	At []Vec4

	// V are the velocities as the passes read them, m/s.
	V []Vec4

	// Diagonal is −∂C_i/∂k_i in 1/m², see pressureAccel and compression:
	//
	//	|Σ_j V∇W_ij + ∇λ_i|² + Σ_j |V∇W_ij|²,
	//
	// the inverse of α of Bender and Koschier 2017, eq. 12, with V for m/ρ
	// and without its density.
	Diagonal []float32

	// Deficit is the share of the kernel that a particle at a free surface lacks,
	// see openShare.
	Deficit []float32

	correction gradientCorrection
	inJet      []bool    // whether a particle is in a jet and may have suction; empty without inflows
	suction    []float32 // by how much k may be below 0, m²/s²; empty where it may not, see allowSuction

	n         int
	mass      float64      // of a particle, kg
	rigid     *rigidBodies // the free bodies, or nil
	h         float32      // support radius, m
	positions pairsum.Positions
	blocks    []block
	images    period.Images

	// The arguments of build, and whether it finished.
	complete bool
	time     float64
	average  bool
	closed   bool // as World.Closed
	placed   []particle.Body

	along     bool          // whether the blocks hold the result of findAlong
	shiftSums []Vec4        // of shift
	shells    *bodyPressure // how the pressures act on free bodies, besides their couplings, or nil
	walls     int
}

// block is the pairs of blockLen consecutive particles.
type block struct {
	pairsum.Pairs

	// solids are the walls, but for free bodies, and bodies the free bodies that
	// may be closer than h to the particles; these by the balls around them.
	solids []boundary.Boundary
	bodies []int32

	// walls is, per particle, the sum of the gradients of the walls' shares, 1/m. S is
	// the rate −Σ v·∇ in 1/s at which moving walls close in. It is empty where no wall is
	// near.
	walls []Vec4

	// closing reports whether any wall moves towards or away from a particle.
	closing bool

	// nearWall reports, per particle, whether a wall has a share in its kernel and so is
	// closer than a spacing. It is empty where none has.
	nearWall []bool

	// driven are the particles, ascending, that an inflow moves: they take part in all
	// sums, but have no pressure and do not react to the pressure of others.
	driven []int32

	// fed are the rates at which the buffers of inflows close in on particles.
	fed []fedParticle

	// frictions are the forces of walls with friction on the particles.
	frictions []wallFriction

	// along are the corrections of pressure along walls.
	along []alongWall

	// couplings are the interactions of free bodies and particles, coupledBodies the
	// bodies, and sums the sums of a pass for each of them.
	couplings     []coupling
	coupledBodies []int32
	sums          []body.Generalized
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

// updateNeighbors sorts the particles by place, finds their neighbours, prepares the sums
// and sets the densities. It fails if particles are over-compressed. watch may be nil.
func (w *World) updateNeighbors(watch *phase.Watch) (*Pairs, error) {
	average := force.NeedAverages(w.Forces)
	defer watch.Lap(phase.Pairing)
	if w.pairs.isCurrent(w, average) {
		return &w.pairs, nil
	}
	h := w.Kernel.H()
	w.cells.Build(w.X, h*(1+slack))
	if !w.cells.Sorted() {
		w.Permute(w.cells.Order(), &w.tmp)
	}
	if !searchesCells(w) {
		w.Finder.Build(w.X, h*(1+slack))
	}
	watch.Lap(phase.Sorting)
	return &w.pairs, w.pairs.build(w, average)
}

// isCurrent reports whether p was built for the present w. It is for the first step of a
// frame, because the previous frame ended with the densities.
func (p *Pairs) isCurrent(w *World, average bool) bool {
	if !p.complete || p.n != w.Len() || p.time != w.Time || p.average != average || p.walls != len(w.Walls) {
		return false
	}
	for k, b := range w.Set.Bodies {
		if b.X != p.placed[k].X || b.Turn != p.placed[k].Turn {
			return false
		}
	}
	corner, inv := w.cells.Corner(), 1/w.Kernel.H()
	var moved atomic.Bool
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi && !moved.Load(); i++ {
			x := vec4(w.X[i].Sub(corner).Mul(inv))
			if l := &p.positions; x.X != l.X[i] || x.Y != l.Y[i] || x.Z != l.Z[i] {
				moved.Store(true)
			}
		}
	})
	return !moved.Load()
}

// searchesCells reports whether the neighbours are found in the cells that the
// particles are sorted by anyway, as the grid would find them again.
func searchesCells(w *World) bool {
	_, grid := w.Finder.(*neighbor.Grid)
	return grid
}

// build fills p for the particles where they are, and w.Rho with
//
//	ρ_i = ρ₀ (Σ_j V W_ij + λ_i),  λ the walls' share.
func (p *Pairs) build(w *World, average bool) error {
	p.n, p.h = w.Len(), float32(w.Kernel.H())
	p.complete, p.time, p.average, p.walls = false, w.Time, average, len(w.Walls)
	p.Diagonal = slices.Grow(p.Diagonal[:0], p.n)[:p.n]
	p.Deficit = slices.Grow(p.Deficit[:0], p.n)[:p.n]
	p.closed, p.correction.on, p.along, p.suction, p.inJet = w.Closed, false, false, p.suction[:0], p.inJet[:0]
	p.mass, p.rigid, p.shells = w.Mass(), nil, nil
	if len(w.rigid.Bodies) > 0 {
		p.rigid = &w.rigid
		p.rigid.start() // for the modes
		p.placed = append(p.placed[:0], w.Set.Bodies...)
	}
	h := w.Kernel.H()
	p.images.Find(&w.Period, w.X, h, h*(1+10*slack))
	p.setPositions(w)
	for len(p.blocks) < blocks(p.n) {
		p.blocks = append(p.blocks, block{})
	}
	volume := w.volume / (float64(p.h) * float64(p.h) * float64(p.h))
	self := pairsum.Self(volume)
	overfull := make([]int, blocks(p.n)) // each block's first over-compressed particle, plus 1
	cells := searchesCells(w)
	p.each(func(b, lo, hi int) {
		scratch := scratches.Get().(*scratch)
		defer scratches.Put(scratch)
		blk := &p.blocks[b]
		blk.Reset(lo, hi-lo, average)
		blk.walls, blk.nearWall, blk.frictions, blk.fed = blk.walls[:0], blk.nearWall[:0], blk.frictions[:0], blk.fed[:0]
		blk.closing = false
		blk.along = blk.along[:0]
		blk.couplings, blk.coupledBodies = blk.couplings[:0], blk.coupledBodies[:0]
		blk.solids, blk.bodies = blk.solids[:0], blk.bodies[:0]
		if p.rigid != nil {
			blk.bodies = p.rigid.Near(blk.bodies, neighbor.Bounds(w.X[lo:hi]), w.Kernel.H()+float64(w.Spacing/4))
		}
		last := -1
		for i := lo; i < hi; i++ {
			if cell := w.cells.Cell(w.X[i]); cell != last {
				last = cell
				scratch.walls = w.wallsNear(scratch.walls[:0], cell)
				scratch.near = bodiesNear(w, scratch.near[:0], blk.bodies, cell)
				blk.addSolids(scratch.walls)
				if cells {
					w.cells.Rows(cell, (*[9][2]int32)(&scratch.runs))
					p.gather(w, cell, scratch)
				}
			}
			if !cells {
				scratch.list = w.Finder.Near(scratch.list[:0], w.X[i])
				if len(p.images.Of) > 0 {
					scratch.list = p.images.Near(scratch.list, vec.Box{Min: w.X[i], Max: w.X[i]}.Grow(float64(float64(p.h)*(1+slack))), p.n, &scratch.pieces)
				}
				scratch.GatherList(&p.positions, scratch.list)
			}
			sums, ok := blk.Add(i, &p.positions, volume, &scratch.Scratch)
			share, wall := wallShare(scratch.walls, w.X[i])
			if w.placed {
				wall = limitedWall(wall, p.h)
			}
			if len(scratch.near) > 0 {
				share, wall = blk.addCouplings(p.rigid, scratch.near, int32(i-lo), w.X[i], share, wall)
			}
			w.Rho[i] = float64(float32(w.Rho0 * (float64(self) + float64(sums.W) + share)))
			if !ok || w.Rho[i] > densityLimit*w.Rho0 {
				overfull[b] = i + 1
				return
			}
			if share != 0 && len(blk.walls) == 0 {
				blk.walls = append(blk.walls, zeros[:hi-lo]...)
				blk.nearWall = append(blk.nearWall, noContacts[:hi-lo]...)
			}
			if len(blk.walls) > 0 {
				blk.walls[i-lo], blk.nearWall[i-lo] = wall, share != 0
				blk.closing = blk.closing || wall.S != 0
			}
			if share != 0 {
				blk.frictions = addWallFriction(blk.frictions, scratch.walls, int32(i-lo), w.X[i], w.Spacing)
				for _, k := range scratch.near {
					blk.frictions = blk.addBodyFriction(p.rigid, k, int32(i-lo), w.X[i], w.Spacing)
				}
			}
			half := float32(p.h / 2) // a mirror's gradient is twice a solid's
			if p.Deficit[i] = 0; !p.closed {
				p.Deficit[i] = openShare(vec.New(float64(sums.GX+float32(half*wall.X)), float64(sums.GY+float32(half*wall.Y)), float64(sums.GZ+float32(half*wall.Z))))
			}
			x, y, z := sums.GX/p.h+wall.X, sums.GY/p.h+wall.Y, sums.GZ/p.h+wall.Z
			p.Diagonal[i] = float32(x*x) + float32(y*y) + float32(z*z) + sums.Square/(p.h*p.h)
		}
		if len(w.buffers.Nozzles) > 0 {
			blk.driven = w.buffers.Driven(blk.driven[:0], &w.Set, w.Time, lo, hi)
			for _, i := range blk.driven {
				p.Diagonal[i] = 0
			}
			p.addBufferImages(w, b, lo, hi)
		}
	})
	for _, i := range overfull {
		if i > 0 {
			return overCompressed(w, i-1)
		}
	}
	if p.rigid != nil {
		prepareCouplings(w, p, lambda)
	}
	p.complete = true
	return nil
}

// numItems returns how many items the passes read: one per particle and image.
func (p *Pairs) numItems() int { return p.n + len(p.images.Of) }

// updateImages gives the images the values of their particles in v, which has room for all.
func updateImages[T any](p *Pairs, v []T) {
	for g, i := range p.images.Of {
		v[p.n+g] = v[i]
	}
}

// updateImageScalars gives the images the S of their particles in p.At.
func (p *Pairs) updateImageScalars() {
	for g, i := range p.images.Of {
		p.At[p.n+g].S = p.At[i].S
	}
}

// gather prepares s for the particles of a cell: the particles in s.runs, and the images
// around.
func (p *Pairs) gather(w *World, cell int, s *scratch) {
	if len(p.images.Of) > 0 {
		c := w.cells.Center(cell)
		box := vec.Box{Min: c, Max: c}.Grow(1.5 * w.cells.Edge())
		if s.images = p.images.Near(s.images[:0], box, p.n, &s.pieces); len(s.images) > 0 {
			s.list = s.list[:0]
			for _, r := range s.runs {
				for j := r[0]; j < r[1]; j++ {
					s.list = append(s.list, j)
				}
			}
			s.list = append(s.list, s.images...)
			s.GatherList(&p.positions, s.list)
			return
		}
	}
	s.Gather(&p.positions, &s.runs)
}

// addSolids adds walls that are not there to blk.solids.
func (blk *block) addSolids(walls []boundary.Boundary) {
	for _, wall := range walls {
		if !slices.Contains(blk.solids, wall) {
			blk.solids = append(blk.solids, wall)
		}
	}
}

// openShare returns the share of the kernel that a particle at a free surface lacks,
// where g is h Σ V∇W over its neighbours and the walls. In a lattice the outermost layer
// lacks 0.14 and has |g| = 1; the other layers have 0. In a flow the liquid's inside has
// up to 0.4, and its surface 0.6 and more.
//
// Without it the particles at a surface have no pressure until their density equals the
// density inside. They move together until the layer has a tenth more particles, and
// water comes to rest 0.08 spacings too low.
func openShare(g vec.Vec3) float32 {
	const share, inside, surface = 0.14, 0.5, 0.9
	if g.Dot(g) <= inside*inside {
		return 0
	}
	return float32(share * min(1, max(0, (g.Len()-inside)/(surface-inside))))
}

// zeros and untouched are the wall terms of a block with no wall nearby.
var zeros [blockLen]Vec4

var noContacts [blockLen]bool

// scratch is a goroutine's memory for building a block and summing over it.
type scratch struct {
	pairsum.Scratch
	runs  pairsum.Runs
	list  []int32
	walls []boundary.Boundary
	near  []int32 // free bodies

	images []int32
	pieces [][2]int32
	out    [blockLen]Vec4
	split  forceSplit
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// setPositions sets the positions in units of h from the corner of the cells.
func (p *Pairs) setPositions(w *World) {
	l, n := &p.positions, p.numItems()+pairsum.Pad
	l.X = slices.Grow(l.X[:0], n)[:n]
	l.Y = slices.Grow(l.Y[:0], n)[:n]
	l.Z = slices.Grow(l.Z[:0], n)[:n]
	p.At = slices.Grow(p.At[:0], p.numItems())[:p.numItems()]
	corner, inv := w.cells.Corner(), 1/w.Kernel.H()
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			at := vec4(w.X[i].Sub(corner).Mul(inv))
			l.X[i], l.Y[i], l.Z[i], p.At[i] = at.X, at.Y, at.Z, at
		}
	})
	for g, x := range p.images.X {
		i, at := p.n+g, vec4(x.Sub(corner).Mul(inv))
		l.X[i], l.Y[i], l.Z[i], p.At[i] = at.X, at.Y, at.Z, at
	}
}

// setVelocities updates V with the velocities of the particles and of the free bodies. S is
// the square of the speed.
func (p *Pairs) setVelocities(w *World) {
	p.V = slices.Grow(p.V[:0], p.numItems())[:p.numItems()]
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			v := vec4(w.V[i])
			v.S = dotVec(&v, &v)
			p.V[i] = v
		}
	})
	updateImages(p, p.V)
	if p.rigid != nil {
		p.rigid.start()
	}
}

// pressureAccel sets a to the acceleration by pressure of the particles of
// block b,
//
//	a_i = −Σ_j V (k_i + k_j) ∇W_ij − k_i ∇λ_i,
//
// where k = p/ρ₀ for a liquid at rest density is S of p.At. The pairwise sum conserves
// momentum. The walls' ∇λ is the gradient of a mirror image, so that a constant pressure
// is in balance with a flat wall.
func (p *Pairs) pressureAccel(b int, a []Vec4) {
	blk := &p.blocks[b]
	if p.correction.on {
		p.correction.gradient(p, blk, a)
	} else {
		blk.Gradient(a, p.At)
	}
	p.finishAccel(blk, a)
}

// finishAccel makes the sums a over the pairs of a block the acceleration by pressure.
func (p *Pairs) finishAccel(blk *block, a []Vec4) {
	inv := -1 / p.h
	a = a[blk.First : blk.First+blk.Len()]
	for i := range a {
		a[i] = Vec4{X: a[i].X * inv, Y: a[i].Y * inv, Z: a[i].Z * inv}
	}
	for i, w := range blk.walls {
		k := p.At[blk.First+i].S
		a[i].X -= float32(k * w.X)
		a[i].Y -= float32(k * w.Y)
		a[i].Z -= float32(k * w.Z)
	}
	for _, i := range blk.driven {
		a[int(i)-blk.First] = Vec4{}
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
	p.pairCompression(b, c, v)
	p.addWallCompression(b, c, v)
}

// pairCompression sets c to the part of the compression by the particles alone.
func (p *Pairs) pairCompression(b int, c []float32, v []Vec4) {
	blk := &p.blocks[b]
	if p.correction.on {
		blk.CorrectedDivergence(c, p.At, v, p.correction.l)
	} else {
		blk.Divergence(c, p.At, v)
	}
	inv := 1 / p.h
	c = c[blk.First : blk.First+blk.Len()]
	for i := range c {
		c[i] *= inv
	}
}

// addWallCompression adds to c the part by the walls.
func (p *Pairs) addWallCompression(b int, c []float32, v []Vec4) {
	blk := &p.blocks[b]
	for i, w := range blk.walls {
		i += blk.First
		v := &v[i]
		c[i] += float32(v.X*w.X) + float32(v.Y*w.Y) + float32(v.Z*w.Z)
	}
}

// addClosing adds to c the rate at which moving walls close in on the
// particles of block b, 1/s.
func (p *Pairs) addClosing(b int, c []float32) {
	blk := &p.blocks[b]
	for i, w := range blk.walls {
		c[blk.First+i] += w.S
	}
}
