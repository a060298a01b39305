package sim

import "slices"

// shiftRate is the rate of shiftParticles in the conservative solvers: the shift while the fastest
// particle moves by a length, relative to this length times h∇C. At 1.5 the errors of decaying
// vortices are a tenth less, at 0.3 half as much again. maxShift bounds the shift in a step, in
// spacings. At 0.4 the shifts themselves are unstable.
const (
	shiftRate = 1
	maxShift  = 0.2
)

// shiftParticles moves the particles of a closed liquid a little from where they are
// dense to where they are few,
//
//	x_i ← x_i − rate v dt h ∇C_i,  ∇C_i = Σ_j V∇W_ij + ½ ∇λ_i,
//
// with v the highest speed (Lind et al., Incompressible smoothed particle hydrodynamics
// for free-surface flows, J. Comput. Phys. 231, 2012, with the factor of Skillen et al.,
// Comput. Methods Appl. Mech. Eng. 265, 2013). Where pressure may be negative, diverging
// and converging streamlines would otherwise draw the particles into rows. The half
// compensates for the mirror's gradient, which is twice a solid's. It leaves the
// velocities, and so momentum, as they are, and S of p.At without meaning.
func shiftParticles(w *World, p *Pairs, dt, rate float64) {
	if !w.Closed {
		return
	}
	for i := range p.At {
		p.At[i].S = 0.5
	}
	scale := -min(rate*maxSpeed(w.V)*dt, maxShift*w.Spacing)
	p.shiftSums = slices.Grow(p.shiftSums[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		blk.Gradient(p.shiftSums, p.At)
		half := p.h / 2
		for i := lo; i < hi; i++ {
			g := p.shiftSums[i]
			if len(blk.walls) > 0 {
				n := &blk.walls[i-lo]
				g.X += float32(half * n.X)
				g.Y += float32(half * n.Y)
				g.Z += float32(half * n.Z)
			}
			w.X[i] = w.X[i].Add(vec3(g).Mul(scale))
		}
	})
}

// jetShift is the shift of a jet's particles along it while gravity stretches it by a
// length. It is relative to this length times hg, with g the gradient of the kernel sum.
// With 0 the tip of a jet gets lumps, and 3 is no better than 1.
const jetShift = 1

// spreadAlongJets moves the particles of jets along them, from where they are dense to
// where they are few, as shiftParticles does. It leaves S of p.At without meaning.
func spreadAlongJets(w *World, p *Pairs, dt float64) {
	if len(p.inJet) == 0 {
		return
	}
	for i := range p.At {
		p.At[i].S = 0.5
	}
	p.shiftSums = slices.Grow(p.shiftSums[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		if !slices.Contains(p.inJet[lo:hi], true) {
			return
		}
		p.blocks[b].Gradient(p.shiftSums, p.At)
		for i := lo; i < hi; i++ {
			if !p.jets(i) {
				continue
			}
			v := w.V[i]
			rate := max(0, w.Gravity.Dot(v)/v.Dot(v))
			along := v.Unit()
			shift := jetShift * rate * dt * w.Spacing * vec3(p.shiftSums[i]).Dot(along)
			w.X[i] = w.X[i].Sub(along.Mul(shift))
		}
	})
}
