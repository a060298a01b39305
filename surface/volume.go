package surface

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// restoreVolume moves the free surface of each part along its normals so that
// the part holds the volume want, in m³, moving no vertex farther than limit in
// metres. It repeats the shift (want − volume)/area until all parts are right
// within a thousandth, which the bulk is at once and a small drop soon.
func (s *vertices) restoreVolume(want []float64, limit float64) {
	const passes = 8
	total := make([]float64, len(want)) // shift of each part so far
	origin := s.origins(len(want))
	for range passes {
		volume, free := s.measure(origin)
		shift := make([]float64, len(want))
		done := true
		for p := range shift {
			if miss := want[p] - volume[p]; free[p] > 0 && math.Abs(miss) > 1e-3*want[p] {
				d := max(-limit, min(limit, total[p]+miss/free[p]))
				shift[p], total[p] = d-total[p], d
				done = done && shift[p] == 0
			}
		}
		if done {
			return
		}
		normals := s.freeNormals()
		par.For(len(s.Pos), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				if s.wall[v] || shift[s.part[v]] == 0 {
					continue
				}
				// On a contact line the surface moves up the wall: as far as it
				// moves elsewhere, measured across itself.
				along := s.hold[v].slide(normals[v])
				step := along.Mul(shift[s.part[v]] / max(0.25, along.Dot(along)))
				s.Pos[v] = s.Pos[v].Add(step)
			}
		})
	}
}

// measure returns the volume of each part, taken about its origin, and the
// area of its free surface.
func (s *vertices) measure(origin []vec.Vec3) (volume, free []float64) {
	vol, area := make([]float64, len(s.Tri)), make([]float64, len(s.Tri))
	par.For(len(s.Tri), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t := s.Tri[i]
			o := origin[s.part[t[0]]]
			a, b, c := s.Pos[t[0]].Sub(o), s.Pos[t[1]].Sub(o), s.Pos[t[2]].Sub(o)
			vol[i] = a.Dot(b.Cross(c)) / 6
			if !s.onWall(t) {
				area[i] = b.Sub(a).Cross(c.Sub(a)).Len() / 2
			}
		}
	})
	volume, free = make([]float64, len(origin)), make([]float64, len(origin))
	for i, t := range s.Tri {
		volume[s.part[t[0]]] += vol[i]
		free[s.part[t[0]]] += area[i]
	}
	return volume, free
}

// origins returns a vertex of each part, about which its volume is taken.
func (s *vertices) origins(parts int) []vec.Vec3 {
	o := make([]vec.Vec3, parts)
	for v := len(s.Pos) - 1; v >= 0; v-- {
		o[s.part[v]] = s.Pos[v]
	}
	return o
}
