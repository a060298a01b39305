package surface

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// rise returns the threshold t or, if the surface s at t encloses more than
// the volume want, in m³, a higher one at which it encloses less. In froth the
// field is near 1 although much of the space is air, too fine for the grid.
//
// The field falls by marginal(0) a metre at a flat surface, which gives the
// step. Near highest even a lone particle reaches a node of the grid.
func (s *vertices) rise(f *field, t, want, cell float64) float64 {
	// A node is at most √3/2 cells away.
	highest := max(t, min(0.75, f.w.W(0.9*cell)/f.w.W(0)))
	var area float64
	for _, tri := range s.Tri {
		if !s.onWall(tri) {
			a := s.Pos[tri[0]]
			area += s.Pos[tri[1]].Sub(a).Cross(s.Pos[tri[2]].Sub(a)).Len() / 2
		}
	}
	if area == 0 {
		return t
	}
	return max(t, min(highest, t+(s.Volume()-want)/area*f.w.Marginal(0)))
}

// findBulk sets bulk: for a drop 1, else the weight of smoothing, doubled
// since a flat surface has half a neighbourhood, as a mean over a few rings, so
// that a bump on a wave counts as of the wave.
func (s *vertices) findBulk() {
	const rings = 8
	drop := s.drops()
	s.bulk = make([]float64, len(s.Pos))
	for v, w := range s.weight {
		s.bulk[v] = min(1, 2*w)
		if drop[s.part[v]] {
			s.bulk[v] = 1
		}
	}
	next := make([]float64, len(s.Pos))
	for range rings {
		par.For(len(s.Pos), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				sum := s.bulk[v]
				ring := s.rings.Of(int32(v))
				for _, u := range ring {
					sum += s.bulk[u]
				}
				next[v] = sum / float64(len(ring)+1)
			}
		})
		s.bulk, next = next, s.bulk
	}
}

// leastBulk is the least value of vertices.bulk.
const leastBulk = 2 * floorWeight

// restoreVolume moves the free surface of each part along its normals so that
// the part holds the volume want, in m³, moving no vertex farther than limit in
// metres. In jets and sheets of a large part, which would become blades, the
// shift is smaller: what is too much or too little is taken from its bulk.
//
// It repeats Newton's step (want − volume)/∫ bulk dA until all parts are
// right within a thousandth, which the bulk is at once and a small drop soon.
func (s *vertices) restoreVolume(want []float64, limit float64) {
	const passes = 8
	shift := make([]float64, len(want)) // of each part so far, in its bulk
	s.findBulk()
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
				p, w := s.part[v], s.bulk[v]
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
				area[i] = b.Sub(a).Cross(c.Sub(a)).Len() / 2 * (s.bulk[t[0]] + s.bulk[t[1]] + s.bulk[t[2]]) / 3
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
