package sim

import (
	"math"
	"slices"

	"breakwater/sim/boundary"
	"breakwater/sim/pairsum"
	"breakwater/sim/vec"
)

// gradientCorrection corrects the pressure gradients, so that particles slide past each
// other under pressure: of a highly viscous liquid, and of any liquid with the solver ISPH.
//
// The rate C_i at which a particle's density grows is not 0 in a shear flow without
// divergence, because a sum over disordered neighbours changes as they pass. Where
// pressure forbids each particle that change, a liquid under its own weight flows like a
// granular material. It must dilate to flow, its resistance grows with the depth, and
// below a yield stress it stands. So C_i is taken with a matrix L_i,
//
//	C_i = Σ_j V (v_i − v_j)·L_i∇W_ij + v_i·∇λ_i,
//	a_i = −Σ_j V (k_i L_i + k_j L_j)∇W_ij − k_i ∇λ_i,
//
// that makes it exact for every velocity that is linear in the place (Bonet and
// Lok, Variational and momentum preservation aspects of SPH formulations, Comput.
// Methods Appl. Mech. Eng. 180, 1999, sec. 4.1): with t the distance to a wall,
//
//	L_i M_i = 1 − Σ t ∇λ_i∇λ_iᵀ/|∇λ_i|,  M_i = −Σ_j V ∇W_ij x_ijᵀ,
//
// where flow along the wall adds nothing. The force is the adjoint of the rate, as
// without L. Momentum is conserved since each pair's force is equal and opposite. Angular
// momentum is conserved since L_i M_i is symmetric: the torque of k_i on all pairs is k_i
// times the antisymmetric part.
type gradientCorrection struct {
	on      bool
	l       []pairsum.Mat3 // L, of each particle
	moments []pairsum.Mat3 // the Moments: Σ_j h V∇W_ij, the diagonal of M, and its xy, yz and zx
	k       []pairsum.Mat3 // k L, for images too
}

// maxCorrection bounds |L − 1|: at a surface, and in drops and sheets, M is small in some
// direction or in all. With 0.4 a ball in honey sinks 6 % slower than with this, with
// 1.5 it sinks 2 % faster.
const maxCorrection = 0.7

// margin is the factor by which Diagonal is enlarged. With L the eigenvalues that lambda
// bounds were up to 3.4 in a column of honey that had collapsed.
const margin = 1.1

// highlyViscous reports whether viscosity is so high that it is solved for where no force
// but its weight shortens the steps.
func highlyViscous(w *World) bool {
	if w.Closed || w.viscosity() == 0 {
		return false
	}
	const maxMove = 0.4 // spacings in a step
	dt := maxMove * w.Spacing / w.Speed
	if g := w.Gravity.Len(); g > 0 {
		dt = calmStep * math.Sqrt(w.Spacing/g)
	}
	return implicitCost*w.viscousDt() < dt
}

// correctsGradients reports whether the pressure gradients of a solver are corrected.
func correctsGradients(w *World, s Solver) bool {
	_, always := s.(interface{ correctsGradients() })
	return always || highlyViscous(w)
}

// correctGradients prepares p for corrected gradients, if w has them, and sets p.Diagonal.
func correctGradients(w *World, p *Pairs) {
	if p.correction.on || !w.corrected && !highlyViscous(w) {
		return
	}
	p.correction.find(w, p, nil)
	p.correction.setDiagonal(p)
	if p.rigid != nil {
		prepareCouplings(w, p, lambda)
	}
}

// find finds the correction, the Differences of S of p.At, and the inverse moments for
// gradient, if it is not nil. Particles wedged between a free body and another solid have
// none, for the reason of correctionScale.
func (s *gradientCorrection) find(w *World, p *Pairs, gradient *consistentGradient) {
	s.on = true
	s.l = slices.Grow(s.l[:0], p.n)[:p.n]
	s.moments = slices.Grow(s.moments[:0], p.n)[:p.n]
	s.k = slices.Grow(s.k[:0], p.numItems())[:p.numItems()]
	if gradient != nil {
		gradient.resize(p)
	}
	flat := w.Dim() == 2
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		blk.Moments(s.moments, p.At)
		var wedged [blockLen]bool // between a free body and another solid
		for k := range blk.couplings {
			if h := &blk.couplings[k]; h.wedged {
				wedged[h.i] = true
			}
		}
		var walls []boundary.Boundary
		var near []int32
		last := -1
		for i := lo; i < hi; i++ {
			m := s.momentsAt(i, flat)
			adj, det := m.Adjugate()
			if gradient != nil {
				gradient.invert(i, &adj, det)
			}
			if len(w.buffers.Nozzles) > 0 && nearInlet(w, i) || wedged[i-lo] {
				s.l[i] = pairsum.Mat3{X: Vec4{X: 1}, Y: Vec4{Y: 1}, Z: Vec4{Z: 1}}
				continue
			}
			limit := maxCorrection
			if !w.Closed { // where particles are not parted by their density
				limit *= correctionScale(w.Rho[i] / w.Rho0)
			}
			if len(blk.nearWall) == 0 || !blk.nearWall[i-lo] {
				inverseOf(&s.l[i], &adj, det, limit)
				continue
			}
			x := w.X[i]
			if cell := w.cells.Cell(x); cell != last {
				last = cell
				walls, near = w.wallsNear(walls[:0], cell), bodiesNear(w, near[:0], blk.bodies, cell)
			}
			var solid mat
			for _, wall := range walls {
				solid.addWall(wall, x)
			}
			for _, k := range near {
				solid.addWall(w.rigid.Bodies[k], x)
			}
			s.l[i] = correctionOf(&m, &adj, det, &solid, limit)
		}
	})
}

// setDiagonal sets the diagonal of p for a solve with corrected gradients.
func (s *gradientCorrection) setDiagonal(p *Pairs) {
	p.each(func(b, lo, hi int) {
		var square, across [blockLen]Vec4
		blk := &p.blocks[b]
		blk.SquaredMoments(square[:hi-lo], across[:hi-lo], p.At)
		for i := lo; i < hi; i++ {
			if p.Diagonal[i] == 0 { // an inflow moves it
				continue
			}
			l, g := &s.l[i], s.moments[i].X
			g = l.Of(g.X/p.h, g.Y/p.h, g.Z/p.h)
			if len(blk.walls) > 0 {
				wall := &blk.walls[i-lo]
				g.X, g.Y, g.Z = g.X+wall.X, g.Y+wall.Y, g.Z+wall.Z
			}
			p.Diagonal[i] = margin * (float32(g.X*g.X) + float32(g.Y*g.Y) + float32(g.Z*g.Z) +
				float32(size(l, momentsOf(square[i-lo], across[i-lo])))/(p.h*p.h))
		}
	})
}

// momentsAt returns M of particle i.
func (s *gradientCorrection) momentsAt(i int, flat bool) vec.Sym3 {
	m := momentsOf(s.moments[i].Y, s.moments[i].Z)
	if flat {
		m.ZZ = 1
	}
	return m
}

// nearInlet reports whether particle i is of an inflow or just before one, whose buffer
// is in its walls.
func nearInlet(w *World, i int) bool {
	if n, _ := w.buffers.Holding(w.ID[i], w.Time); n != nil {
		return true
	}
	return w.buffers.IsNear(w.X[i], w.Kernel.H())
}

// mat is a matrix by its rows.
type mat [3][3]float64

// momentsOf returns the matrix with the diagonal d and xy, yz and zx beside it.
func momentsOf(d, o Vec4) vec.Sym3 {
	return vec.Sym3{XX: float64(d.X), YY: float64(d.Y), ZZ: float64(d.Z), XY: float64(o.X), YZ: float64(o.Y), ZX: float64(o.Z)}
}

// addWall adds the wall's term of the rate of a velocity that is linear in the place and
// along the wall on it.
func (m *mat) addWall(wall boundary.Boundary, x vec.Vec3) {
	_, g := wall.Mirror(x)
	slope := g.Len()
	if slope == 0 {
		return
	}
	t, _ := boundary.RoughDist(wall, x)
	f := max(0, t) / slope
	v := [3]float64{g.X, g.Y, g.Z}
	for a := range v {
		for b := range v {
			m[a][b] += float64(f * v[a] * v[b])
		}
	}
}

// correctionScale returns how much of a correction a particle of the given relative
// density may have, from 1 to 0. Compressed particles, as under a heavy body that comes
// down on another, must part according to their density. With L alone the density got to
// three times the rest density.
func correctionScale(density float64) float64 {
	const full, none = 1.02, 1.05
	return min(1, max(0, (none-density)/(none-full)))
}

// correctionOf returns L = 1 + f (1 − solid − moments) moments⁻¹, with f at most 1 and so
// that |L − 1| is at most limit. adj is the adjugate of moments, and det the determinant.
func correctionOf(moments, adj *vec.Sym3, det float64, solid *mat, limit float64) pairsum.Mat3 {
	m, inv := moments.Rows(), adj.Rows()
	var e mat
	square := 0.
	for a := range 3 {
		for b := range 3 {
			for c := range 3 {
				lack := -solid[a][c] - m[a][c]
				if a == c {
					lack++
				}
				e[a][b] += float64(lack * inv[c][b])
			}
			square += float64(e[a][b] * e[a][b])
		}
	}
	f := limitedShare(square, det, limit)
	return pairsum.Mat3{
		X: Vec4{X: float32(1 + float64(f*e[0][0])), Y: float32(f * e[1][0]), Z: float32(f * e[2][0])},
		Y: Vec4{X: float32(f * e[0][1]), Y: float32(1 + float64(f*e[1][1])), Z: float32(f * e[2][1])},
		Z: Vec4{X: float32(f * e[0][2]), Y: float32(f * e[1][2]), Z: float32(1 + float64(f*e[2][2]))},
	}
}

// inverseOf sets l to correctionOf away from solids, 1 + f (moments⁻¹ − 1).
func inverseOf(l *pairsum.Mat3, adj *vec.Sym3, det, limit float64) {
	e := *adj
	e.XX, e.YY, e.ZZ = e.XX-det, e.YY-det, e.ZZ-det
	f := limitedShare(e.Square(), det, limit)
	xy, yz, zx := float32(f*e.XY), float32(f*e.YZ), float32(f*e.ZX)
	l.X = Vec4{X: float32(1 + float64(f*e.XX)), Y: xy, Z: zx}
	l.Y = Vec4{X: xy, Y: float32(1 + float64(f*e.YY)), Z: yz}
	l.Z = Vec4{X: zx, Y: yz, Z: float32(1 + float64(f*e.ZZ))}
}

// limitedShare returns f/det, with f at most 1, and so that the root of square times f/det is at
// most limit. f is 0 where det is not positive.
func limitedShare(square, det, limit float64) float64 {
	if !(det > 0) || limit == 0 {
		return 0
	}
	return 1 / max(det, math.Sqrt(square)/limit)
}

// size returns the trace of l moments lᵀ.
func size(l *pairsum.Mat3, moments vec.Sym3) (sum float64) {
	m := moments.Rows()
	for _, row := range [3][3]float64{
		{float64(l.X.X), float64(l.Y.X), float64(l.Z.X)},
		{float64(l.X.Y), float64(l.Y.Y), float64(l.Z.Y)},
		{float64(l.X.Z), float64(l.Y.Z), float64(l.Z.Z)},
	} {
		for a := range row {
			for b := range row {
				sum += float64(row[a] * m[a][b] * row[b])
			}
		}
	}
	return sum
}

// setPressures prepares pressureAccel for the S of p.At, and PressureGradients with scalars as
// the scalars of the matrices, if it is not nil.
func (p *Pairs) setPressures(scalars []float32) {
	p.updateImageScalars()
	s := &p.correction
	if !s.on {
		return
	}
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			k, l, m := p.At[i].S, &s.l[i], &s.k[i]
			m.X = Vec4{X: k * l.X.X, Y: k * l.X.Y, Z: k * l.X.Z}
			m.Y = Vec4{X: k * l.Y.X, Y: k * l.Y.Y, Z: k * l.Y.Z}
			m.Z = Vec4{X: k * l.Z.X, Y: k * l.Z.Y, Z: k * l.Z.Z}
			if scalars != nil {
				m.X.S = scalars[i]
			}
		}
	})
	updateImages(p, s.k)
}

// gradient is sweep's Gradient over p.At, with L.
func (s *gradientCorrection) gradient(p *Pairs, blk *block, a []Vec4) {
	blk.CorrectedGradient(a, p.At, s.k)
	for i := blk.First; i < blk.First+blk.Len(); i++ {
		a[i] = s.withOwn(i, &a[i])
	}
}

// withOwn returns the CorrectedGradient of particle i with the part of its own pressure.
func (s *gradientCorrection) withOwn(i int, of *Vec4) Vec4 {
	g := &s.moments[i].X
	y := s.k[i].Of(g.X, g.Y, g.Z)
	return Vec4{X: of.X + y.X, Y: of.Y + y.Y, Z: of.Z + y.Z}
}
