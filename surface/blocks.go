package surface

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// side is the number of cells along a block. A row of a block's nodes fits
// the bits of a uint16.
const side = 16

// block is a cube of side³ nodes of the grid. Node (x, y, z) of it has the
// place (z·side + y)·side + x in f, and bit x of row z·side + y in inside.
type block struct {
	at     [3]int    // block coordinates
	corner vec.Vec3  // of node (0, 0, 0), m
	near   bool      // a wall may be within the kernel's support of a node
	next   [8]int32  // block at (+1, +2, +4: x, y, z), −1 for none; next[0] is the block itself
	f      []float32 // Σ V_j W_j at the nodes
	inside [256]uint16
	crossings
}

// grid is the part of an endless grid of nodes, fixed to the world, that lies
// around a cloud. Lengths are in metres, relative to origin.
type grid struct {
	cell   float64
	h      float64  // support radius of the kernel
	origin vec.Vec3 // of all local coordinates, in the world
	keys   []uint64 // of blocks, ascending
	blocks []block
	homes  []home // blocks that hold particles, ascending by key
	order  []int32
}

// home is a block with the particles order[lo:hi] in it.
type home struct {
	key    uint64
	lo, hi int32
	box    vec.Box // of the particles, m
}

// Block coordinates are packed 21 bits each, z first, so that keys sort in
// z, y, x order. They are counted from three below the cloud: the kernel and a
// cell reach at most two blocks far, and the neighbours of those have a key too.
const (
	axisBits = 21
	below    = 3
)

func blockKey(x, y, z int) uint64 { return uint64(z)<<(2*axisBits) | uint64(y)<<axisBits | uint64(x) }

func blockAt(key uint64) [3]int {
	const mask = 1<<axisBits - 1
	return [3]int{int(key & mask), int(key >> axisBits & mask), int(key >> (2 * axisBits))}
}

// newGrid returns the grid of cells of the given edge for the particles x.
//
// Nodes stand in the middle of multiples of cell: people put walls at round
// coordinates, and a wall that runs between nodes is cut best. The origin is
// on a multiple of a block in the world, so that frames share their nodes.
func newGrid(x []vec.Vec3, cell, h float64) (*grid, error) {
	box := vec.Empty()
	for _, p := range x {
		box = box.Include(p)
	}
	width := side * cell
	if s := box.Size(); max(s.X, s.Y, s.Z) > width*(1<<axisBits-2*below-1) {
		return nil, fmt.Errorf("surface: the particles span %v m, more than %g m along an axis; drop what has flown away, or use a larger cell", s, width*(1<<axisBits-2*below-1))
	}
	start := func(x float64) float64 { return (math.Floor(x/width)-below)*width + cell/2 }
	return &grid{cell: cell, h: h, origin: vec.New(start(box.Min.X), start(box.Min.Y), start(box.Min.Z))}, nil
}

// fill sorts the particles, in local coordinates, into blocks and sets up
// the blocks that have a node in reach of a particle.
func (g *grid) fill(x []vec.Vec3) {
	g.sort(x)
	width := side * g.cell
	// One cell more than the kernel reaches: so a block that does not exist
	// never bounds a node inside the liquid.
	reach := g.h + g.cell
	active := map[uint64]bool{}
	for _, h := range g.homes {
		lo, hi := h.box.Min.Mul(1/width), h.box.Max.Mul(1/width)
		r := reach / width
		for bz := int(math.Floor(lo.Z - r)); bz <= int(hi.Z+r); bz++ {
			for by := int(math.Floor(lo.Y - r)); by <= int(hi.Y+r); by++ {
				for bx := int(math.Floor(lo.X - r)); bx <= int(hi.X+r); bx++ {
					active[blockKey(bx, by, bz)] = true
				}
			}
		}
	}
	g.keys = make([]uint64, 0, len(active))
	for k := range active {
		g.keys = append(g.keys, k)
	}
	slices.Sort(g.keys)
	g.blocks = make([]block, len(g.keys))
	par.For(len(g.keys), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b := &g.blocks[i]
			b.at = blockAt(g.keys[i])
			b.corner = vec.New(float64(b.at[0]), float64(b.at[1]), float64(b.at[2])).Mul(width)
			for o := range b.next {
				b.next[o] = g.find(b.at[0]+o&1, b.at[1]+o>>1&1, b.at[2]+o>>2&1)
			}
		}
	})
}

// find returns the index of a block, −1 if it does not exist.
func (g *grid) find(x, y, z int) int32 {
	if i, ok := slices.BinarySearch(g.keys, blockKey(x, y, z)); ok {
		return int32(i)
	}
	return -1
}

// sort makes homes and order by a counting sort.
func (g *grid) sort(x []vec.Vec3) {
	inv := 1 / (side * g.cell)
	of := make([]int32, len(x)) // home of each particle, in order of appearance
	index := map[uint64]int32{}
	var seen []home
	lastKey, lastHome := uint64(math.MaxUint64), int32(0)
	for i, p := range x {
		key := blockKey(int(p.X*inv), int(p.Y*inv), int(p.Z*inv))
		if key != lastKey {
			h, ok := index[key]
			if !ok {
				h = int32(len(seen))
				index[key] = h
				seen = append(seen, home{key: key, box: vec.Empty()})
			}
			lastKey, lastHome = key, h
		}
		of[i] = lastHome
		seen[lastHome].hi++
		seen[lastHome].box = seen[lastHome].box.Include(p)
	}
	g.homes = slices.Clone(seen)
	slices.SortFunc(g.homes, func(a, b home) int {
		if a.key < b.key {
			return -1
		}
		return 1
	})
	free := make([]int32, len(seen)) // next unused place in order
	var n int32
	for k := range g.homes {
		h := &g.homes[k]
		h.lo, h.hi, n = n, n+h.hi, n+h.hi
		free[index[h.key]] = h.lo
	}
	g.order = make([]int32, len(x))
	for i, h := range of {
		g.order[free[h]] = int32(i)
		free[h]++
	}
}

// around calls f with the particles whose kernels reach a node of b, in an
// order that does not depend on the threads.
func (g *grid) around(b *block, x []vec.Vec3, f func(i int32, x vec.Vec3)) {
	last := float64(side-1) * g.cell
	reach := vec.Box{Min: b.corner, Max: b.corner.Add(vec.New(last, last, last))}.Grow(g.h)
	for z := b.at[2] - 1; z <= b.at[2]+1; z++ {
		for y := b.at[1] - 1; y <= b.at[1]+1; y++ {
			k, _ := slices.BinarySearchFunc(g.homes, blockKey(b.at[0]-1, y, z), func(h home, key uint64) int {
				switch {
				case h.key < key:
					return -1
				case h.key > key:
					return 1
				}
				return 0
			})
			for ; k < len(g.homes) && g.homes[k].key <= blockKey(b.at[0]+1, y, z); k++ {
				if reach.Intersect(g.homes[k].box).IsEmpty() {
					continue
				}
				for _, i := range g.order[g.homes[k].lo:g.homes[k].hi] {
					if reach.Contains(x[i]) {
						f(i, x[i])
					}
				}
			}
		}
	}
}

// node returns the place of a node of b.
func (g *grid) node(b *block, x, y, z int) vec.Vec3 {
	return b.corner.Add(vec.New(float64(x), float64(y), float64(z)).Mul(g.cell))
}
