package neighbor

import (
	"math"

	"breakwater/sim/vec"
)

// cube is a cell of a grid without end, by its numbers along the axes.
type cube [3]int64

// cubeOf returns the cell that holds x, of a grid of cells with edge 1/inv.
func cubeOf(x vec.Vec3, inv float64) cube {
	return cube{int64(math.Floor(x.X * inv)), int64(math.Floor(x.Y * inv)), int64(math.Floor(x.Z * inv))}
}

// around returns the range of cells that a ball of radius r around x overlaps.
func around(x vec.Vec3, r, inv float64) (lo, hi cube) {
	v := vec.New(r, r, r)
	return cubeOf(x.Sub(v), inv), cubeOf(x.Add(v), inv)
}

// each calls f for the cells lo to hi, x first.
func each(lo, hi cube, f func(c cube)) {
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				f(cube{x, y, z})
			}
		}
	}
}

// hash is the hash of Teschner et al. 2003, sec. 4.1, for a table of 2ᵇ buckets.
func (c cube) hash(mask uint64) uint64 {
	h := uint64(c[0])*73856093 ^ uint64(c[1])*19349663 ^ uint64(c[2])*83492791
	return (h ^ h>>32) & mask
}

// tableMask returns 2ᵇ − 1 for the least 2ᵇ of at least n buckets.
func tableMask(n int) uint64 {
	size := 1
	for size < n {
		size *= 2
	}
	return uint64(size - 1)
}
