package sim

import (
	"math"
	"slices"
)

// poisson is the pressure equation with a Laplacian over direct neighbours,
//
//	C_i(a(k)) ≈ 2/h² Σ_j f_ij (k_j − k_i) − o_i k_i,  f = −h² V W′/r,
//
// for projection to solve (Cummins and Rudman, An SPH projection method, J. Comput. Phys.
// 152, 1999, with the Laplacian of Morris et al. 1997). It is symmetric, and its
// neighbours are half as far away as in the exact C∘a. So pressures that alternate
// from particle to particle do not go unnoticed, and an iteration is one sum of scalars.
// The velocities that follow are free of divergence up to the error of the approximation.
//
// A wall's mirror image has the pressure of the particle, and adds nothing: that is the
// condition of Neumann. At a free surface the pressure is 0 on the surface, half a spacing
// from the outermost particles, and beyond it the image of the particle has the pressure −k
// (as in Nair and Tomar, An improved free surface modeling for incompressible SPH,
// Comput. Fluids 102, 2014, where it is 0). For a pressure that grows in proportion to the
// depth, the missing neighbours add up to o = 8 |lack|/h².
//
// In calm liquid the outermost layer has no source but by walls and by its density: its pressure
// follows from the layers below and the surface; see surfaceCalm.
type poisson struct {
	k, diff []float32 // k and Σ_j f_ij (k_j − k_i), k with images
	open    []float32 // h² o
	driven  []bool    // whether an inflow moves a particle; empty without inflows
	inlet   []bool    // whether such neighbours have to be left out

	coarse multilevel
}

// The surface's term grows from none to all of it between these values of |lack|.
const (
	openInside  = 0.3
	openOutside = 0.7
)

// leastWeights bounds 2 Σ_j f_ij + h² o from below: for particles with few neighbours o is
// larger. In a lattice the sum is 11. Without the bound a particle in a gap between two bodies
// narrower than itself has an equation without itself: its pressure pushes neither it, for the
// bodies lie on both sides, nor a neighbour. It then rises until the bodies give way.
const leastWeights = 2

// calmChange is a relative change of the volume in a step that waves do not reach.
const calmChange = 0.01

// surfaceCalm returns the share of a change of the volume of the outermost layer in a step that the
// pressure leaves.
//
// The force of the pressure is not the adjoint of the divergence there, and does not remove all of
// it. What is left was in phase with the velocity, and so was its pressure: it damped waves. Without
// the correction of the density a wave with 50 particles per wavelength lost 81 % of its height in
// ten periods with all of the divergence, and 63 % without. Impacts need the divergence: if the
// pressure leaves it there too, sheets and drops that collapse burst.
func surfaceCalm(change float32) float32 {
	return max(0, 1-max(change, -change)/calmChange)
}

// find prepares the equation for the positions of p, and sets p.Diagonal.
func (s *poisson) find(w *World, p *Pairs, around *surroundings) {
	s.k = slices.Grow(s.k[:0], p.numItems())[:p.numItems()]
	s.diff = slices.Grow(s.diff[:0], p.n)[:p.n]
	s.open = slices.Grow(s.open[:0], p.n)[:p.n]
	s.findInlets(w, p)
	h2 := float32(p.h * p.h)
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		for i := lo; i < hi; i++ {
			weights := p.correction.moments[i].X.S
			if len(s.inlet) > 0 && s.inlet[i] {
				weights = s.besides(blk, i, func(j int32) float32 { return 1 })
			}
			s.open[i] = 0
			if !w.Closed {
				lacks := float32(math.Sqrt(float64(dotVec(&around.lack[i], &around.lack[i]))))
				s.open[i] = 8 * min(1, lacks) * min(1, max(0, (lacks-openInside)/(openOutside-openInside)))
			}
			s.open[i] = max(s.open[i], leastWeights-float32(2*weights))
			if p.Diagonal[i] > 0 {
				p.Diagonal[i] = (float32(2*weights) + s.open[i]) / h2
			}
		}
	})
	s.coarse.start(w, s)
	if p.rigid != nil {
		prepareCouplings(w, p, poissonLambda/shellRows)
	}
}

// findInlets finds the particles that an inflow moves, and those that it has just moved.
// The pressure of the former is not known: the inflow prescribes their velocity.
func (s *poisson) findInlets(w *World, p *Pairs) {
	s.driven, s.inlet = s.driven[:0], s.inlet[:0]
	if len(w.buffers.Nozzles) == 0 {
		return
	}
	s.driven = slices.Grow(s.driven, p.n)[:p.n]
	s.inlet = slices.Grow(s.inlet, p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		clear(s.driven[lo:hi])
		for _, i := range p.blocks[b].driven {
			s.driven[i] = true
		}
		for i := lo; i < hi; i++ {
			s.inlet[i] = nearInlet(w, i)
		}
	})
}

// besides returns Σ_j f_ij of(j) over the neighbours that no inflow moves.
func (s *poisson) besides(blk *block, i int, of func(j int32) float32) (sum float32) {
	for j, f := range blk.Of(i - blk.First) {
		if int(j) >= len(s.driven) || !s.driven[j] {
			sum += float32(f * of(j))
		}
	}
	return sum
}

// poissonLambda bounds the eigenvalues of the Jacobi matrix, by Gershgorin's theorem.
const poissonLambda = 2

func (*poisson) bound() float64 { return poissonLambda }

func (*poisson) start() ranges { return correctedRanges }

func (s *poisson) correct(t *projection, p *Pairs, dt2, factor float32, fresh bool) {
	s.coarse.correct(t, p, dt2, factor, fresh)
}

func (s *poisson) spread(_ *projection, p *Pairs, _ int) {
	p.each(func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.k[i] = p.At[i].S
		}
		p.sumPressures(b)
	})
	updateImages(p, s.k)
	p.setPressureRates()
}

func (s *poisson) sum(t *projection, p *Pairs, b, _ int) {
	s.apply(p, b, t.comp)
	if p.rigid != nil {
		p.addBodyRates(b, t.comp, p.rigid.pressureRate)
	}
}

// apply sets comp to the left side of the equation for block b.
func (s *poisson) apply(p *Pairs, b int, comp []float32) {
	blk := &p.blocks[b]
	blk.Differences(s.diff, s.k)
	inv := 1 / float32(p.h*p.h)
	for i := blk.First; i < blk.First+blk.Len(); i++ {
		sum := s.diff[i]
		if len(s.inlet) > 0 && s.inlet[i] {
			sum = s.besides(blk, i, func(j int32) float32 { return s.k[j] - s.k[i] })
		}
		comp[i] = (float32(2*sum) - float32(s.open[i]*s.k[i])) * inv
	}
}
