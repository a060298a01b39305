package whitewater

import (
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

const (
	sunk     = 0.65 // fill above which foam is under water, after it was moved to the surface: gaps between particles have 0.7 and more
	foamLost = 0.05 // liquid below which foam has nothing to float on
	stopTime = 0.02 // s: in which air stops foam that has lost its liquid
)

// foam moves foam with the liquid, and then to the surface, where half of the space is
// liquid (Wretborn, Flynn and Stomakhin, ACM Trans. Graph. 41, 2022, keep theirs on the
// surface by forces).
func (m *mover) foam(i int, dt float64) {
	w, p := m.w, &m.w.state.Parcels
	x, v := p.At(i), p.Velocity(i)
	s := &m.near
	guess := x.Add(v.Mul(dt))
	if !w.nodes.at(guess, &m.liquid, s) || s.w < foamLost {
		if !w.nodes.at(x, &m.liquid, s) || s.w < foamLost {
			m.adrift(i, x, v, dt)
			return
		}
		guess = x
	}
	y := x.Add(s.v.Mul(dt))
	fill := s.fill + s.grad.Dot(y.Sub(guess)) - 0.5
	step := vec.Vec3{}
	if slope := s.grad.Dot(s.grad); slope > 0 {
		step = s.grad.Mul(-fill / slope)
		if l, most := step.Len(), w.scene.Spacing/2; l > most {
			step = step.Mul(most / l)
		}
	}
	m.to(i, x, y.Add(step))
	p.V[i] = narrow(s.v)
	if fill+0.5+s.grad.Dot(p.At(i).Sub(y)) > sunk && s.w > sunk/2 {
		p.Kind[i] = p.Kind[i]&^kindBits | Status(Bubble)
	}
}

// adrift stops foam whose liquid has broken up in the air, which it is as light as, and lets
// it fade.
func (m *mover) adrift(i int, x, v vec.Vec3, dt float64) {
	p := &m.w.state.Parcels
	u := m.w.set.Wind.Add(v.Sub(m.w.set.Wind).Mul(num.Decay(dt / stopTime)))
	hit := m.to(i, x, x.Add(v.Add(u).Mul(0.5*dt)))
	if hit.hit {
		u = along(u, hit)
	}
	p.V[i] = narrow(u)
	if p.Kind[i]&fading == 0 {
		p.Kind[i] |= fading
		p.Age[i] = 0
	}
}
