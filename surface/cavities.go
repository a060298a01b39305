package surface

import (
	"math"

	"breakwater/sim/vec"
)

// cavities is the treatment of air that liquid encloses.
type cavities struct {
	Cavities string  `toml:"cavities" oneof:"fill keep" doc:"Treatment of air enclosed in the liquid: fill makes it liquid, so the mesh has no inner walls; keep leaves cavities that are larger than bubble."`
	Bubble   float64 `toml:"bubble" unit:"particle volumes" range:"[0, inf)" doc:"Volume below which enclosed air is only a gap between particles. Such gaps are always filled, and their volume is taken from elsewhere."`
}

// air returns how much air, in m³, each piece of the surface encloses, or 0 for
// a piece that encloses liquid, touches a wall, or is one.
func (s *vertices) air() []float64 {
	a := &s.scratch.arrangement
	air := make([]float64, len(a.pieces))
	for k, piece := range a.pieces {
		air[k] = max(0, -piece.Volume)
	}
	for v, k := range s.kind {
		if k == wall {
			air[a.of[v]] = 0
		}
	}
	return air
}

// enclosed returns the volume within the surface with all air filled, and the volume of
// air in pockets larger than a bubble, in m³.
func (s *vertices) enclosed(bubble float64) (volume, air float64) {
	all := s.air()
	for k, piece := range s.scratch.pieces {
		volume += piece.Volume + all[k]
		if all[k] >= bubble {
			air += all[k]
		}
	}
	return volume, air
}

// fill marks the pieces around air to be filled for removal, with all liquid inside. The
// filled air adds to the volume want of the surrounding part, unless it is a bubble.
func (c *cavities) fill(s *vertices, gone []bool, want []float64, cube float64, t *Counts) {
	a := &s.scratch.arrangement
	air := s.air()
	n := 0
	for k := range air {
		if gone[k] {
			air[k] = 0
		}
		if air[k] > 0 {
			n++
		}
	}
	if n == 0 {
		return
	}
	part := make([]int32, len(air)) // of each piece
	first := make([]vec.Vec3, len(air))
	box := make([]vec.Box, len(air))
	for k := range box {
		box[k] = vec.Empty()
	}
	for v := len(s.Pos) - 1; v >= 0; v-- {
		k := a.of[v]
		part[k], first[k] = s.part[v], s.Pos[v]
		box[k] = box[k].Include(s.Pos[v])
	}
	tris := make([][][3]int32, len(air)) // of the cavities
	for _, tri := range s.Tri {
		if k := a.of[tri[0]]; air[k] > 0 {
			tris[k] = append(tris[k], tri)
		}
	}
	for k, volume := range air {
		real := volume >= c.Bubble*cube
		switch {
		case volume == 0 || gone[k]:
			continue
		case real && c.Cavities == "keep":
			t.Cavities++
			continue
		}
		gone[k] = true
		around := part[k]
		var inside float64 // liquid
		for l := range air {
			if gone[l] || part[l] == around || !box[k].Contains(first[l]) || !s.within(first[l], tris[k]) {
				continue
			}
			gone[l] = true
			if air[l] == 0 {
				inside += want[part[l]]
				want[part[l]] = 0
			}
		}
		want[around] += inside
		if real {
			want[around] += max(0, volume-inside)
			t.Filled++
			t.Air += volume
		}
	}
}

// within reports whether x lies within a closed surface. The solid angle of its
// triangles, seen from x, is then a whole sphere (van Oosterom and Strackee, The solid
// angle of a plane triangle, IEEE Trans. Biomed. Eng. 30, 1983).
func (s *vertices) within(x vec.Vec3, tris [][3]int32) bool {
	var angle float64
	for _, t := range tris {
		a, b, c := s.Pos[t[0]].Sub(x), s.Pos[t[1]].Sub(x), s.Pos[t[2]].Sub(x)
		la, lb, lc := a.Len(), b.Len(), c.Len()
		angle += float64(2 * math.Atan2(a.Dot(b.Cross(c)), float64(la*lb*lc)+float64(a.Dot(b)*lc)+float64(b.Dot(c)*la)+float64(c.Dot(a)*lb)))
	}
	return math.Abs(angle) > 2*math.Pi
}
