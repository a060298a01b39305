package surface

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// restoreVolume moves the free surface of each part along its normals so that
// the part holds the volume want, in m³, moving no vertex farther than limit in
// metres. In jets and sheets, which would become blades, the shift is smaller:
// what is too much or too little in a part is taken from its bulk.
//
// It repeats Newton's step (want − volume)/∫ bulk dA until all parts are
// right within a thousandth, which the bulk is at once and a small drop soon.
func (s *vertices) restoreVolume(want []float64, limit float64) {
	const passes = 8
	shift := make([]float64, len(want)) // of each part so far, in its bulk
	origin := s.origins(len(want))
	for range passes {
		volume, slope := s.measure(origin)
		next := slices.Clone(shift)
		done := true
		for p := range next {
			if miss := want[p] - volume[p]; slope[p] > 0 && math.Abs(miss) > 1e-3*want[p] {
				most := limit / leastBulk // all vertices are at the limit then
				next[p] = max(-most, min(most, shift[p]+miss/slope[p]))
				done = done && next[p] == shift[p]
			}
		}
		if done {
			return
		}
		normals := s.freeNormals()
		par.For(len(s.Pos), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				p, w := s.part[v], s.bulk(int32(v))
				step := max(-limit, min(limit, next[p]*w)) - max(-limit, min(limit, shift[p]*w))
				if s.wall[v] || step == 0 {
					continue
				}
				// On a contact line the surface moves up the wall: as far as it
				// moves elsewhere, measured across itself.
				along := s.hold[v].slide(normals[v])
				s.Pos[v] = s.Pos[v].Add(along.Mul(step / max(0.25, along.Dot(along))))
			}
		})
		shift = next
	}
}

// measure returns the volume of each part, taken about its origin, and how
// fast it grows with restoreVolume's shift: ∫ bulk dA over its free surface.
func (s *vertices) measure(origin []vec.Vec3) (volume, slope []float64) {
	vol, area := make([]float64, len(s.Tri)), make([]float64, len(s.Tri))
	par.For(len(s.Tri), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t := s.Tri[i]
			o := origin[s.part[t[0]]]
			a, b, c := s.Pos[t[0]].Sub(o), s.Pos[t[1]].Sub(o), s.Pos[t[2]].Sub(o)
			vol[i] = a.Dot(b.Cross(c)) / 6
			if !s.onWall(t) {
				area[i] = b.Sub(a).Cross(c.Sub(a)).Len() / 2 * (s.bulk(t[0]) + s.bulk(t[1]) + s.bulk(t[2])) / 3
			}
		}
	})
	volume, slope = make([]float64, len(origin)), make([]float64, len(origin))
	for i, t := range s.Tri {
		volume[s.part[t[0]]] += vol[i]
		slope[s.part[t[0]]] += area[i]
	}
	return volume, slope
}

// origins returns a vertex of each part, about which its volume is taken.
func (s *vertices) origins(parts int) []vec.Vec3 {
	o := make([]vec.Vec3, parts)
	for v := len(s.Pos) - 1; v >= 0; v-- {
		o[s.part[v]] = s.Pos[v]
	}
	return o
}
