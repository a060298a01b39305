package whitewater

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// voxels are sums over the parcels at the start of the motion, by cubes of about 3 cm,
// whatever the spacing. They also sort the parcels by block, which makes moving them
// several times as fast.
type voxels struct {
	edge    float64 // m
	side    int     // voxels along the edge of a block
	block   float64 // edge of a block, m
	inverse float64 // 1/block
	index   blockIndex
	value   []voxel
	number  []int32
	part    [][]blockKey
	start   []int32
}

// voxel is what a cube has.
type voxel struct {
	spray, foam float32    // volume, m³
	flux        [3]float32 // of the spray: volume times velocity, m⁴/s
}

// voxelSize is the aim for the edge of a voxel, m.
const voxelSize = 0.03

func (v *voxels) init(spacing float64) {
	v.block = blockEdge * spacing
	v.side = min(64, max(1, int(math.Round(v.block/voxelSize))))
	if v.block < voxelSize/2 { // many blocks in a voxel: the blocks of parcels are larger
		v.block = voxelSize
	}
	v.edge = v.block / float64(v.side)
	v.inverse = 1 / v.block
}

// build sorts the parcels by block and adds them up.
func (v *voxels) build(w *Whitewater) {
	p := &w.state.Parcels
	n := p.Len()
	key := par.Resize(w.tmp.u, n) // the keys, in memory that sorting needs later
	w.tmp.u = key
	v.number = par.Resize(v.number, n)
	const chunk = 4096
	v.part = par.Resize(v.part, (n+chunk-1)/chunk)
	par.Each(len(v.part), func(c int) {
		var list []blockKey
		last := noBlock
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			q := p.At(i).Mul(v.inverse)
			k, ok := keyOf(floorInt(q.X), floorInt(q.Y), floorInt(q.Z))
			if !ok || !within(q) {
				k = noBlock
			}
			key[i] = uint64(k)
			if k != last && k != noBlock {
				list, last = append(list, k), k
			}
		}
		v.part[c] = slices.Clone(compact(list)) // unsorted parcels make long lists of few blocks
	})
	keys := v.index.keys[:0]
	for _, list := range v.part {
		keys = append(keys, list...)
	}
	v.index.build(compact(keys))
	blocks := len(v.index.keys)
	par.Each(len(v.part), func(c int) {
		last, at := noBlock, int32(blocks)
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			if k := blockKey(key[i]); k != last {
				last, at = k, int32(blocks) // what has no block comes last
				if k != noBlock {
					at = v.index.find(k)
				}
			}
			v.number[i] = at
		}
	})
	v.start = slices.Grow(v.start[:0], blocks+2)[:blocks+2]
	clear(v.start)
	for _, b := range v.number {
		v.start[b+1]++
	}
	for b := range blocks + 1 {
		v.start[b+1] += v.start[b]
	}
	order := par.Resize(w.tmp.order, n)
	for i, b := range v.number {
		order[v.start[b]] = int32(i)
		v.start[b]++
	}
	copy(v.start[1:], v.start[:blocks+1])
	v.start[0] = 0
	w.tmp.order = order
	p.permute(&w.tmp)

	per := v.side * v.side * v.side
	v.value = par.Resize(v.value, blocks*per)
	clear(v.value)
	par.Each(blocks, func(b int) {
		for i := int(v.start[b]); i < int(v.start[b+1]); i++ {
			q := &v.value[b*per+v.cell(p.At(i), v.index.keys[b])]
			volume := float32(p.Volume(i))
			switch p.Kind[i].Kind() {
			case Spray:
				q.spray += volume
				for k, u := range p.V[i] {
					q.flux[k] += float32(volume * u)
				}
			case Foam:
				q.foam += volume
			}
		}
	})
}

// cell returns the number of the voxel of x in its block.
func (v *voxels) cell(x vec.Vec3, key blockKey) int {
	bx, by, bz := key.coords()
	at := func(x float64, b int) int {
		return max(0, min(v.side-1, int((x-float64(float64(b)*v.block))/v.edge)))
	}
	return (at(x.Z, bz)*v.side+at(x.Y, by))*v.side + at(x.X, bx)
}

// at returns the voxel of x, or nil if no parcel was in its block.
func (v *voxels) at(x vec.Vec3, c *cursor) *voxel {
	q := x.Mul(v.inverse)
	if !within(q) {
		return nil
	}
	k, _ := keyOf(floorInt(q.X), floorInt(q.Y), floorInt(q.Z))
	if !c.valid || c.key != k {
		*c = cursor{k, v.index.find(k), true}
	}
	if c.block < 0 {
		return nil
	}
	per := v.side * v.side * v.side
	return &v.value[int(c.block)*per+v.cell(x, k)]
}
