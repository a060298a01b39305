package solids

import (
	"math"

	"breakwater/sim/vec"
)

// zone is the inside or the outside of a ball.
type zone struct {
	x       vec.Vec3
	square  float64 // of the radius, m²
	outside bool
}

// zone returns where a ball of radius r may be in contact with the body. It must meet the ball
// around a solid, or leave the ball within a hole.
func (s *Solid) zone(r float64) zone {
	reach := s.outer + r
	if s.Hole {
		reach = max(0, s.inner-r)
	}
	return zone{s.X, reach * reach, s.Hole}
}

// holds reports whether q is in the zone.
func (z *zone) holds(q *vec.Vec3) bool {
	x, y, w := q.X-z.x.X, q.Y-z.x.Y, q.Z-z.x.Z
	square := float64(x*x) + float64(y*y) + float64(w*w)
	return z.outside && square > z.square || !z.outside && square < z.square
}

// zones are four zones for the assembly, which reads them by the offsets of the fields.
// What is outside of a ball has the signs of both squares turned: a < b is −b < −a.
type zones struct {
	x, y, z [4]float64
	square  [4]float64
	turn    [4]uint64 // the bits to turn
}

// group returns the zones in fours. Those that fill the last four hold nothing.
func group(list []zone) []zones {
	all := make([]zones, (len(list)+3)/4)
	for k := range 4 * len(all) {
		g, a := &all[k/4], k%4
		if k >= len(list) {
			g.square[a] = math.Inf(-1)
			continue
		}
		z := &list[k]
		g.x[a], g.y[a], g.z[a], g.square[a] = z.x.X, z.x.Y, z.x.Z, z.square
		if z.outside {
			g.square[a], g.turn[a] = -z.square, 1<<63
		}
	}
	return all
}

// nearGo sets the first numbers of list to those of the places that any zone holds, and returns
// these.
func nearGo(list []int32, x []vec.Vec3, zones []zones) []int32 {
	list = list[:0]
	for i := range x {
		if holdsAny(zones, &x[i]) {
			list = append(list, int32(i))
		}
	}
	return list
}

func holdsAny(zones []zones, q *vec.Vec3) bool {
	for k := range zones {
		g := &zones[k]
		for a := range g.x {
			x, y, z := q.X-g.x[a], q.Y-g.y[a], q.Z-g.z[a]
			square := float64(x*x) + float64(y*y) + float64(z*z)
			if math.Float64frombits(math.Float64bits(square)^g.turn[a]) < g.square[a] {
				return true
			}
		}
	}
	return false
}
