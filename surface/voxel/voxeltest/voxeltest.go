// Package voxeltest reads sparse grids for tests.
package voxeltest

import (
	"slices"

	"breakwater/surface/voxel"
)

// At returns the values of g in a voxel, and whether the voxel is on.
func At(g *voxel.Grid, at [3]int32) (values []float32, on bool) {
	leaf, i := [3]int32{}, 0
	for a, v := range at {
		leaf[a] = v &^ (voxel.Side - 1)
		i = i*voxel.Side + int(v&(voxel.Side-1))
	}
	for k := range g.Leaves {
		if l := &g.Leaves[k]; l.At == leaf {
			return l.Values[g.Width*i : g.Width*(i+1)], l.IsOn(i)
		}
	}
	v := g.Background
	if g.Inside != nil && g.Inside(leaf) {
		v = -v
	}
	return slices.Repeat([]float32{v}, g.Width), false
}
