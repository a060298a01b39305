package surface

import (
	"math"

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

// search is the search for the shift of a part that gives it its volume.
type search struct {
	shift float64 // so far, of the part's bulk, m
	from  float64 // the least that may be tried, m
	to    float64 // the most that may be tried, m
	least float64 // a shift with too small a volume, or the least that vertices follow, m
	most  float64 // a shift with too large a volume, or infinite, m
	miss  float64 // volume wanted less the volume at shift, m³
	large bool    // whether the part is more than a stray, which has hardly any surface to move in a corner
	moves bool    // whether the shift is still to change
}

// next takes the part's volume and its growth per length at the shift, for the volume
// want, and returns the next shift. It is Newton's, or the mean of the bounds known where
// all vertices are at their limit, so that the volume no longer changes.
func (q *search) next(volume, growth, want float64) float64 {
	before := math.Abs(q.miss)
	if q.miss = want - volume; math.Abs(q.miss) <= volumeTolerance*want {
		return q.shift
	}
	if q.miss > 0 {
		q.least = max(q.least, q.shift)
	} else {
		q.most = min(q.most, q.shift)
	}
	if growth == 0 || math.Abs(math.Abs(q.miss)-before) < 1e-6*want { // its vertices may move no farther
		if between := (q.least + q.most) / 2; q.large && !math.IsInf(between, 0) {
			return between
		}
		return q.shift
	}
	return max(q.from, min(q.to, q.shift+q.miss/growth))
}

// restoreVolume moves the free surface of each part along its normals so that the part
// holds the volume want, in m³, moving no vertex farther than limit in metres. In jets
// and sheets of a large part, which would become blades, the shift is smaller. The bulk
// of the part balances the difference.
//
// It repeats Newton's step (want − volume)/∫ bulk dA until all parts are
// right within volumeTolerance, which the bulk is at once and a small drop soon. A
// part that is right is left alone from then on, unless the walls of f, at which the
// surface settles, take its volume away again.
func (s *vertices) restoreVolume(f *field, want []float64, limit float64) {
	const passes = 16
	parts := make([]search, len(want))
	s.findBulk()
	origin := s.origins(len(want))
	s.Nrm = resize(s.Nrm, len(s.Pos)) // whose memory this takes: it has its values later
	s.limited = resize(s.limited, len(want))
	clear(s.limited)
	next := make([]float64, len(want))
	stray := f.strayVolume()
	begin := func(most float64) {
		for p := range parts {
			at := parts[p].shift
			parts[p] = search{shift: at, from: at - float64(most), to: at + float64(most), least: -limit, most: math.Inf(1), miss: math.Inf(1), large: want[p] > stray, moves: true}
		}
	}
	begin(limit / leastBulk) // all vertices are at the limit then
	settled := len(f.all) == 0
	for range passes {
		sums := s.measure(origin, parts)
		any := false
		for p := range parts {
			if q := &parts[p]; q.moves {
				next[p] = q.shift
				if sums[p].B > 0 {
					next[p] = q.next(sums[p].A, sums[p].B, want[p])
				}
				q.moves = next[p] != q.shift
				s.limited[p] = math.Abs(next[p]) >= limit
				any = any || q.moves
			}
		}
		if !any {
			if settled {
				return
			}
			s.settle(f)
			settled = true
			begin(limit / 4) // vertices at the walls do not follow, and those beside them must not go far
			continue
		}
		par.For(len(s.Pos), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				if parts[s.part[v]].moves && s.kind[v] != wall {
					s.Nrm[v] = s.freeNormal(int32(v))
				}
			}
		})
		par.For(len(s.Pos), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				p, w := s.part[v], float64(s.bulk[v])
				if !parts[p].moves || s.kind[v] == wall {
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
				step := max(-most, min(most, next[p]*w)) - max(-most, min(most, parts[p].shift*w))
				s.Pos[v] = s.Pos[v].Add(along.Mul(step))
			}
		})
		for p := range parts {
			if parts[p].moves {
				parts[p].shift = next[p]
			}
		}
	}
}

// measure returns the volume of each moving part, about its origin, in A. In B it returns
// the growth per length of restoreVolume's shift: ∫ bulk dA over the free surface.
func (s *vertices) measure(origin []vec.Vec3, parts []search) []par.Share {
	return par.Sums(len(s.Tri), len(origin), func(list []par.Share, lo, hi int) []par.Share {
		last := int32(-1)
		for _, t := range s.Tri[lo:hi] {
			p := s.part[t[0]]
			if !parts[p].moves {
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
