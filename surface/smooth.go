package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/lanes"
)

// floorWeight is the least weight of smoothing. Two and a half of 25 full
// passes round off drops and the rims of sheets; what volume that costs them,
// restoreVolume gives back.
const floorWeight = 0.1

// dropWeight is the most for drops. At 25 full passes one of twenty particles
// crumples.
const dropWeight = 0.2

// The relative density of the particles under the surface of a pool or a wave
// is 0.8 to 1, in spray, down to lone particles, 0.3 to 0.6: the weight of
// smoothing rises between these two. Löschner et al. count neighbours, from 0
// to 13, each by 1 − r²/h²; that number grows evenly with the density, from 3
// to 9 between the two, within one standard deviation of 1 (dam break, 151,000
// particles). With 0 and 13, as in the paper, which has no room between them,
// waves stay rough and jets wither.
const (
	thinFill = 0.52
	bulkFill = 0.89
)

// smooth is the weighted Laplacian smoothing of Löschner et al. 2023: the
// weight grows from almost 0 where particles have few neighbours, in drops and
// sheets, to 1 in the bulk. A vertex of the free surface follows its neighbours
// on the surface, also on a contact line, where it slides on the wall; so the
// surface meets the wall at a right angle. Wall vertices slide on the wall.
func (s *vertices) smooth(n int) {
	drop := s.drops()
	s.weight = resize(s.weight, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			x := max(0, min(1, (float64(s.fill[v])-thinFill)/(bulkFill-thinFill)))
			s.weight[v] = floorWeight + (1-floorWeight)*x*x*x*(10+x*(6*x-15)) // 6x⁵ − 15x⁴ + 10x³
			if drop[s.part[v]] {
				s.weight[v] = min(s.weight[v], dropWeight)
			}
		}
	})
	s.relax(n, func(v int) float64 { return s.weight[v] })
}

// relaxWalls spreads the wall vertices again after the contact lines moved.
func (s *vertices) relaxWalls() {
	s.relax(3, func(v int) float64 {
		if s.kind[v] == wall {
			return 1
		}
		return 0
	})
}

// drops reports which parts are small: of a few hundred particles at most.
func (s *vertices) drops() []bool {
	const small = 1000 // vertices
	drop := make([]bool, s.parts)
	for p, n := range s.sizes() {
		drop[p] = n < small
	}
	return drop
}

// link finds the neighbours that each vertex follows: all, but those under a
// wall for a vertex of the free surface or of a contact line.
func (s *vertices) link() {
	l := &s.scratch.relaxation
	n := len(s.Pos)
	follows := func(v int, u int32) bool { return s.kind[v] == wall || s.kind[u] != wall }
	s.pulls.Start, l.degree = resize(s.pulls.Start, n+1), resize(l.degree, n)
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			l.degree[v] = 0
			for _, u := range s.rings.Of(int32(v)) {
				if follows(v, u) {
					l.degree[v]++
				}
			}
		}
	})
	s.pulls.Start[0] = 0
	for v, d := range l.degree {
		s.pulls.Start[v+1] = s.pulls.Start[v] + (d+lanes.Four-1)/lanes.Four*lanes.Four
	}
	s.pulls.Of = resize(s.pulls.Of, int(s.pulls.Start[n]))
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			of := s.pulls.Of[s.pulls.Start[v]:s.pulls.Start[v+1]]
			for _, u := range s.rings.Of(int32(v)) {
				if follows(v, u) {
					of[0], of = u, of[1:]
				}
			}
			for k := range of {
				of[k] = int32(n)
			}
		}
	})
}

// followed returns the neighbours that v follows.
func (s *vertices) followed(v int) []int32 {
	at := s.pulls.Start[v]
	return s.pulls.Of[at : at+s.scratch.degree[v]]
}

// relaxation is the memory of link and relax.
type relaxation struct {
	degree        []int32 // how many each vertex follows
	x, next, pull []lanes.Vec4
	stay          []float32
	leaving       []bool  // of each vertex
	held          []int32 // the vertices that would leave their walls
}

// relax moves the vertices n times, all at once each time, towards the means
// of those they follow:
//
//	x_v ← x_v + w_v·slide_v(mean of x over the neighbours of v − x_v)
//
// with weights w from 0 to 1: the weighted Laplacian smoothing of Löschner et
// al. 2023 with β = 1, in Jacobi form. What runs in float32 are the
// displacements u from the places p where the vertices were,
//
//	u_v ← (1−w_v) u_v + w_v/n_v·slide_v(Σ (p_j − p_v) + Σ u_j).
func (s *vertices) relax(n int, weight func(v int) float64) {
	l := &s.scratch.relaxation
	l.x, l.next = resize(l.x, len(s.Pos)+1), resize(l.next, len(s.Pos)+1)
	l.pull, l.stay, l.leaving = resize(l.pull, len(s.Pos)), resize(l.stay, len(s.Pos)), resize(l.leaving, len(s.Pos))
	clear(l.x)
	l.next[len(s.Pos)] = lanes.Vec4{}
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			l.pull[v], l.leaving[v] = lanes.Vec4{}, false
			ring := s.followed(v)
			w := weight(v)
			if w == 0 || len(ring) == 0 || s.kind[v] != free && s.hold[v].n == 3 {
				continue
			}
			l.stay[v] = float32(1 - w)
			p := s.Pos[v]
			var sum vec.Vec3
			for _, u := range ring {
				sum = sum.Add(s.Pos[u].Sub(p))
			}
			if s.kind[v] != free {
				sum = s.hold[v].slide(sum)
				l.leaving[v] = !s.flat(&s.hold[v], ring)
			}
			w /= float64(len(ring))
			l.pull[v] = lanes.Vec4{X: float32(w * sum.X), Y: float32(w * sum.Y), Z: float32(w * sum.Z), S: float32(w)}
		}
	})
	l.held = l.held[:0]
	for v, leaving := range l.leaving {
		if leaving {
			l.held = append(l.held, int32(v))
		}
	}
	x, next := l.x, l.next
	for range n {
		par.For(len(s.Pos), func(lo, hi int) { lanes.Relax(next, x, l.pull, l.stay, &s.pulls, lo, hi) })
		par.For(len(l.held), func(lo, hi int) {
			for _, v := range l.held[lo:hi] {
				at := vec4(x[v])
				at = at.Add(s.hold[v].slide(vec4(next[v]).Sub(at)))
				next[v] = lanes.Vec4{X: float32(at.X), Y: float32(at.Y), Z: float32(at.Z)}
			}
		})
		x, next = next, x
	}
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			s.Pos[v] = s.Pos[v].Add(vec4(x[v]))
		}
	})
}

// flat reports whether a vertex that is held by h stays in its plane by
// itself, since its neighbours do.
func (s *vertices) flat(h *hold, ring []int32) bool {
	if h.n != 1 {
		return false
	}
	for _, u := range ring {
		o := &s.hold[u]
		if s.kind[u] == free || o.dirs[0] != h.dirs[0] && (o.n < 2 || o.dirs[1] != h.dirs[0]) && (o.n < 3 || o.dirs[2] != h.dirs[0]) {
			return false
		}
	}
	return true
}

func vec4(v lanes.Vec4) vec.Vec3 { return vec.New(float64(v.X), float64(v.Y), float64(v.Z)) }
