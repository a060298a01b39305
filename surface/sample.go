package surface

import (
	"breakwater/sim/par"
)

// sample carries the liquid's velocity, if it is known, the field's slope and
// the density around to the vertices from first on, and moves those of the free
// surface onto the level set t, which the straight line between two nodes only
// comes near.
func (s *vertices) sample(f *field, t, cell float64, first int) {
	n := len(s.Pos)
	s.fill = extend(s.fill[:first], n)
	s.down = extend(s.down[:first], n)
	if len(f.v) > 0 {
		s.Vel = extend(s.Vel[:first], n)
	}
	par.For(n-first, func(lo, hi int) {
		var near lookup
		for v := first + lo; v < first+hi; v++ {
			at := f.at(s.Pos[v], &near)
			s.fill[v] = float32(at.fill)
			s.down[v] = at.grad.Neg().Unit()
			if len(f.v) > 0 {
				s.Vel[v] = f.velocity(s.Pos[v], &near)
			}
			if s.kind[v] == wall {
				continue
			}
			grad := at.grad
			if s.kind[v] == contact {
				grad = s.hold[v].slide(grad)
			}
			if g2 := grad.Dot(grad); g2 > 0 {
				// A Newton step, no longer than a quarter of a cell.
				step := grad.Mul((t - at.f) / g2)
				s.Pos[v] = s.Pos[v].Add(step.Mul(cell / 4 / max(step.Len(), cell/4)))
			}
		}
	})
}
