package sim

import "slices"

// shiftRate is how far particles are shifted while the fastest moves by a
// length, in parts of that length times h∇C: at 1.5 the errors of decaying
// vortices are a tenth less, at 0.3 half as much again. mostShift bounds it in a
// step, in spacings: at 0.4 the shifts themselves are unstable.
const (
	shiftRate = 1
	mostShift = 0.2
)

// shift moves the particles of a closed liquid a little from where they crowd
// to where they are few,
//
//	x_i ← x_i − shiftRate v dt h ∇C_i,  ∇C_i = Σ_j V∇W_ij + ½ ∇λ_i,
//
// with v the highest speed (Lind et al., Incompressible smoothed particle
// hydrodynamics for free-surface flows, J. Comput. Phys. 231, 2012, with the
// factor of Skillen et al., Comput. Methods Appl. Mech. Eng. 265, 2013). Where
// pressure may pull, streamlines that part and meet would else draw the
// particles into rows; and a mirror's gradient is twice a solid's, hence the
// half. It leaves the velocities, and so momentum, as they are, and S of p.At
// without meaning.
func (w *World) shift(p *Pairs, dt float64) {
	if !w.Closed {
		return
	}
	for i := range p.At {
		p.At[i].S = 0.5
	}
	scale := -min(shiftRate*w.maxSpeed()*dt, mostShift*w.Spacing)
	p.shiftSums = slices.Grow(p.shiftSums[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		blk.Gradient(p.shiftSums, p.At)
		half := p.h / 2
		for i := lo; i < hi; i++ {
			g := p.shiftSums[i]
			if len(blk.walls) > 0 {
				n := &blk.walls[i-lo]
				g.X += half * n.X
				g.Y += half * n.Y
				g.Z += half * n.Z
			}
			w.X[i] = w.X[i].Add(vec3(g).Mul(scale))
		}
	})
}
