package surface

import (
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// floorWeight is the least weight of smoothing. Two and a half of 25 full
// passes round off drops and the rims of sheets; what volume that costs them,
// restoreVolume gives back.
const floorWeight = 0.1

// dropWeight is the most for drops. At 25 full passes one of twenty particles
// crumples.
const dropWeight = 0.2

// On the surface of a pool or a wave field.near is 7 to 10, in spray 0 to 6:
// the weight of smoothing rises between these two. (With 0 and 13, as in the
// paper, which has no room between them, waves stay rough and jets wither.)
const (
	thinNear = 3
	bulkNear = 9
)

// smooth is the weighted Laplacian smoothing of Löschner et al. 2023: the
// weight grows from almost 0 where particles have few neighbours, in drops and
// sheets, to 1 in the bulk. A vertex of the free surface follows its neighbours
// on the surface, also on a contact line, where it slides on the wall; so the
// surface meets the wall at a right angle. Wall vertices slide on the wall.
func (s *vertices) smooth(n int) {
	drop := s.drops()
	s.weight = make([]float64, len(s.Pos))
	for v, near := range s.near {
		x := max(0, min(1, (near-thinNear)/(bulkNear-thinNear)))
		s.weight[v] = floorWeight + (1-floorWeight)*x*x*x*(10+x*(6*x-15)) // 6x⁵ − 15x⁴ + 10x³
		if drop[s.part[v]] {
			s.weight[v] = min(s.weight[v], dropWeight)
		}
	}
	mesh.Smooth(s.Pos, s.weight, s.pulls(), n, s.slide)
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

// sizes returns the number of vertices of each part.
func (s *vertices) sizes() []int {
	size := make([]int, s.parts)
	for _, p := range s.part {
		size[p]++
	}
	return size
}

// relaxWalls spreads the wall vertices again after the contact lines moved.
func (s *vertices) relaxWalls() {
	weight := make([]float64, len(s.Pos))
	for v, wall := range s.wall {
		if wall {
			weight[v] = 1
		}
	}
	mesh.Smooth(s.Pos, weight, s.pulls(), 3, s.slide)
}

func (s *vertices) slide(v int, step vec.Vec3) vec.Vec3 { return s.hold[v].slide(step) }

// pulls returns the neighbours that a vertex follows: all, but those under a
// wall for a vertex of a contact line.
func (s *vertices) pulls() func(v int) []int32 {
	line := map[int][]int32{}
	for v := range s.Pos {
		if !s.contact(int32(v)) {
			continue
		}
		for _, u := range s.rings.Of(int32(v)) {
			if !s.wall[u] {
				line[v] = append(line[v], u)
			}
		}
	}
	return func(v int) []int32 {
		if s.contact(int32(v)) {
			return line[v]
		}
		return s.rings.Of(int32(v))
	}
}
