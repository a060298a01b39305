package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// sample carries the liquid's velocity, the field's slope and the weight of
// smoothing to the vertices from first on, and moves those of the free surface onto the level
// set, which the straight line between two nodes only comes near.
func (s *vertices) sample(f *field, t, cell float64, first int) {
	add := len(s.Pos) - first
	s.near = append(s.near, make([]float64, add)...)
	s.down = append(s.down, make([]vec.Vec3, add)...)
	if f.v != nil {
		s.Vel = append(s.Vel, make([]vec.Vec3, add)...)
	}
	par.For(add, func(lo, hi int) {
		var list []int32
		for v := first + lo; v < first+hi; v++ {
			var at sample
			at, list = f.at(s.Pos[v], list)
			s.near[v] = at.near
			s.down[v] = at.grad.Neg().Unit()
			if f.v != nil {
				s.Vel[v] = at.vel
			}
			if s.wall[v] {
				continue
			}
			grad := s.hold[v].slide(at.grad)
			if g2 := grad.Dot(grad); g2 > 0 {
				// A Newton step, no longer than a quarter of a cell.
				step := grad.Mul((t - at.f) / g2)
				s.Pos[v] = s.Pos[v].Add(step.Mul(cell / 4 / max(step.Len(), cell/4)))
			}
		}
	})
}
