package surface

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// sample evaluates the field's gradient and the density at the vertices from first on.
// It projects vertices of the free surface onto the level set t, which linear
// interpolation between two nodes only approximates.
func (s *vertices) sample(f *field, t, cell float64, first int) {
	n := len(s.Pos)
	s.fill = extend(s.fill[:first], n)
	s.down = extend(s.down[:first], n)
	par.For(n-first, func(lo, hi int) {
		var near lookup
		nodes := trilinear{g: s.grid, at: finder{g: s.grid}}
		for v := first + lo; v < first+hi; v++ {
			at := f.at(s.Pos[v], &near)
			if f.mirrored {
				at.f, at.grad = nodes.value(s.Pos[v])
			} else if len(f.sheets.list) > 0 && at.fill < thinnest[0] {
				// Beside flattened kernels, the grid knows better.
				if e, grad := nodes.value(s.Pos[v]); math.Abs(e-at.f) > 0.1 {
					at.f, at.grad = t, grad
				}
			}
			s.fill[v] = float32(at.fill)
			s.down[v] = at.grad.Neg().Unit()
			if s.kind[v] == wall {
				continue
			}
			grad := at.grad
			if s.kind[v] == contact {
				grad = s.constraints[v].slide(grad)
			}
			if g2 := grad.Dot(grad); g2 > 0 {
				// A Newton step, no longer than a quarter of a cell.
				step := grad.Mul((t - at.f) / g2)
				s.Pos[v] = s.Pos[v].Add(step.Mul(cell / 4 / max(step.Len(), cell/4)))
			}
		}
	})
}

// flow gives the vertices the liquid's velocity at their final places. The few that
// smoothing has moved away from all particles have the mean of their neighbours.
func (s *vertices) flow(f *field) {
	if !f.moving {
		return
	}
	// The memory of the field's slopes is not needed any more.
	s.Vel, s.down = resize(s.down, len(s.Pos)), s.Vel[:0]
	s.scratch.dry = resize(s.scratch.dry, len(s.Pos))
	dry := s.scratch.dry
	par.For(len(s.Pos), func(lo, hi int) {
		var near lookup
		for v := lo; v < hi; v++ {
			s.Vel[v], dry[v] = f.velocity(s.Pos[v], &near)
		}
	})
	if !slices.Contains(dry, true) {
		return
	}
	s.rings.Build(s.Mesh, 0, 0) // as triangles have come to be since
	for left := true; left; {
		left = false
		for v := range dry {
			if !dry[v] {
				continue
			}
			var sum vec.Vec3
			n := 0.0
			for _, u := range s.rings.Of(int32(v)) {
				if !dry[u] {
					sum, n = sum.Add(s.Vel[u]), n+1
				}
			}
			if n > 0 {
				s.Vel[v], dry[v], left = sum.Mul(1/n), false, true
			}
		}
	}
}
