package neighbor

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

func init() {
	Finders.Add("voxels", "cells of twice the radius; a query visits the eight nearest to the point",
		"Heirich 2010", func() Finder { return new(Voxels) })
}

// Voxels is the search of Heirich, Smoothed Particle Hydrodynamics, 2010: Voxels have
// twice the radius as their edge. A point needs its own voxel and, along each axis, the
// one on the nearer side: 2×2×2 in place of 3×3×3, though of eight times the volume.
type Voxels struct {
	cells Cells
	pos   []vec.Vec3
	r     float64
}

// Build implements Finder.
func (v *Voxels) Build(pos []vec.Vec3, r float64) {
	v.pos, v.r = pos, r
	v.cells.Build(pos, 2*r)
}

// Near implements Finder.
func (v *Voxels) Near(dst []int32, x vec.Vec3) []int32 {
	c := &v.cells
	if len(v.pos) == 0 {
		return dst
	}
	from := len(dst)
	d := x.Sub(c.box.Min)
	lo, hi := [3]int{}, [3]int{}
	for a, t := range [3]float64{d.X * c.inv, d.Y * c.inv, d.Z * c.inv} {
		// Far outside, the numbers of cells would not fit an integer.
		i := int(math.Floor(max(-2, min(t, float64(c.n[a])+1))))
		lo[a], hi[a] = i, i
		// In the very middle rounding may say either side.
		const slack = 1e-9
		side := t - math.Floor(t)
		if side < 0.5+slack {
			lo[a]--
		}
		if side > 0.5-slack {
			hi[a]++
		}
		lo[a], hi[a] = max(lo[a], 0), min(hi[a], c.n[a]-1)
	}
	for k := lo[2]; k <= hi[2]; k++ {
		for j := lo[1]; j <= hi[1]; j++ {
			if lo[0] > hi[0] {
				continue
			}
			row := (k*c.n[1] + j) * c.n[0]
			for _, i := range c.order[c.start[row+lo[0]]:c.start[row+hi[0]+1]] {
				if e := x.Sub(v.pos[i]); e.Dot(e) < v.r*v.r {
					dst = append(dst, i)
				}
			}
		}
	}
	slices.Sort(dst[from:])
	return dst
}
