package surface

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/simd"
)

// floorWeight is the least weight of smoothing. A few full passes round off the
// rims of sheets; what volume that costs them, restoreVolume gives back.
const floorWeight = 0.1

// longWeight is the most for drops on a wall and for threads.
const longWeight = 0.2

// dropWeight is the weight of round drops, which are scaled back afterwards.
const dropWeight = 0.8

// The relative density of the particles under the surface of a pool or a wave is 0.8 to
// 1. In spray, down to lone particles, it is 0.3 to 0.6. The weight of smoothing rises
// between these two. Löschner et al. count neighbours, from 0 to 13, each by 1 − r²/h².
// That number grows linearly with the density, from 3 to 9 between the two, with a
// standard deviation of 1 (dam break, 151,000 particles). With 0 and 13, as in the paper,
// which has no room between them, waves stay rough and jets wither.
const (
	thinFill = 0.52
	bulkFill = 0.89
)

// smooth is the weighted Laplacian smoothing of Löschner et al. 2023: the weight grows
// from almost 0 where particles have few neighbours, in drops and sheets, to 1 in the
// bulk. A vertex of the free surface follows its neighbours on the surface. On a contact
// line it slides on the wall, so the surface meets the wall at a right angle. Wall
// vertices slide on the wall.
//
// A pass moves a vertex by about e²/4 times the curvature, if its neighbours are e away.
// So weights are divided by e², up to a limit, and the result depends on the surface, not
// on how the grid happens to cut it. Otherwise films would flicker.
//
// Round drops keep the volumes in want, in m³, if want is not nil.
func (s *vertices) smooth(n int, want []float64, spacing float64) {
	s.findDrops()
	s.weight = resize(s.weight, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			x := max(0, min(1, (float64(s.fill[v])-thinFill)/(bulkFill-thinFill)))
			s.weight[v] = floorWeight + float64((1-floorWeight)*x*x*x*(10+float64(x*(float64(6*x)-15)))) // 6x⁵ − 15x⁴ + 10x³
			if s.drop[s.part[v]] {
				s.weight[v] = min(s.weight[v], longWeight)
			}
		}
	})
	reach := 0.375 * spacing
	weight := func(v int32) (most, e2 float64) {
		switch p := s.part[v]; {
		case s.round[p]:
			return dropWeight, s.sideSquare[p]
		case s.drop[p]:
			return s.weight[v], s.sideSquare[p]
		}
		return s.weight[v], reach * reach
	}
	var after func(pass int, x []simd.Vec4, lo, hi int)
	if want != nil {
		after = s.restoreDrops(want)
	}
	// Lengths change on the way.
	const round = 9
	for ; n > 0; n -= round {
		s.findSideSquares()
		s.relax(min(n, round), weight, after)
	}
}

// relaxWalls spreads the wall vertices again after the contact lines moved.
func (s *vertices) relaxWalls() {
	if !slices.Contains(s.kind, wall) {
		return
	}
	s.relax(3, func(v int32) (most, e2 float64) {
		if s.kind[v] == wall {
			return 1, math.Inf(1)
		}
		return 0, 0
	}, nil)
}

// link finds the neighbours that each vertex follows: all, but those under a
// wall for a vertex of the free surface or of a contact line. All have their
// places already.
func (s *vertices) link() {
	l := &s.links
	n := len(s.Pos)
	follows := func(v, u int32) bool { return s.kind[v] == wall || s.kind[u] != wall }
	l.Start, l.degree = resize(l.Start, n+1), resize(l.degree, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v := l.vertex[i]
			l.degree[i] = 0
			for _, u := range s.rings.Of(v) {
				if follows(v, u) {
					l.degree[i]++
				}
			}
		}
	})
	l.Start[0] = 0
	for i, d := range l.degree {
		l.Start[i+1] = l.Start[i] + (d+simd.Four-1)/simd.Four*simd.Four
	}
	l.Of = resize(l.Of, int(l.Start[n]))
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v := l.vertex[i]
			of := l.Of[l.Start[i]:l.Start[i+1]]
			for _, u := range s.rings.Of(v) {
				if follows(v, u) {
					of[0], of = l.place[u], of[1:]
				}
			}
			for k := range of {
				of[k] = int32(n)
			}
		}
	})
}

// links say which vertices each one follows when neighbours pull at each other.
// There vertices have places of their own: small parts stand one after the
// other, so that passes over one stay in the cache, which the surface as a
// whole exceeds.
type links struct {
	simd.Rings         // of places
	degree     []int32 // how many the vertex at each place follows
	place      []int32 // of each vertex
	vertex     []int32 // at each place
	alone      []int32 // vertices from alone[k] to alone[k+1] follow no vertex outside that range; before alone[0] they may
}

// together is about how many vertices are passed over at a time: they take
// half a megabyte, which is what caches of a core have.
const together = 5000

// order gives all vertices their places.
func (s *vertices) order() {
	l := &s.links
	size := s.sizes()
	free := make([]int32, len(size)) // next place of each part
	var n, large int32
	for _, k := range size {
		if k > together {
			large += int32(k)
		}
	}
	l.alone = append(l.alone[:0], large)
	n = large
	for p, k := range size {
		if k > together {
			continue
		}
		free[p] = n
		if n += int32(k); n-l.alone[len(l.alone)-1] > together/2 {
			l.alone = append(l.alone, n)
		}
	}
	if n > l.alone[len(l.alone)-1] {
		l.alone = append(l.alone, n)
	}
	l.place, l.vertex = resize(l.place, len(s.Pos)), resize(l.vertex, len(s.Pos))
	var first int32
	for v, p := range s.part {
		at := &free[p]
		if size[p] > together {
			at = &first
		}
		l.place[v], l.vertex[*at] = *at, int32(v)
		*at++
	}
}

// passes calls f n times on all places, in chunks [lo, hi). A pass over a place begins
// only when the previous pass over the place, and over the places that it depends on, has
// ended.
func (l *links) passes(n int, f func(pass, lo, hi int)) {
	large := int(l.alone[0])
	for pass := range n {
		par.For(large, func(lo, hi int) { f(pass, lo, hi) })
	}
	par.Each(len(l.alone)-1, func(k int) {
		for pass := range n {
			f(pass, int(l.alone[k]), int(l.alone[k+1]))
		}
	})
}

// relaxation is the memory of relax and smoothNormals.
type relaxation struct {
	at      []vec.Vec3 // positions of the vertices at their places
	x, pull []simd.Vec4
	next    []simd.Vec4
	share   []float32 // of itself that a vertex keeps, or of its neighbours that a normal takes
	leaving []bool    // vertices that would leave their walls
}

// relax moves the vertices n times, all at once each time, towards the means of their
// neighbours:
//
//	x_v ← x_v + w_v·slide_v(mean of x over the neighbours of v − x_v)
//
// with weights w from 0 to 1: the weighted Laplacian smoothing of Löschner et al. 2023
// with β = 1, in Jacobi form. The passes compute in float32 the displacements u from the
// original positions p,
//
//	u_v ← (1−w_v) u_v + w_v/n_v·slide_v(Σ (p_j − p_v) + Σ u_j).
//
// weight returns the most that w_v is, and the mean square of the distances of v's
// neighbours from which on it falls with their inverse. If after is not nil, it
// may change the displacements of small parts, at places from lo to hi, after each pass.
func (s *vertices) relax(n int, weight func(v int32) (most, e2 float64), after func(pass int, x []simd.Vec4, lo, hi int)) {
	l, r := &s.links, &s.scratch.relaxation
	r.x, r.next = resize(r.x, len(s.Pos)+1), resize(r.next, len(s.Pos)+1)
	r.pull, r.share, r.leaving = resize(r.pull, len(s.Pos)), resize(r.share, len(s.Pos)), resize(r.leaving, len(s.Pos))
	clear(r.x)
	r.next[len(s.Pos)] = simd.Vec4{}
	r.at = resize(r.at, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			r.at[i] = s.Pos[l.vertex[i]]
		}
	})
	par.For(len(s.Pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v := l.vertex[i]
			r.pull[i], r.leaving[i] = simd.Vec4{}, false
			ring := l.Of[l.Start[i]:][:l.degree[i]]
			if len(ring) == 0 || s.kind[v] != free && s.constraints[v].n == 3 {
				continue
			}
			w, limit := weight(v)
			if w == 0 {
				continue
			}
			p := r.at[i]
			var sum vec.Vec3
			var e2 float64
			for _, u := range ring {
				e := r.at[u].Sub(p)
				sum, e2 = sum.Add(e), e2+e.Dot(e)
			}
			w *= min(1, limit/(e2/float64(len(ring))))
			r.share[i] = float32(1 - float64(w))
			if s.kind[v] != free {
				sum = s.constraints[v].slide(sum)
				r.leaving[i] = !s.flat(&s.constraints[v], ring)
			}
			w /= float64(len(ring))
			r.pull[i] = simd.Vec4{X: float32(w * sum.X), Y: float32(w * sum.Y), Z: float32(w * sum.Z), S: float32(w)}
		}
	})
	both := [2][]simd.Vec4{r.x, r.next}
	l.passes(n, func(pass, lo, hi int) {
		x, next := both[pass%2], both[1-pass%2]
		simd.Relax(next, x, r.pull, r.share, &l.Rings, lo, hi)
		for i, leaving := range r.leaving[lo:hi] {
			if leaving {
				i += lo
				at := vec4(x[i])
				at = at.Add(s.constraints[l.vertex[i]].slide(vec4(next[i]).Sub(at)))
				next[i] = simd.Vec4{X: float32(at.X), Y: float32(at.Y), Z: float32(at.Z)}
			}
		}
		if after != nil && lo >= int(l.alone[0]) {
			after(pass, next, lo, hi)
		}
	})
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			s.Pos[v] = s.Pos[v].Add(vec4(both[n%2][l.place[v]]))
		}
	})
}

// flat reports whether a vertex that is held by h stays in its plane by
// itself, since its neighbours, at the places in ring, do.
func (s *vertices) flat(h *constraint, ring []int32) bool {
	if h.n != 1 {
		return false
	}
	for _, i := range ring {
		u := s.links.vertex[i]
		o := &s.constraints[u]
		if s.kind[u] == free || o.dirs[0] != h.dirs[0] && (o.n < 2 || o.dirs[1] != h.dirs[0]) && (o.n < 3 || o.dirs[2] != h.dirs[0]) {
			return false
		}
	}
	return true
}

func vec4(v simd.Vec4) vec.Vec3 { return vec.New(float64(v.X), float64(v.Y), float64(v.Z)) }
