package surface

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// raisedThreshold returns the threshold t or, if the surface s at t encloses more than
// the volume want, in m³, a higher one at which it encloses less. In froth the
// field is near 1 although much of the space is air, too fine for the grid.
//
// The field falls by marginal(0) a metre at a flat surface, which gives the
// step. Near highest even a lone particle reaches a node of the grid.
func (s *vertices) raisedThreshold(f *field, t, volume, want, cell float64) float64 {
	if volume <= want {
		return t
	}
	// A node is at most √3/2 cells away.
	highest := max(t, min(0.75, f.w.W(float64(0.9*cell))/f.w.W(0)))
	area := par.Sums(len(s.Tri), 1, func(list []par.Share, lo, hi int) []par.Share {
		var sum par.Share
		for _, tri := range s.Tri[lo:hi] {
			if !s.onWall(tri) {
				a := s.Pos[tri[0]]
				sum.A += float64(s.Pos[tri[1]].Sub(a).Cross(s.Pos[tri[2]].Sub(a)).Len() / 2)
			}
		}
		return append(list, sum)
	})[0].A
	if area == 0 {
		return t
	}
	return min(highest, t+float64((volume-want)/area*f.w.Marginal(0)))
}

// findBulk sets bulk. For a drop it is 1. Otherwise it is twice the weight of smoothing,
// since a flat surface has half a neighbourhood. The mean over a few rings makes a bump
// on a wave count as part of the wave.
func (s *vertices) findBulk() {
	const rings = 8
	l := &s.scratch.restoring
	s.bulk, l.next = resize(s.bulk, len(s.Pos)), resize(l.next, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			s.bulk[v] = float32(min(1, 2*s.weight[v]))
			if s.drop[s.part[v]] {
				s.bulk[v] = 1
			}
		}
	})
	for range rings {
		par.For(len(s.Pos), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				if s.drop[s.part[v]] {
					l.next[v] = 1
					continue
				}
				sum := s.bulk[v]
				ring := s.rings.Of(int32(v))
				for _, u := range ring {
					sum += s.bulk[u]
				}
				l.next[v] = sum / float32(len(ring)+1)
			}
		})
		s.bulk, l.next = l.next, s.bulk
	}
}

// restoring is the memory of restoreVolume.
type restoring struct{ next []float32 }

// leastBulk is the least value of vertices.bulk.
const leastBulk = 2 * floorWeight

// volumeTolerance is the share of its volume by which a part may miss it. With 1e-3 the level of
// still water jumped by a thousandth of its depth where the correction of a frame began or ended.
const volumeTolerance = 3e-4

// restoreVolume moves the free surface of each part along its normals so that the part
// holds the volume want, in m³, moving no vertex farther than limit in metres. In jets
// and sheets of a large part, which would become blades, the shift is smaller. The bulk
// of the part balances the difference.
//
// It repeats Newton's step (want − volume)/∫ bulk dA until all parts are
// right within volumeTolerance, which the bulk is at once and a small drop soon. A
// part that is right is left alone from then on.
func (s *vertices) restoreVolume(want []float64, limit float64) {
	const passes = 8
	shift := make([]float64, len(want)) // of each part so far, in its bulk
	s.findBulk()
	origin := s.origins(len(want))
	s.Nrm = resize(s.Nrm, len(s.Pos)) // whose memory this takes: it has its values later
	moves := make([]bool, len(want))
	s.limited = resize(s.limited, len(want))
	for p := range moves {
		moves[p], s.limited[p] = true, false
	}
	for range passes {
		sums := s.measure(origin, moves)
		next := slices.Clone(shift)
		any := false
		for p := range next {
			if !moves[p] {
				continue
			}
			if miss := want[p] - sums[p].A; sums[p].B > 0 && math.Abs(miss) > volumeTolerance*want[p] {
				most := limit / leastBulk // all vertices are at the limit then
				next[p] = max(-most, min(most, shift[p]+miss/sums[p].B))
			}
			moves[p] = next[p] != shift[p]
			s.limited[p] = math.Abs(next[p]) >= limit
			any = any || moves[p]
		}
		if !any {
			return
		}
		par.For(len(s.Pos), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				if moves[s.part[v]] && s.kind[v] != wall {
					s.Nrm[v] = s.freeNormal(int32(v))
				}
			}
		})
		par.For(len(s.Pos), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				p, w := s.part[v], float64(s.bulk[v])
				if !moves[p] || s.kind[v] == wall {
					continue
				}
				along, most := s.Nrm[v], limit
				if s.kind[v] == contact {
					// The surface moves up the wall: as far as it moves
					// elsewhere, measured across itself.
					along = s.constraints[v].slide(along)
					along = along.Mul(1 / max(0.25, along.Dot(along)))
					most /= max(1, along.Len())
				}
				step := max(-most, min(most, next[p]*w)) - max(-most, min(most, shift[p]*w))
				s.Pos[v] = s.Pos[v].Add(along.Mul(step))
			}
		})
		shift = next
	}
}

// measure returns the volume of each moving part, about its origin, in A. In B it returns
// the growth per length of restoreVolume's shift: ∫ bulk dA over the free surface.
func (s *vertices) measure(origin []vec.Vec3, moves []bool) []par.Share {
	return par.Sums(len(s.Tri), len(origin), func(list []par.Share, lo, hi int) []par.Share {
		last := int32(-1)
		for _, t := range s.Tri[lo:hi] {
			p := s.part[t[0]]
			if !moves[p] {
				continue
			}
			if p != last {
				last = p
				list = append(list, par.Share{Group: p})
			}
			sum := &list[len(list)-1]
			o := origin[p]
			a, b, c := s.Pos[t[0]].Sub(o), s.Pos[t[1]].Sub(o), s.Pos[t[2]].Sub(o)
			sum.A += a.Dot(b.Cross(c)) / 6
			if !s.onWall(t) {
				sum.B += b.Sub(a).Cross(c.Sub(a)).Len() / 2 * float64(s.bulk[t[0]]+s.bulk[t[1]]+s.bulk[t[2]]) / 3
			}
		}
		return list
	})
}

// origins returns a vertex of each part, about which its volume is taken.
func (s *vertices) origins(parts int) []vec.Vec3 {
	o := make([]vec.Vec3, parts)
	for v := len(s.Pos) - 1; v >= 0; v-- {
		o[s.part[v]] = s.Pos[v]
	}
	return o
}
