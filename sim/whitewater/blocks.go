package whitewater

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// blockEdge is the edge of a block of the grid, in cells.
const blockEdge = 8

// blockKey is the place of a block: its coordinates, z the slowest.
type blockKey uint64

// coordBits is the width of a coordinate in a key.
const coordBits = 21

// keyOf returns the key of a block, and whether it lies within the 2²¹ blocks along each
// axis that keys can name.
func keyOf(x, y, z int) (blockKey, bool) {
	const half = 1 << (coordBits - 1)
	ux, uy, uz := uint64(x+half), uint64(y+half), uint64(z+half)
	return blockKey(uz<<(2*coordBits) | uy<<coordBits | ux), ux|uy|uz < 1<<coordBits
}

// coords returns the coordinates of a block.
func (k blockKey) coords() (x, y, z int) {
	const half, mask = 1 << (coordBits - 1), 1<<coordBits - 1
	return int(k&mask) - half, int(k>>coordBits&mask) - half, int(k>>(2*coordBits)&mask) - half
}

// near returns the block at an offset of −1, 0 or 1 along each axis.
func (k blockKey) near(x, y, z int) blockKey {
	return k + blockKey(uint64(z)<<(2*coordBits)+uint64(y)<<coordBits+uint64(x))
}

// blockIndex finds blocks by their keys: a hash table with open addressing. Blocks are
// numbered in the order of their keys.
type blockIndex struct {
	keys []blockKey
	slot []int32 // number + 1, or 0
	mask uint64
}

// build numbers the keys, which ascend.
func (b *blockIndex) build(keys []blockKey) {
	b.keys = keys
	n := 16
	for n < 2*len(keys) {
		n *= 2
	}
	b.slot = slices.Grow(b.slot[:0], n)[:n]
	clear(b.slot)
	b.mask = uint64(n - 1)
	for i, k := range keys {
		at := b.hash(k)
		for b.slot[at] != 0 {
			at = (at + 1) & b.mask
		}
		b.slot[at] = int32(i + 1)
	}
}

func (b *blockIndex) hash(k blockKey) uint64 {
	x := uint64(k) * 0x9e3779b97f4a7c15
	return (x >> 32) & b.mask
}

// find returns the number of a block, or −1.
func (b *blockIndex) find(k blockKey) int32 {
	if len(b.slot) == 0 {
		return -1
	}
	for at := b.hash(k); ; at = (at + 1) & b.mask {
		i := b.slot[at]
		if i == 0 {
			return -1
		}
		if b.keys[i-1] == k {
			return i - 1
		}
	}
}

// compact sorts keys and removes the repeated ones.
func compact(keys []blockKey) []blockKey {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// floorInt returns the largest integer that is not above x.
func floorInt(x float64) int {
	i := int(x)
	if float64(i) > x {
		i--
	}
	return i
}

// reach is how far from the origin coordinates may be, in cells of the grid.
const reach = 1 << (coordBits + 2)

// within reports whether x, in cells, has a block.
func within(x vec.Vec3) bool {
	return math.Abs(x.X) < reach && math.Abs(x.Y) < reach && math.Abs(x.Z) < reach
}
