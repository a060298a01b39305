package whitewater

import (
	"math"

	"breakwater/sim/dice"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

const (
	foamRadius  = 3e-3 // m: larger bubbles burst where they reach the surface
	burstTime   = 0.1  // s: the mean time it takes them
	mostBuoyant = 3    // the greatest factor of buoyancy, where the liquid is accelerated
)

// rise is the law of the speed at which bubbles rise.
type rise struct {
	g, creep, mid, cap, weight float64
}

// newRise returns the law of Park, Park, Lee and Lee (J. Korean Soc. Mar. Eng. 41, 2017), for
// clean bubbles of diameter D:
//
//	w = 1/√(144 μ²/(g² ρ² D⁴) + μ^(4/3)/(0.14425² g^(5/3) ρ^(4/3) D³) + 1/(2.14 σ/(ρ D) + 0.505 g D))
func newRise(s *Scene) rise {
	g := s.Gravity.Len()
	nu := max(s.Viscosity, 1e-9)
	return rise{
		g:      g,
		creep:  144 * nu * nu / (g * g),
		mid:    num.Pow(nu, 4./3) / (0.14425 * 0.14425 * num.Pow(g, 5./3)),
		cap:    2.14 * s.SurfaceTension / s.Rho0,
		weight: 0.505 * g,
	}
}

// speed returns the terminal speed of a bubble of radius r, m/s.
func (l *rise) speed(r float64) float64 {
	if l.g == 0 {
		return 0
	}
	d := 2 * r
	d3 := d * d * d
	return 1 / math.Sqrt(l.creep/(d3*d)+l.mid/d3+1/(l.cap/d+float64(l.weight*d)))
}

// bubble moves bubbles with the liquid, and against the gradient of its pressure: up in
// liquid at rest, not at all in free fall, and towards the axis of a vortex.
func (m *mover) bubble(i int, dt float64) {
	w, p := m.w, &m.w.state.Parcels
	x, v := p.At(i), p.Velocity(i)
	s := &m.near
	if !w.nodes.at(x.Add(v.Mul(dt)), &m.liquid, s) && !w.nodes.at(x, &m.liquid, s) {
		m.end(i, burst) // its liquid is gone
		return
	}
	r := float64(p.R[i])
	speed := w.rise.speed(r)
	u := s.v
	if speed > 0 {
		buoyant := s.a.Sub(w.scene.Gravity).Mul(1 / w.rise.g)
		if l := buoyant.Len(); l > mostBuoyant {
			buoyant = buoyant.Mul(mostBuoyant / l)
		}
		// The liquid carries the bubble along in its acceleration; only the speed relative to
		// it takes time.
		target := buoyant.Mul(speed)
		rel := v.Add(s.a.Mul(dt)).Sub(s.v)
		q := dt * 2 * w.rise.g / speed
		u = s.v.Add(target).Add(rel.Sub(target).Mul(1 / (1 + float64(q*(1+float64(q/2))))))
	}
	guess := x.Add(v.Mul(dt))
	hit := m.to(i, x, x.Add(u.Mul(dt)))
	if hit.hit {
		u = along(u, hit)
	}
	p.V[i] = narrow(u)
	at := p.At(i)
	// How deep below the surface, to first order.
	slope := s.grad.Len()
	fill := s.fill + s.grad.Dot(at.Sub(guess)) - 0.5
	if !(fill < slope*r) {
		return
	}
	if r <= foamRadius {
		p.Kind[i] = p.Kind[i]&^kindBits | Status(Foam)
		return
	}
	die := dice.New(uint64(w.set.Seed), purposeBurst, p.ID[i], w.state.Steps)
	if die.Float(m.step) < 1-num.Decay(dt/burstTime) {
		m.end(i, burst)
	}
}

// along returns a velocity without the part onto a wall.
func along(u vec.Vec3, hit touch) vec.Vec3 {
	if onto := u.Sub(hit.v).Dot(hit.n); onto < 0 {
		return u.Sub(hit.n.Mul(onto))
	}
	return u
}
