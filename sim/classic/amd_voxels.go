package classic

import (
	"slices"
	"sort"

	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// voxels are the first half of the pipeline of Heirich, Smoothed Particle
// Hydrodynamics, 2010, stage by stage as its kernels are named: from particles to
// the neighbours of each. All of it is in units of the simulation, but for the
// distances of the map, which are in metres. After sortPostPass a particle's
// number is its place in the order of voxels.
type voxels struct {
	h    float64 // support radius, units
	most int     // neighbours a particle may have

	min  vec.Vec3 // corner of the grid
	edge float64  // of a voxel: twice h, or more
	n    [3]int

	id     []uint32 // voxel of each particle
	serial []int32  // number of each before the sort
	pos    []vec.Vec3
	first  []int32 // of each voxel: its first particle; at last how many there are
	near   []int32 // the map: most entries per particle, −1 for none
	dist   []float64

	order, tmp []int32
}

// unit is the simulation scale: metres a unit.
const unit = 0.004

// mostVoxels bounds the grid, in which a lone drop far away would make a great many.
const mostVoxels = 1 << 22

// clearBuffers empties the map for n particles.
func (v *voxels) clearBuffers(n int) {
	v.near = slices.Grow(v.near[:0], n*v.most)[:n*v.most]
	v.dist = slices.Grow(v.dist[:0], n*v.most)[:n*v.most]
	par.For(n, func(lo, hi int) {
		for k := lo * v.most; k < hi*v.most; k++ {
			v.near[k], v.dist[k] = -1, -1
		}
	})
}

// hashParticles sets the voxel of each particle. The original's grid fills a box with a
// corner at 0; this one bounds the particles.
func (v *voxels) hashParticles(x []vec.Vec3) {
	v.pos = slices.Grow(v.pos[:0], len(x))[:len(x)]
	v.id = slices.Grow(v.id[:0], len(x))[:len(x)]
	v.serial = slices.Grow(v.serial[:0], len(x))[:len(x)]
	box := vec.Empty()
	for i := range x {
		v.pos[i] = x[i].Mul(1 / unit)
		box = box.Include(v.pos[i])
	}
	v.min = box.Min
	size := box.Size()
	for v.edge = 2 * v.h; ; v.edge *= 2 {
		count := 1.
		for a, s := range [3]float64{size.X, size.Y, size.Z} {
			cells := 1 + s/v.edge
			count *= cells
			v.n[a] = int(min(cells, mostVoxels))
		}
		if count <= mostVoxels {
			break
		}
	}
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c := v.voxel(v.pos[i])
			v.id[i] = uint32(c[0] + v.n[0]*(c[1]+v.n[1]*c[2]))
			v.serial[i] = int32(i)
		}
	})
}

// voxel returns the numbers of the voxel that holds p.
func (v *voxels) voxel(p vec.Vec3) (c [3]int) {
	d := p.Sub(v.min)
	for a, t := range [3]float64{d.X, d.Y, d.Z} {
		c[a] = min(int(t/v.edge), v.n[a]-1)
	}
	return c
}

// sort puts serial in the order of the voxels by a radix sort, least digit first.
// It is stable, so that the same particles always come out in the same order.
func (v *voxels) sort() {
	v.tmp = slices.Grow(v.tmp[:0], len(v.serial))[:len(v.serial)]
	for shift := 0; (v.n[0]*v.n[1]*v.n[2]-1)>>shift > 0; shift += 8 {
		var start [257]int32
		for _, s := range v.serial {
			start[v.id[s]>>shift&255+1]++
		}
		for b := range 256 {
			start[b+1] += start[b]
		}
		for _, s := range v.serial {
			b := v.id[s] >> shift & 255
			v.tmp[start[b]] = s
			start[b]++
		}
		v.serial, v.tmp = v.tmp, v.serial
	}
}

// sortPostPass puts the particles themselves in the order of the voxels.
func (v *voxels) sortPostPass(set *particle.Set, scratch *particle.Scratch) {
	v.order = append(v.order[:0], v.serial...)
	set.Permute(v.order, scratch)
	ids := make([]uint32, len(v.id))
	for i, s := range v.serial {
		ids[i] = v.id[s]
		v.pos[i] = set.X[i].Mul(1 / unit)
	}
	v.id = ids
}

// index finds the first particle of each voxel by binary search: −1 for an empty voxel,
// and finally the number of particles.
func (v *voxels) index() {
	count := v.n[0] * v.n[1] * v.n[2]
	v.first = slices.Grow(v.first[:0], count+1)[:count+1]
	par.For(count, func(lo, hi int) {
		for c := lo; c < hi; c++ {
			i := sort.Search(len(v.id), func(i int) bool { return v.id[i] >= uint32(c) })
			if v.first[c] = -1; i < len(v.id) && v.id[i] == uint32(c) {
				v.first[c] = int32(i)
			}
		}
	})
	v.first[count] = int32(len(v.id))
}

// indexPostPass gives an empty voxel the start of the next, so that each ends
// where the next begins.
func (v *voxels) indexPostPass() {
	for c := len(v.first) - 2; c >= 0; c-- {
		if v.first[c] < 0 {
			v.first[c] = v.first[c+1]
		}
	}
}

// walk says how the particles of a voxel are gone through.
type walk struct {
	random    bool // from a place that looks random
	alternate bool // backwards for even particles
	short     bool // one candidate short, as in the code published
}

// findNeighbors fills the map. For each particle it stores the first neighbours it finds,
// in the particle's own voxel and in the 2×2×2 voxels on its side.
func (v *voxels) findNeighbors(by walk) {
	par.For(len(v.pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v.findFor(int32(i), by)
		}
	})
}

func (v *voxels) findFor(i int32, by walk) {
	p := v.pos[i]
	own := v.voxel(p)
	var side [3]int
	d := p.Sub(v.min).Sub(vec.New(float64(own[0]), float64(own[1]), float64(own[2])).Mul(v.edge))
	for a, t := range [3]float64{d.X, d.Y, d.Z} {
		if side[a] = 1; t < v.edge/2 {
			side[a] = -1
		}
	}
	found := v.near[int(i)*v.most:][:0:v.most]
	dist := v.dist[int(i)*v.most:]
	// Own, x, y, z, xy, xz, yz, xyz.
	for _, o := range [8][3]int{{}, {1}, {0, 1}, {0, 0, 1}, {1, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}} {
		var c [3]int
		inside := true
		for a := range c {
			c[a] = own[a] + o[a]*side[a]
			inside = inside && c[a] >= 0 && c[a] < v.n[a]
		}
		if !inside {
			continue // where the original runs over into another row
		}
		cell := c[0] + v.n[0]*(c[1]+v.n[1]*c[2])
		base := v.first[cell]
		count := v.first[cell+1] - base
		if count == 0 {
			continue
		}
		at, step := int32(0), int32(1)
		if by.random {
			// Of Press et al., Numerical Recipes, "quick and dirty" generators.
			at = int32((1664525*uint32(base+i) + 1013904223) % 32768 % uint32(count))
		}
		if by.alternate && i%2 == 0 {
			step = -1
		}
		looks := count
		if by.short {
			looks--
		}
		for range looks {
			j := base + at
			if at += step; at < 0 {
				at = count - 1
			} else if at == count {
				at = 0
			}
			if j == i {
				continue
			}
			if r := p.Sub(v.pos[j]).Len(); r <= v.h {
				dist[len(found)] = r * unit
				if found = append(found, j); len(found) == v.most {
					return
				}
			}
		}
	}
}

// of returns the neighbours of particle i and how far they are, in metres.
func (v *voxels) of(i int) (near []int32, dist []float64) {
	near, dist = v.near[i*v.most:(i+1)*v.most], v.dist[i*v.most:(i+1)*v.most]
	n := 0
	for n < len(near) && near[n] >= 0 {
		n++
	}
	return near[:n], dist[:n]
}
