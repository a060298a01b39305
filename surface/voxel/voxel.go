// Package voxel makes sparse grids of numbers and vectors in leaves of 8³ voxels, as
// volume files have them. The values come from particles (particles.go), from puffs of a
// gas (puffs.go), from small spheres that dim the light (spheres.go), or from the
// distance to a mesh (distance.go).
package voxel

import "math/bits"

// Side is the number of voxels along an edge of a Leaf, and Count how many it
// has.
const (
	Side  = 8
	Count = Side * Side * Side
)

// Class is the meaning of a grid's values.
type Class uint8

const (
	Fog      Class = iota // a density, 0 outside
	LevelSet              // the signed distance to a surface, negative inside, near it
	Field                 // anything else
)

// Grid has values in some voxels, and its Background in all others; but in a
// level set those others have it negative that Inside says.
type Grid struct {
	Name       string
	Class      Class
	Width      int     // numbers of a value: 1, or 3 of a vector
	Background float32 // in each of its numbers
	Half       bool    // files keep the numbers as float16: those above 65504 become that
	Leaves     []Leaf  // in any order, none at the same place as another

	// Inside reports, for a place without a leaf, as in Leaf.At, whether it is in the
	// body whose surface a level set describes.
	Inside func(at [3]int32) bool
}

// Leaf is a cube of voxels. That with the coordinates (x, y, z) within it is
// number x·64 + y·8 + z.
type Leaf struct {
	At     [3]int32           // coordinates of its first voxel, multiples of Side
	On     [Count / 64]uint64 // which voxels have a value of their own
	Values []float32          // Count of them, Width numbers each
}

// IsOn reports whether voxel i has a value of its own.
func (l *Leaf) IsOn(i int) bool { return l.On[i/64]>>(i%64)&1 != 0 }

// Set notes that voxel i has one.
func (l *Leaf) Set(i int) { l.On[i/64] |= 1 << (i % 64) }

// Len returns how many voxels have one.
func (l *Leaf) Len() (n int) {
	for _, m := range l.On {
		n += bits.OnesCount64(m)
	}
	return n
}

// Volume is some grids of the same voxels. The middle of the voxel with the
// coordinates (x, y, z) is at Edge times these.
type Volume struct {
	Edge  float64 // of a voxel, in the unit of the particles
	Grids []*Grid
}
