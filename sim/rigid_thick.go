package sim

import "math"

// thickBodies are the free bodies in the solve of thick. Friction between a
// particle and a body acts on both, so the bodies' speeds are unknowns too: a
// light body in honey is carried along at once, in a step of any length. In the
// bodies' modes their mass is 1 and that of a particle m, and with
//
//	⟨(v, y), (v′, y′)⟩ = Σ v·v′ + Σ y·y′/m
//
// the matrix is symmetric. All methods do nothing without bodies.
type thickBodies struct {
	change, residual, way, image []speeds

	scale float64 // dt ν, m²
}

func (s *thickBodies) start(p *Pairs, scale float64) {
	if p.rigid == nil {
		return
	}
	n := len(p.rigid.bodies)
	s.scale = scale
	s.change, s.residual, s.way, s.image = make([]speeds, n), make([]speeds, n), make([]speeds, n), make([]speeds, n)
	p.rigid.drift(p.rigid.y)
}

// begin takes the bodies' residual from the sums of the first pass.
func (s *thickBodies) begin(p *Pairs) (size float64) {
	if p.rigid == nil {
		return 0
	}
	p.dragged(s.residual)
	for k := range s.residual {
		s.residual[k] = s.residual[k].mul(s.scale)
		s.way[k] = s.residual[k]
		size += s.residual[k].dot(&s.residual[k])
	}
	p.rigid.drift(s.way)
	return size / p.mass
}

// look sets the image of the bodies' way, from the sums of a pass over it.
func (s *thickBodies) look(p *Pairs) (curve float64) {
	if p.rigid == nil {
		return 0
	}
	p.dragged(s.image)
	for k := range s.image {
		s.image[k] = s.way[k].add(s.image[k].mul(-s.scale))
		curve += s.way[k].dot(&s.image[k])
	}
	return curve / p.mass
}

// step moves alpha along the search direction, and returns the residual.
func (s *thickBodies) step(p *Pairs, alpha float32) (left float64) {
	if p.rigid == nil {
		return 0
	}
	for k := range s.way {
		s.change[k] = s.change[k].add(s.way[k].mul(float64(alpha)))
		s.residual[k] = s.residual[k].add(s.image[k].mul(-float64(alpha)))
		left += s.residual[k].dot(&s.residual[k])
	}
	return left / p.mass
}

// turn takes the next way.
func (s *thickBodies) turn(p *Pairs, beta float32) {
	if p.rigid == nil {
		return
	}
	for k := range s.way {
		s.way[k] = s.residual[k].add(s.way[k].mul(float64(beta)))
	}
	p.rigid.drift(s.way)
}

// end gives the bodies what was found.
func (s *thickBodies) end(p *Pairs) {
	if p.rigid == nil {
		return
	}
	for k := range s.change {
		p.rigid.y[k] = p.rigid.y[k].add(s.change[k])
	}
}

// drift sets the motions that gripBody takes the bodies to have.
func (r *rigids) drift(y []speeds) {
	r.drifts = r.drifts[:0]
	for k := range y {
		r.drifts = append(r.drifts, r.modes[k].twist(y[k]))
	}
}

// gripBody adds to the acceleration a of a particle, whose velocity is v, what
// friction with a free body adds to resistance, and to the block's sums what
// the body gets.
func (p *Pairs) gripBody(blk *block, r *rub, a, v *Vec4) {
	u := vec4(p.rigid.drifts[blk.floats[r.slot]].at(vec3(r.arm)))
	u = r.along(Vec4{X: u.X - v.X, Y: u.Y - v.Y, Z: u.Z - v.Z})
	r.pull(a, r.n.S, u)
	p.dragOn(blk, r, -r.n.S, u)
}

// dragged sets dst to what the blocks' sums do to the bodies a second, for a
// viscosity of 1 m²/s.
func (p *Pairs) dragged(dst []speeds) {
	r := p.rigid
	r.sum(p, dst)
	for k := range dst {
		dst[k] = r.modes[k].of(dst[k].wrench(p.mass))
	}
}

// carried reports whether viscosity carries a free body along so fast that an
// explicit step of dt would overshoot: what sticks to it is heavier than it is.
func (w *World) carried(dt float64) bool {
	for _, b := range w.rigid.bodies {
		if rate := w.viscosity() * b.Friction * 4 / (w.Spacing * w.Spacing) * w.burden(b); dt*rate > 0.5 {
			return true
		}
	}
	return false
}

// burden returns the mass of the particles around a free body that is under the
// liquid, one layer of them, in parts of its own mass.
func (w *World) burden(b *Body) float64 {
	skin := 6 * math.Pow(b.Free.volume, 2./3) * w.Spacing // of a cube, m³
	return skin * w.Rho0 / b.Free.Mass
}
