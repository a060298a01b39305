package sim

import (
	"math"
	"slices"
)

// surroundings say of each particle how its neighbours lie and move around it.
type surroundings struct {
	lack      []Vec4    // h (Σ_j V∇W_ij + ½∇λ_i): 0 inside a lattice, and towards the liquid at its surface
	open      []float32 // 0 inside the liquid and 1 at its surface
	inner     []float32 // 1 − open, and 0 for compressed particles
	innerMean []float32 // inner averaged over the neighbours once, with images: below 1 down to two layers under the surface; not found in a closed liquid
	speed2    []float32 // square of the speed relative to the neighbours, m²/s²
	spread    []Vec4    // Σ_j f_ij (v_j − v_i), m/s

	average []float32 // inner averaged over the neighbours, without images
}

// alternation returns the largest eigenvalue of Σ_j f_ij (v_i − v_j) in a square or cubic
// lattice, f the kernel's slope over the distance. It belongs to velocities that alternate
// from particle to particle.
func alternation(dim int) float32 {
	if dim == 2 {
		return 10.9
	}
	return 12.1
}

// find finds the surroundings for p.V as setVelocities has it and the gradients of the correction.
//
// The wall's mirror image has twice the gradient of a solid, hence the half. |lack| is 0 in
// a lattice, up to 0.3 inside a flow, and 1 in the outermost layer. A closed liquid has no
// surface.
//
// Strongly compressed particles do not count as inner ones, since the eigenvalues of their sums are
// larger. Those that deep water presses into the corner of two slopes have 1.2 times the rest
// density; without the biharmonic viscosity they go on bursting from it. In a closed liquid nothing
// presses them together but the flow.
func (s *surroundings) find(w *World, p *Pairs) {
	const inside, outside = 0.3, 0.7
	dense, tooDense := 1.3, 1.6
	if w.Closed {
		dense, tooDense = 1.1, 1.2
	}
	s.lack = slices.Grow(s.lack[:0], p.n)[:p.n]
	s.open = slices.Grow(s.open[:0], p.n)[:p.n]
	s.inner = slices.Grow(s.inner[:0], p.n)[:p.n]
	s.innerMean = slices.Grow(s.innerMean[:0], p.numItems())[:p.numItems()]
	s.speed2 = slices.Grow(s.speed2[:0], p.n)[:p.n]
	s.average = slices.Grow(s.average[:0], p.n)[:p.n]
	s.spread = slices.Grow(s.spread[:0], p.n)[:p.n]
	inv := 1 / alternation(w.Dim())
	half := p.h / 2
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		blk.Diffusion(s.spread[lo:hi], p.V)
		for i := lo; i < hi; i++ {
			g := p.correction.moments[i].X
			if len(blk.walls) > 0 {
				n := &blk.walls[i-lo]
				g.X += float32(half * n.X)
				g.Y += float32(half * n.Y)
				g.Z += float32(half * n.Z)
			}
			s.lack[i] = g
			lacks := math.Sqrt(float64(dotVec(&g, &g)))
			if w.Closed {
				lacks = 0
			}
			s.open[i] = float32(min(1, max(0, (lacks-inside)/(outside-inside))))
			s.inner[i] = float32(min(1-float64(s.open[i]), max(0, (tooDense-w.Rho[i]/w.Rho0)/(tooDense-dense))))
			// Σ f |v_j − v_i|² = Σ f (v_j² − v_i²) − 2 v_i·Σ f (v_j − v_i)
			s.speed2[i] = max(0, 2*inv*(s.spread[i].S-2*dotVec(&p.V[i], &s.spread[i])))
		}
	})
	if w.Closed {
		return
	}
	copy(s.innerMean, s.inner)
	diffuse(w, p, s.average, s.innerMean)
	copy(s.innerMean, s.average)
}

// dotVec returns the scalar product of the vectors of a and b.
func dotVec(a, b *Vec4) float32 {
	return float32(a.X*b.X) + float32(a.Y*b.Y) + float32(a.Z*b.Z)
}
