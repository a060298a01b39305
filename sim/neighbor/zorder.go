package neighbor

import (
	"cmp"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

func init() {
	Finders.Add("z-order", "points sorted along a space-filling curve, so that near cells are near in memory",
		"Goswami et al. 2010", func() Finder { return new(ZOrder) })
}

// ZOrder is the index sort of Goswami, Schlegel, Solenthaler and Pajarola,
// Interactive SPH Simulation and Rendering on the GPU, 2010: points are sorted by
// the Z index (Morton 1966) of their cell, and a cell's points are found by
// bisection.
type ZOrder struct {
	r, inv float64
	origin vec.Vec3
	last   cube // the last cell along each axis
	pos    []vec.Vec3
	code   []coded // the points by Z index
}

// coded is a point and the Z index of its cell.
type coded struct {
	z     uint64
	point int32
}

// zBits is the number of bits per axis in 63.
const zBits = 21

// Build implements Finder. Cells grow where 2²¹ along an axis are too few.
func (s *ZOrder) Build(pos []vec.Vec3, r float64) {
	box := Bounds(pos)
	s.pos, s.r, s.inv, s.origin = pos, r, 1/Edge(r), box.Min
	size := box.Size()
	for max(size.X, size.Y, size.Z)*s.inv >= 1<<zBits {
		s.inv /= 2
	}
	s.last = cubeOf(size, s.inv)
	s.code = slices.Grow(s.code[:0], len(pos))[:len(pos)]
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.code[i] = coded{zIndex(cubeOf(pos[i].Sub(s.origin), s.inv)), int32(i)}
		}
	})
	slices.SortFunc(s.code, func(a, b coded) int { return cmp.Or(cmp.Compare(a.z, b.z), cmp.Compare(a.point, b.point)) })
}

// Near implements Finder.
func (s *ZOrder) Near(dst []int32, x vec.Vec3) []int32 {
	if len(s.pos) == 0 {
		return dst
	}
	from := len(dst)
	lo, hi := around(x.Sub(s.origin), s.r, s.inv)
	for a := range lo {
		lo[a], hi[a] = max(lo[a], 0), min(hi[a], s.last[a])
	}
	each(lo, hi, func(c cube) {
		z := zIndex(c)
		k, _ := slices.BinarySearchFunc(s.code, z, func(a coded, z uint64) int { return cmp.Compare(a.z, z) })
		for ; k < len(s.code) && s.code[k].z == z; k++ {
			i := s.code[k].point
			if d := x.Sub(s.pos[i]); d.Dot(d) < s.r*s.r {
				dst = append(dst, i)
			}
		}
	})
	slices.Sort(dst[from:])
	return dst
}

// zIndex interleaves the bits of the cell's numbers, which must be from 0 to
// 2²¹ − 1.
func zIndex(c cube) uint64 { return spread(c[0]) | spread(c[1])<<1 | spread(c[2])<<2 }

// spread puts two zeros between the bits of n.
func spread(n int64) uint64 {
	x := uint64(n)
	x = (x | x<<32) & 0x1f00000000ffff
	x = (x | x<<16) & 0x1f0000ff0000ff
	x = (x | x<<8) & 0x100f00f00f00f00f
	x = (x | x<<4) & 0x10c30c30c30c30c3
	x = (x | x<<2) & 0x1249249249249249
	return x
}
