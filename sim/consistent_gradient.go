package sim

import (
	"slices"

	"breakwater/sim/pairsum"
	"breakwater/sim/vec"
)

// consistentGradient is the acceleration by pressure inside a liquid.
//
// The conservative form −Σ_j V (k_i L_i + k_j L_j)∇W_ij does not vanish for a constant
// pressure, but for particles in a lattice. Under a high pressure its rest drives the
// particles into a packing: they vibrate, and resist shear, in proportion to the pressure. So
// deep water at rest boils. The difference form
//
//	a_i = −M_i⁻¹ Σ_j V (k_j − k_i)∇W_ij,  M_i = −Σ_j V ∇W_ij x_ijᵀ,
//
// is exact for every pressure that is linear in the place, as in water at rest (Randles and
// Libersky, Smoothed particle hydrodynamics: some recent improvements and applications,
// Comput. Methods Appl. Mech. Eng. 139, 1996). But nothing in it keeps particles apart, and
// flows draw them into rows. So a part of the conservative form remains: the force of a background
// pressure (as Adami, Hu and Adams, A transport-velocity formulation for smoothed particle
// hydrodynamics, J. Comput. Phys. 241, 2013, have one, in the velocity of transport alone),
//
//	k_b = min(|k_i|, backgroundPressure u²),
//
// u the speed of the particle relative to its neighbours. Particles that move along with each
// other, as at rest, feel no background pressure.
//
// In the outermost layer, which the inner of surroundings leaves out, the missing neighbours take
// part in the difference form: in air they have the pressure −k_i, as in poisson, and add to M
// what the upper half of a lattice has (surfaceAlong, surfaceAcross). With the conservative form
// there, the outermost layer of water at rest moved several times as fast as the water below, and
// where the surface meets a wall the corners of a tank started to flow. The background pressure
// is halved there, where the pressure is low, and absent beside walls.
//
// The sum of the difference form over all pairs is not 0. So the momentum of a liquid that
// walls support is conserved up to the error of the gradient, and not to rounding; for others
// see conserve. Near inlets and in jets all is conservative: the suction in a jet pulls its
// particles together, which the difference form does not. Beside free bodies, see bodyPressure.
type consistentGradient struct {
	inverse []pairsum.Mat3 // M⁻¹
	usable  []float32      // the share of the difference form that M and bodies allow
	corner  []float32      // from 0 to 1: how much walls cut off of M, more than in the corner of a box
	sums    []pairsum.Mat3 // the PressureGradients of k and of the innerMean of surroundings
	wall    []float32      // the pressure over ρ₀ of walls on particles; see onWall
	coupled []bool         // whether usable is the share itself, as in the shells of bodies; empty without bodies
	by      []Vec4         // what accelerate takes from the conservative form; empty without bodies
	most    float32        // bound of the background pressure over ρ, m²/s²
}

const (
	// backgroundPressure is the background pressure over ρu². With 10, water at rest moves twice
	// as fast along the edges of a tank. With 100, waves gain height.
	backgroundPressure = 60

	// openBackground is the share of it that remains in the outermost layer. With more, waves
	// lose more of their height.
	openBackground = 0.5

	// mostBackground bounds the background pressure to ρ (mostBackground d/dt)²: a higher
	// one makes particles oscillate.
	mostBackground = 0.3

	// surfaceAlong and surfaceAcross are the moments of the missing neighbours of a particle in
	// the outermost layer, along the surface and across it. In a lattice they are 0.16 and 0.51.
	// With 0.5 across, water at rest moves half as fast again in three dimensions. With 0.4,
	// waves lose twice as much of their height.
	surfaceAlong  = 0.16
	surfaceAcross = 0.46
)

// The difference form is used where the determinant of M, 1 inside a lattice, is above the
// second value, and not below the first, as in a row of particles in a gap. It is some 0.1
// where three walls meet.
const leastMoments, enoughMoments = 0.01, 0.04

// The corners where stillConfined acts begin at the first determinant of M, and it acts in full below
// the second.
const openCorner, acuteCorner = 0.04, 0.015

// resize makes room for the particles of p.
func (s *consistentGradient) resize(p *Pairs) {
	s.inverse = slices.Grow(s.inverse[:0], p.n)[:p.n]
	s.usable = slices.Grow(s.usable[:0], p.n)[:p.n]
	s.corner = slices.Grow(s.corner[:0], p.n)[:p.n]
}

// invert sets the inverse of the moments of particle i from their adjugate and determinant.
func (s *consistentGradient) invert(i int, adj *vec.Sym3, det float64) {
	s.usable[i] = float32(min(1, max(0, (det-leastMoments)/(enoughMoments-leastMoments))))
	s.corner[i] = float32(min(1, max(0, (openCorner-det)/(openCorner-acuteCorner))))
	s.setInverse(i, adj, det)
}

// setInverse sets the inverse of a symmetric matrix from its adjugate and determinant.
func (s *consistentGradient) setInverse(i int, adj *vec.Sym3, det float64) {
	f := 1 / max(det, leastMoments)
	xy, yz, zx := float32(f*adj.XY), float32(f*adj.YZ), float32(f*adj.ZX)
	m := &s.inverse[i]
	m.X = Vec4{X: float32(f * adj.XX), Y: xy, Z: zx}
	m.Y = Vec4{X: xy, Y: float32(f * adj.YY), Z: yz}
	m.Z = Vec4{X: zx, Y: yz, Z: float32(f * adj.ZZ)}
}

// find prepares for the positions of p and a step of dt. around and the jets of p must be up to
// date, and invert was called for all particles.
func (s *consistentGradient) find(w *World, p *Pairs, dt float64, around *surroundings) {
	s.sums = slices.Grow(s.sums[:0], p.n)[:p.n]
	s.wall = slices.Grow(s.wall[:0], p.n)[:p.n]
	s.coupled = s.coupled[:0]
	if p.rigid != nil {
		s.coupled = slices.Grow(s.coupled, p.n)[:p.n]
		clear(s.coupled)
		s.by = slices.Grow(s.by[:0], p.n)[:p.n]
		clear(s.by)
	} else {
		s.by = s.by[:0]
	}
	s.most = 0
	if !w.Closed {
		u := mostBackground * w.Spacing / dt
		s.most = float32(u * u)
	}
	flat := w.Dim() == 2
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		for i := lo; i < hi; i++ {
			if open := float64(around.open[i]); open > 0 {
				m := p.correction.momentsAt(i, flat)
				m.XX += float64(open * surfaceAlong)
				m.YY += float64(open * surfaceAlong)
				if !flat {
					m.ZZ += float64(open * surfaceAlong)
				}
				m.AddOuter(vec3(around.lack[i]).Unit(), open*(surfaceAcross-surfaceAlong))
				adjugate, det := m.Adjugate()
				s.setInverse(i, &adjugate, det)
			}
			if p.jets(i) || len(w.buffers.Nozzles) > 0 && nearInlet(w, i) {
				s.usable[i] = 0
			}
		}
		for k := range blk.couplings {
			if blk.couplings[k].wedged {
				s.usable[lo+int(blk.couplings[k].i)] = 0
			}
		}
	})
}

// conservativeShare returns the share of the conservative form at particle i, whose pressure
// is k.
func (s *consistentGradient) conservativeShare(i int, k float32, around *surroundings) float32 {
	if k == 0 {
		return 1
	}
	// A background pressure pushes: with a negative k the conservative form has the other sign.
	return min(1, max(-1, min(float32(backgroundPressure*around.speed2[i]), s.most)/k))
}

// besideBody reports whether particle i is in the shell of a free body.
func (s *consistentGradient) besideBody(i int) bool { return len(s.coupled) > 0 && s.coupled[i] }

// besideWall reports whether a wall is closer than a spacing to particle k of the block.
func (blk *block) besideWall(k int) bool { return len(blk.nearWall) > 0 && blk.nearWall[k] }

// accelerate sets a to the acceleration by k, the S of p.At.
func (s *consistentGradient) accelerate(p *Pairs, a []Vec4, around *surroundings) {
	p.setPressures(around.innerMean)
	inv := 1 / p.h
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		blk.PressureGradients(s.sums, p.At, p.correction.k)
		for i := lo; i < hi; i++ {
			a[i] = p.correction.withOwn(i, &s.sums[i].X)
		}
		p.finishAccel(blk, a)
		for i := lo; i < hi; i++ {
			k, open, usable := p.At[i].S, around.open[i], s.usable[i]
			s.wall[i] = k
			if k == 0 || usable == 0 || p.Diagonal[i] == 0 {
				continue
			}
			g, lack, sum := &p.correction.moments[i].X, &around.lack[i], &s.sums[i].Y
			d := s.inverse[i].Of(
				sum.X-float32(2*k*(g.X-float32(open*lack.X))),
				sum.Y-float32(2*k*(g.Y-float32(open*lack.Y))),
				sum.Z-float32(2*k*(g.Z-float32(open*lack.Z))))
			conservative := (1 - float32((1-openBackground)*open)) * s.conservativeShare(i, k, around)
			if blk.besideWall(i-lo) || s.besideBody(i) {
				conservative = 0
			}
			share, at := usable*(1-conservative), &a[i]
			if p.closed { // where the conservative form parts compressed particles
				share *= around.inner[i]
			}
			by := Vec4{
				X: float32(share * (at.X + float32(d.X*inv))),
				Y: float32(share * (at.Y + float32(d.Y*inv))),
				Z: float32(share * (at.Z + float32(d.Z*inv))),
			}
			at.X, at.Y, at.Z = at.X-by.X, at.Y-by.Y, at.Z-by.Z
			if len(s.by) > 0 {
				s.by[i] = by
			}
			if blk.besideWall(i - lo) {
				if n := &blk.walls[i-lo]; dotVec(n, n) > 0 {
					s.wall[i] += dotVec(&by, n) / dotVec(n, n)
				}
			}
		}
	})
}

// ofInnerMean returns Σ_j θ_j h V ∇W_ij, with θ the innerMean of surroundings. It is found by accelerate.
func (s *consistentGradient) ofInnerMean(i int) *Vec4 { return &s.sums[i].Z }

// onWall returns the pressure over ρ₀ with which a wall pushes particle i: what accelerates the
// particle besides the conservative pair sums is the wall's −k∇λ.
func (s *consistentGradient) onWall(i int) float32 { return s.wall[i] }
