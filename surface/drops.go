package surface

import (
	"math"
	"sync"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/simd"
)

// Drops are the parts with less than this many vertices: of a few hundred
// particles at most.
const dropSize = 1000

// leastRound is the sphericity above which a drop is treated as nearly a ball. A
// cylinder twice as long as wide has 0.83. Threads keep their shape.
const leastRound = 0.82

// findDrops sets drop: which parts are small, and round: which parts that are
// passed over on their own touch no wall and are about as wide as long.
func (s *vertices) findDrops() {
	s.drop, s.round = resize(s.drop, s.parts), resize(s.round, s.parts)
	for p, n := range s.sizes() {
		s.drop[p], s.round[p] = n < dropSize, false
	}
	s.eachSmall(func(p int32, first, end int) {
		r, b := &s.rings, bodies.Get().(*body)
		defer bodies.Put(b)
		var area float64 // 6 times
		for _, v := range s.links.vertex[first:end] {
			if s.kind[v] != free {
				return
			}
			a := s.Pos[v]
			for k := r.Start[v]; k < r.Start[v+1]; k++ {
				area += s.Pos[r.Next[k]].Sub(a).Cross(s.Pos[r.Prev[k]].Sub(a)).Len()
			}
		}
		volume, _ := b.solid(s, nil, first, end)
		// Of all bodies of a volume, a ball has the least area: π^⅓ (6V)^⅔.
		s.round[p] = volume > 0 && math.Cbrt(math.Pi*36*volume*volume) > leastRound*area/6
	})
}

// eachSmall calls f with all parts that are passed over on their own, in
// parallel: with the places of their vertices, first … end−1.
func (s *vertices) eachSmall(f func(p int32, first, end int)) {
	l := &s.links
	par.Each(len(l.alone)-1, func(k int) { s.eachPart(int(l.alone[k]), int(l.alone[k+1]), f) })
}

// eachPart calls f with the parts that lie at the places lo … hi−1.
func (s *vertices) eachPart(lo, hi int, f func(p int32, first, end int)) {
	l := &s.links
	for first := lo; first < hi; {
		p := s.part[l.vertex[first]]
		end := first + 1
		for end < hi && s.part[l.vertex[end]] == p {
			end++
		}
		f(p, first, end)
		first = end
	}
}

// findSideSquares sets sideSquare: half the mean square of the lengths of a drop's sides, m².
func (s *vertices) findSideSquares() {
	s.sideSquare = resize(s.sideSquare, s.parts)
	s.eachSmall(func(p int32, first, end int) {
		sides, sum := 0, 0.0
		for _, v := range s.links.vertex[first:end] {
			ring := s.rings.Of(v)
			for _, u := range ring {
				e := s.Pos[u].Sub(s.Pos[v])
				sum += e.Dot(e)
			}
			sides += len(ring)
		}
		s.sideSquare[p] = sum / float64(2*sides)
	})
}

// restoreDrops returns a function for relax. It scales each round drop among the places
// from lo to hi to the volume want, in m³, and moves its centre back. So they become
// rounder, no smaller, and stay where they are. It does so every third time, which is
// enough.
func (s *vertices) restoreDrops(want []float64) func(pass int, x []simd.Vec4, lo, hi int) {
	middle := make([]vec.Vec3, len(want)) // of each drop without displacements, from its first vertex
	return func(pass int, x []simd.Vec4, lo, hi int) {
		if pass%3 != 2 {
			return
		}
		b := bodies.Get().(*body)
		defer bodies.Put(b)
		s.eachPart(lo, hi, func(p int32, first, end int) {
			if s.round[p] {
				if pass == 2 {
					_, middle[p] = b.solid(s, nil, first, end)
				}
				b.restore(s, x, first, end, want[p], middle[p])
			}
		})
	}
}

// body is the memory in which the volume of a part is measured.
type body struct{ at []vec.Vec3 }

var bodies = sync.Pool{New: func() any { return new(body) }}

// restore scales and moves the displaced vertices at places first … end−1, a whole part,
// so that it has the volume want and the given middle.
func (b *body) restore(s *vertices, x []simd.Vec4, first, end int, want float64, middle vec.Vec3) {
	volume, from := b.solid(s, x, first, end)
	if !(volume > 0.1*want && want > 0) {
		return // it has no shape to be kept
	}
	grow := math.Cbrt(want / volume)
	o := s.Pos[s.links.vertex[first]]
	for i := first; i < end; i++ {
		a := s.Pos[s.links.vertex[i]].Sub(o)
		d := b.at[i-first].Sub(from).Mul(grow).Add(middle).Sub(a)
		x[i] = simd.Vec4{X: float32(d.X), Y: float32(d.Y), Z: float32(d.Z)}
	}
}

// solid returns the volume, in m³, and the centroid of the part at places first … end−1,
// with its vertices displaced by x, if there is any. The centroid, and the vertices in
// b.at, are relative to the first vertex without its displacement.
func (b *body) solid(s *vertices, x []simd.Vec4, first, end int) (volume float64, centroid vec.Vec3) {
	l, r := &s.links, &s.rings
	o := s.Pos[l.vertex[first]]
	b.at = resize(b.at, end-first)
	for i, v := range l.vertex[first:end] {
		p := s.Pos[v].Sub(o)
		if x != nil {
			p = p.Add(vec4(x[first+i]))
		}
		b.at[i] = p
	}
	place := func(v int32) int { return int(l.place[v]) - first }
	for i, v := range l.vertex[first:end] {
		p := b.at[i]
		for k := r.Start[v]; k < r.Start[v+1]; k++ {
			q, t := b.at[place(r.Next[k])], b.at[place(r.Prev[k])]
			six := p.Dot(q.Cross(t))
			volume += six
			centroid = centroid.Add(p.Add(q).Add(t).Mul(six))
		}
	}
	// Each triangle has been met three times.
	return volume / 18, centroid.Mul(1 / (4 * volume))
}
