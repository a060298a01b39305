package surface

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/simd"
)

// side is the number of cells along a block. A row of a block's nodes fits
// the bits of a uint16.
const side = simd.Side

// rows is the number of rows of a block.
const rows = side * side

// block is a cube of side³ nodes of the grid. Node (x, y, z) of it has the
// place (z·side + y)·side + x in f, and bit x of row z·side + y in inside.
type block struct {
	at     [3]int       // block coordinates
	corner vec.Vec3     // of node (0, 0, 0), m
	near   bool         // a wall may be within the kernel's support of a node
	cut    bool         // a wall may run between the nodes
	empty  bool         // no node is inside
	full   bool         // all nodes are
	next   [8]int32     // block at (+1, +2, +4: x, y, z), −1 for none; next[0] is the block itself
	f      simd.Block   // Σ V_j W_j at the nodes
	clear  [rows]uint16 // the nodes before all walls, if cut
	inside [rows]uint16
	crossings

	air     [rows]uint16 // nodes that may be of a gap, see findAir
	airless bool         // no node may be
}

// grid is the part of an endless grid of nodes, fixed to the world, that lies
// around a cloud. Lengths are in metres, relative to origin.
type grid struct {
	cell   float64
	h      float64  // support radius of the kernel
	origin vec.Vec3 // of all local coordinates, in the world
	keys   []uint64 // of blocks, ascending
	blocks []*block

	all []*block // including blocks of earlier grids
}

// Block coordinates are packed 21 bits each, z first, so that keys sort in z, y, x order.
// They are counted from three below the cloud: the kernel and a cell reach at most two
// blocks far, and the neighbours of these blocks have a key too.
const (
	axisBits = 21
	below    = 3
)

func blockKey(x, y, z int) uint64 { return uint64(z)<<(2*axisBits) | uint64(y)<<axisBits | uint64(x) }

func blockAt(key uint64) [3]int {
	const mask = 1<<axisBits - 1
	return [3]int{int(key & mask), int(key >> axisBits & mask), int(key >> (2 * axisBits))}
}

// place lays g, of cells of the given edge, around the particles x.
//
// Nodes stand in the middle of multiples of cell: people put walls at round
// coordinates, and a wall that runs between nodes is cut best. The origin is
// on a multiple of a block in the world, so that frames share their nodes.
func (g *grid) place(x []vec.Vec3, cell, h float64) error {
	box := vec.Empty()
	for _, p := range x {
		box = box.Include(p)
	}
	width := float64(side * cell)
	if s := box.Size(); max(s.X, s.Y, s.Z) > width*(1<<axisBits-2*below-1) {
		far := farthest(x)
		return fmt.Errorf("surface: the particles span %v m, more than %g m along an axis; particle %d, at %v, is the farthest from the others: leave out particles that have flown away, or use a larger cell", s, float64(width*(1<<axisBits-2*below-1)), far, x[far])
	}
	if far := max(-box.Min.X, box.Max.X, -box.Min.Y, box.Max.Y, -box.Min.Z, box.Max.Z); far*0x1p-52 > 0.1*cell {
		return fmt.Errorf("surface: the particles are up to %.4g m from the origin, where float32 numbers are %.2g m apart, but a cell of the grid is %.2g m: move them to the origin, or use a larger radius", far, float64(far*0x1p-52), cell)
	}
	start := func(x float64) float64 { return float64((math.Floor(x/width)-below)*width) + float64(cell/2) }
	g.cell, g.h, g.origin = cell, h, vec.New(start(box.Min.X), start(box.Min.Y), start(box.Min.Z))
	return nil
}

// fill sets up the blocks that have a node in reach of one of the particles x,
// in local coordinates.
func (g *grid) fill(x []vec.Vec3) {
	const chunk = 1 << 14 // particles
	lists := make([][]uint64, (len(x)+chunk-1)/chunk)
	par.Each(len(lists), func(c int) {
		lists[c] = g.activate(x[c*chunk : min(len(x), (c+1)*chunk)])
	})
	g.keys = distinct(slices.Concat(lists...))
	for len(g.all) < len(g.keys) {
		g.all = append(g.all, new(block))
	}
	g.blocks = g.all[:len(g.keys)]
	par.For(len(g.keys), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b := g.blocks[i]
			b.at = blockAt(g.keys[i])
			b.corner = vec.New(float64(b.at[0]), float64(b.at[1]), float64(b.at[2])).Mul(side * g.cell)
			for o := range b.next {
				b.next[o] = g.find(b.at[0]+o&1, b.at[1]+o>>1&1, b.at[2]+o>>2&1)
			}
		}
	})
}

// farthest returns the particle that is the farthest, along an axis, from where
// half of them are.
func farthest(x []vec.Vec3) (far int) {
	var middle [3]float64
	for a := range middle {
		all := make([]float64, len(x))
		for i, p := range x {
			all[i] = [3]float64{p.X, p.Y, p.Z}[a]
		}
		slices.Sort(all)
		middle[a] = all[len(all)/2]
	}
	most := -1.0
	for i, p := range x {
		d := max(math.Abs(p.X-middle[0]), math.Abs(p.Y-middle[1]), math.Abs(p.Z-middle[2]))
		if d > most {
			far, most = i, d
		}
	}
	return far
}

// activate returns the keys of the blocks with a node in reach of one of the
// particles x, ascending.
func (g *grid) activate(x []vec.Vec3) (keys []uint64) {
	inv := 1 / (side * g.cell)
	// Particles in the order of their cells stay in a block for a while.
	var last uint64
	var recent [1 << 8]uint64 // keys added lately; most come again
	box := vec.Empty()
	for _, p := range x {
		key := blockKey(int(p.X*inv), int(p.Y*inv), int(p.Z*inv))
		if key != last {
			keys = g.reached(keys, &recent, box)
			last, box = key, vec.Empty()
		}
		box = box.Include(p)
	}
	return distinct(g.reached(keys, &recent, box))
}

// reached adds the blocks with a node in reach of particles in box to keys, except
// blocks known to recent.
func (g *grid) reached(keys []uint64, recent *[1 << 8]uint64, box vec.Box) []uint64 {
	if box.IsEmpty() {
		return keys
	}
	// One cell more than the kernel reaches: so a block that does not exist
	// never bounds a node inside the liquid.
	box = box.Grow(g.h + g.cell)
	lo, hi := box.Min.Mul(1/(side*g.cell)), box.Max.Mul(1/(side*g.cell))
	for bz := int(lo.Z); bz <= int(hi.Z); bz++ {
		for by := int(lo.Y); by <= int(hi.Y); by++ {
			for bx := int(lo.X); bx <= int(hi.X); bx++ {
				key := blockKey(bx, by, bz)
				if at := &recent[bx&15|by&3<<4|bz&3<<6]; *at != key {
					*at = key
					keys = append(keys, key)
				}
			}
		}
	}
	return keys
}

// distinct sorts keys and removes duplicates.
func distinct(keys []uint64) []uint64 {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// find returns the index of a block, −1 if it does not exist.
func (g *grid) find(x, y, z int) int32 {
	if i, ok := slices.BinarySearch(g.keys, blockKey(x, y, z)); ok {
		return int32(i)
	}
	return -1
}

// node returns the place of a node of b.
func (g *grid) node(b *block, x, y, z int) vec.Vec3 {
	return b.corner.Add(vec.New(float64(x), float64(y), float64(z)).Mul(g.cell))
}

// resize returns s with n items of any value, in its memory if that suffices.
func resize[T any](s []T, n int) []T { return par.Resize(s, n) }

// extend returns s with items of any value up to n.
func extend[T any](s []T, n int) []T { return par.Extend(s, n) }
