package vdb

import (
	"encoding/binary"
	"math"

	"breakwater/out/numbers"
)

// tree reads the nodes of a grid: first which there are, with the values of tiles, and then
// the values of the leaves (openvdb/tree/RootNode.h, InternalNode.h and LeafNode.h).
type tree struct {
	*reader
	grid   *Grid
	masked bool // inactive values may be left out
	order  []leafPlace

	packed, plain []byte // as they are read
	values        []float32
}

// leafPlace is a leaf before its values are read.
type leafPlace struct {
	at     [3]int32
	active bool // some voxel is
}

// kind is a kind of node: how many voxels an edge of a child has, and how many children
// there are along an edge, both in bits.
type kind struct{ shift, bits uint }

var (
	upper = kind{7, 5}
	lower = kind{3, 4}
)

// count returns the number of children.
func (k kind) count() int { return 1 << (3 * k.bits) }

// corner returns the first voxel of child i of a node at the voxel at.
func (k kind) corner(at [3]int32, i int) [3]int32 {
	mask := 1<<k.bits - 1
	return [3]int32{
		at[0] + int32(i>>(2*k.bits))<<k.shift,
		at[1] + int32(i>>k.bits&mask)<<k.shift,
		at[2] + int32(i&mask)<<k.shift,
	}
}

// rootSide is the number of voxels along an edge of a child of the root.
const rootSide = 4096

func (t *tree) read() error {
	g := t.grid
	if n := t.u32(); n != 1 {
		t.fail("%d sets of values, expected 1; save the grid again", n)
	}
	g.Background = t.value()
	t.finite(g.Background[:], [3]int32{})
	tiles, children := int64(t.u32()), int64(t.u32())
	if left := t.end - t.at; tiles > left/15 || children > left/12 {
		t.fail("%d tiles and %d nodes do not fit into the grid; the file is damaged", tiles, children)
	}
	for ; tiles > 0 && t.err == nil; tiles-- {
		at, v := t.place(), t.value()
		if t.byte() != 0 {
			t.finite(v[:], at)
			g.Tiles = append(g.Tiles, Tile{at, rootSide, v})
		}
	}
	for ; children > 0 && t.err == nil; children-- {
		t.node(upper, t.place(), func(at [3]int32) { t.node(lower, at, t.leaf) })
	}
	for _, l := range t.order {
		if t.err != nil {
			break
		}
		t.leafValues(l)
	}
	return t.reader.err
}

// value reads a value at full precision.
func (t *tree) value() (v [3]float32) {
	if t.grid.all16 {
		v[0] = float32(numbers.Half(binary.LittleEndian.Uint16(t.bytes(halfSize))))
		return v
	}
	for k := range t.grid.Width {
		v[k] = math.Float32frombits(t.u32())
	}
	return v
}

// place reads the first voxel of a child of the root.
func (t *tree) place() (at [3]int32) {
	for a := range at {
		at[a] = int32(t.u32())
		if at[a]%rootSide != 0 {
			t.fail("a node at the voxel %d; expected a multiple of %d, so the file is damaged", at[a], rootSide)
		}
	}
	return at
}

// mask reads n bits.
func (t *tree) mask(n int) []uint64 {
	b := t.bytes(int64(n / 8))
	m := make([]uint64, n/64)
	for i := range m {
		if len(b) >= 8*i+8 {
			m[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
	}
	return m
}

func has(mask []uint64, i int) bool { return mask[i/64]>>(i%64)&1 != 0 }

// node reads a node at the voxel at, and calls child for the voxels of its children.
func (t *tree) node(k kind, at [3]int32, child func(at [3]int32)) {
	children, active := t.mask(k.count()), t.mask(k.count())
	// Old files leave out the values of children, and new ones only inactive values.
	n := k.count()
	if !t.masked {
		for _, m := range children {
			n -= onesCount(m)
		}
	}
	values := t.numbers(n, active)
	if t.err != nil {
		return
	}
	w, next := t.grid.Width, 0
	for i := range k.count() {
		if has(children, i) && !t.masked {
			continue
		}
		if has(active, i) && !has(children, i) {
			tile := Tile{At: k.corner(at, i), Side: 1 << k.shift}
			copy(tile.Value[:], values[w*next:w*next+w])
			t.finite(values[w*next:w*next+w], tile.At)
			t.grid.Tiles = append(t.grid.Tiles, tile)
		}
		next++
	}
	for i := range k.count() {
		if t.err == nil && has(children, i) {
			child(k.corner(at, i))
		}
	}
}

// leaf reads which voxels of a leaf are active.
func (t *tree) leaf(at [3]int32) {
	some := false
	for _, m := range t.mask(Count) {
		some = some || m != 0
	}
	t.order = append(t.order, leafPlace{at, some})
}

// leafValues reads the values of a leaf.
func (t *tree) leafValues(at leafPlace) {
	l := Leaf{At: at.at}
	copy(l.Active[:], t.mask(Count))
	buffers := byte(1)
	if !t.masked {
		t.skip(3 * 4) // the place again
		buffers = t.byte()
	}
	values := t.numbers(Count, l.Active[:])
	for ; buffers > 1 && t.err == nil; buffers-- { // of old programs, which no other used
		t.plainBytes(Count * t.size())
	}
	if t.err != nil || !at.active {
		return
	}
	t.finite(values, l.At)
	l.Values = append([]float32(nil), values...)
	t.grid.Leaves = append(t.grid.Leaves, l)
}

// finite notes a fault if a value near the voxel at is not finite.
func (t *tree) finite(values []float32, at [3]int32) {
	for _, v := range values {
		if v-v != 0 {
			t.fail("a value near the voxel %v is not finite; remove such values in the program that made the file", at)
			return
		}
	}
}
