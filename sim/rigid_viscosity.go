package sim

import (
	"breakwater/sim/body"
)

// viscousBodies are the free bodies in the solve of implicitViscosity. Friction between a
// particle and a body acts on both, so the bodies' speeds are unknowns too: honey drags a
// light body along at once, in a step of any length. In the bodies' modes the bodies'
// masses are 1 and a particle's mass is m, and with
//
//	⟨(v, y), (v′, y′)⟩ = Σ v·v′ + Σ y·y′/m
//
// the matrix is symmetric. All methods do nothing without bodies.
type viscousBodies struct {
	change, residual, direction, image []body.Generalized

	scale float64 // dt ν, m²
}

func (s *viscousBodies) start(p *Pairs, scale float64) {
	if p.rigid == nil {
		return
	}
	n := len(p.rigid.Bodies)
	s.scale = scale
	s.change, s.residual, s.direction, s.image = make([]body.Generalized, n), make([]body.Generalized, n), make([]body.Generalized, n), make([]body.Generalized, n)
	p.rigid.setTrialMotions(p.rigid.Velocities)
}

// begin takes the bodies' residual from the sums of the first pass.
func (s *viscousBodies) begin(p *Pairs) (size float64) {
	if p.rigid == nil {
		return 0
	}
	p.viscousRates(s.residual)
	for k := range s.residual {
		s.residual[k] = s.residual[k].Mul(s.scale)
		s.direction[k] = s.residual[k]
		size += s.residual[k].Dot(&s.residual[k])
	}
	p.rigid.setTrialMotions(s.direction)
	return size / p.mass
}

// apply sets the image of the bodies' search direction, from the sums of a pass over it.
func (s *viscousBodies) apply(p *Pairs) (curve float64) {
	if p.rigid == nil {
		return 0
	}
	p.viscousRates(s.image)
	for k := range s.image {
		s.image[k] = s.direction[k].Add(s.image[k].Mul(-s.scale))
		curve += s.direction[k].Dot(&s.image[k])
	}
	return curve / p.mass
}

// step moves alpha along the search direction, and returns the residual.
func (s *viscousBodies) step(p *Pairs, alpha float32) (left float64) {
	if p.rigid == nil {
		return 0
	}
	for k := range s.direction {
		s.change[k] = s.change[k].Add(s.direction[k].Mul(float64(alpha)))
		s.residual[k] = s.residual[k].Add(s.image[k].Mul(-float64(alpha)))
		left += s.residual[k].Dot(&s.residual[k])
	}
	return left / p.mass
}

// nextDirection sets the next search direction.
func (s *viscousBodies) nextDirection(p *Pairs, beta float32) {
	if p.rigid == nil {
		return
	}
	for k := range s.direction {
		s.direction[k] = s.residual[k].Add(s.direction[k].Mul(float64(beta)))
	}
	p.rigid.setTrialMotions(s.direction)
}

// end gives the bodies the solution. It returns the work on them at the final speeds, J.
func (s *viscousBodies) end(p *Pairs) (gain float64) {
	if p.rigid == nil {
		return 0
	}
	for k := range s.change {
		p.rigid.Velocities[k] = p.rigid.Velocities[k].Add(s.change[k])
		gain += s.change[k].Dot(&p.rigid.Velocities[k])
	}
	return gain
}

// setTrialMotions sets the motions that addBodyResistance takes the bodies to have.
func (r *rigidBodies) setTrialMotions(y []body.Generalized) {
	r.trialMotions = r.trialMotions[:0]
	for k := range y {
		r.trialMotions = append(r.trialMotions, r.Modes[k].Twist(y[k]))
	}
}

// addBodyResistance adds the friction term of a free body in resistance to the
// acceleration a of a particle of velocity v, and the body's reaction to the block's
// sums.
func (p *Pairs) addBodyResistance(blk *block, r *wallFriction, a, v *Vec4) {
	u := vec4(p.rigid.trialMotions[blk.coupledBodies[r.slot]].At(vec3(r.arm)))
	u = r.along(Vec4{X: u.X - v.X, Y: u.Y - v.Y, Z: u.Z - v.Z})
	r.accelerate(a, r.n.S, u)
	p.addDrag(blk, r, -r.n.S, u)
}

// viscousRates sets dst to the rate at which the blocks' sums change the bodies' speeds, per
// second, for a viscosity of 1 m²/s.
func (p *Pairs) viscousRates(dst []body.Generalized) {
	r := p.rigid
	r.sum(p, dst)
	for k := range dst {
		dst[k] = r.Modes[k].Of(wrenchOf(&dst[k], p.mass))
	}
}

// dragIsStiff reports whether viscosity carries a free body along so fast that an
// explicit step of dt would overshoot: the liquid that sticks to it is heavier than it
// is.
func dragIsStiff(w *World, dt float64) bool {
	for _, b := range w.rigid.Bodies {
		if rate := w.viscosity() * b.Friction * 4 / (w.Spacing * w.Spacing) * w.entrainedMass(b); dt*rate > 0.5 {
			return true
		}
	}
	return false
}
