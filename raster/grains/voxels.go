package grains

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

const (
	nodeSide = side / 2 // nodes along a block: two cells are between two nodes
	nodes    = nodeSide * nodeSide * nodeSide
)

// voxels are the cloud's extinction and light on the nodes of the grid. Node (0, 0, 0) is
// at the world's origin. A block owns 4 × 4 × 4 nodes.
type voxels struct {
	g     *grid
	step  float64   // between two nodes, m
	sigma []float32 // extinction of the grains, 1/m
	mist  []float32 // of mist, bubbles among others and faint streaks, which are seen in the voxels alone; nil for none
	// hasFine is whether mist has bubbles or streaks, which have finer details.
	hasFine  bool
	number   [][brickNodes]int32 // of the nodes about each block
	all, fog field               // of sigma and mist together, and of mist
	lit      []shine
	// straight is the share of the extinction that takes light off its way for good: the
	// rest goes on almost straight.
	straight float64
}

// newVoxels spreads the cross-sections of the grains over the nodes by tents.
func newVoxels(g *grid, list []grain) *voxels {
	v := &voxels{g: g, step: 2 * g.cell, sigma: make([]float32, nodes*len(g.place))}
	scale := math.Pi / (v.step * v.step * v.step)
	add := func(to []float32, a *grain) {
		n := 1 + int(a.way.Len()/v.step)
		s := float32(a.n * a.r * a.r * scale / float64(n))
		a.places(v.step, func(x vec.Vec3) {
			at, w := v.about(x)
			for k, n := range at {
				to[n] += float32(w[k] * s)
			}
		})
	}
	addMist := func(reach float64) (some bool) {
		for i := range list {
			if a := &list[i]; a.reach == reach {
				some = true
				if v.mist == nil {
					v.mist = make([]float32, len(v.sigma))
				}
				add(v.mist, a)
			}
		}
		return some
	}
	for i := range list {
		if a := &list[i]; a.reach >= 0 {
			add(v.sigma, a)
		}
	}
	// What is softened more often comes first.
	addMist(misty)
	v.soften(mistSoftness - bubbleSoftness)
	fine := addMist(bubbly)
	v.soften(bubbleSoftness)
	v.hasFine = addMist(faint) || fine
	v.number = v.brickNumbers()
	v.all = v.fieldOf(v.total)
	if v.mist != nil {
		v.fog = v.fieldOf(func(n int32) float32 { return v.mist[n] })
	}
	return v
}

// mistSoftness is how often mist is softened: a parcel of mist is a puff without a border,
// some nodes wide. Bubbles among others are softened bubbleSoftness times: without, dense ones
// fill the boxes between nodes to their edges.
const (
	mistSoftness   = 3
	bubbleSoftness = 1
)

// softness returns how often a is softened.
func (a *grain) softness() int {
	switch a.reach {
	case misty:
		return mistSoftness
	case bubbly:
		return bubbleSoftness
	}
	return 0
}

// soften spreads mist, if there is any, to the next nodes, by a quarter along each axis, a number of
// times.
func (v *voxels) soften(times int) {
	if v.mist == nil {
		return
	}
	from := v.mist
	to := make([]float32, len(from))
	for range times {
		for axis := range 3 {
			par.Each(len(v.g.place), func(b int) {
				p := v.g.place[b]
				for n := b * nodes; n < (b+1)*nodes; n++ {
					at := [3]int{int(p[0])*nodeSide + n%nodeSide, int(p[1])*nodeSide + n/nodeSide%nodeSide, int(p[2])*nodeSide + n/nodeSide/nodeSide%nodeSide}
					sum := from[n]
					for _, way := range [2]int{-1, 1} {
						next := at
						next[axis] += way
						if m := v.node(next[0], next[1], next[2]); m >= 0 {
							sum += float32((from[m] - from[n]) / 4)
						}
					}
					to[n] = sum
				}
			})
			from, to = to, from
		}
	}
	v.mist = from
}

// about returns the eight nodes about p with the weights of its tents. A node of no block
// is −1.
func (v *voxels) about(p vec.Vec3) (at [8]int32, w [8]float32) {
	x, y, z := p.X/v.step, p.Y/v.step, p.Z/v.step
	fx, fy, fz := math.Floor(x), math.Floor(y), math.Floor(z)
	i, j, k := int(fx), int(fy), int(fz)
	u, s, t := float32(x-fx), float32(y-fy), float32(z-fz)
	bx, by, bz := floorDiv(i, nodeSide), floorDiv(j, nodeSide), floorDiv(k, nodeSide)
	i, j, k = i-nodeSide*bx, j-nodeSide*by, k-nodeSide*bz
	const last = nodeSide - 1
	if i < last && j < last && k < last {
		b := v.g.blockAt(bx, by, bz)
		if b < 0 {
			return [8]int32{-1, -1, -1, -1, -1, -1, -1, -1}, w
		}
		n := b*nodes + int32((k*nodeSide+j)*nodeSide+i)
		const y1, z1 = nodeSide, nodeSide * nodeSide
		at = [8]int32{n, n + 1, n + y1, n + y1 + 1, n + z1, n + z1 + 1, n + z1 + y1, n + z1 + y1 + 1}
	} else {
		for c := range 8 {
			at[c] = v.node(nodeSide*bx+i+c&1, nodeSide*by+j+c>>1&1, nodeSide*bz+k+c>>2)
		}
	}
	w = [8]float32{
		(1 - u) * (1 - s) * (1 - t), u * (1 - s) * (1 - t), (1 - u) * s * (1 - t), u * s * (1 - t),
		(1 - u) * (1 - s) * t, u * (1 - s) * t, (1 - u) * s * t, u * s * t,
	}
	return at, w
}

// node returns the number of the node (i, j, k), −1 if its block does not exist.
func (v *voxels) node(i, j, k int) int32 {
	b := v.g.blockAt(floorDiv(i, nodeSide), floorDiv(j, nodeSide), floorDiv(k, nodeSide))
	if b < 0 {
		return -1
	}
	const mask = nodeSide - 1
	return b*nodes + int32((k&mask*nodeSide+j&mask)*nodeSide+i&mask)
}

// nodePoint returns where node n is.
func (v *voxels) nodePoint(n int) vec.Vec3 {
	p := v.g.place[n/nodes]
	n %= nodes
	return vec.Vec3{
		X: float64(int(p[0])*nodeSide+n%nodeSide) * v.step,
		Y: float64(int(p[1])*nodeSide+n/nodeSide%nodeSide) * v.step,
		Z: float64(int(p[2])*nodeSide+n/nodeSide/nodeSide) * v.step,
	}
}

// foggyAt reports whether there is mist in a block.
func (v *voxels) foggyAt(block int32) bool { return v.mist != nil && v.fog.some[block] != 0 }

// shineAt returns the light at p, from the nodes that have some.
func (v *voxels) shineAt(of []shine, p vec.Vec3) (s shine) {
	at, w := v.about(p)
	for k, n := range at {
		if n >= 0 && !v.filled(n) {
			at[k] = -1
		}
	}
	mix(&s, of, &at, &w)
	return s
}

// filled reports whether anything is about node n.
func (v *voxels) filled(n int32) bool { return v.sigma[n] > 0 || v.mist != nil && v.mist[n] > 0 }

// total returns the extinction at node n.
func (v *voxels) total(n int32) float32 {
	if v.mist != nil {
		return v.sigma[n] + v.mist[n]
	}
	return v.sigma[n]
}

// Through returns the share of light that goes through the cloud along the unit direction d
// from o, between the distances t0 and t1, on a way so blurred that light which is turned a
// little counts as left.
func (v *voxels) Through(o, d vec.Vec3, t0, t1 float64) float64 {
	if x := v.Depth(o, d, t0, t1); x > 0 {
		return num.Exp(-v.straight * x)
	}
	return 1
}

// Depth returns the optical depth along the unit direction d from o, between the
// distances t0 and t1.
func (v *voxels) Depth(o, d vec.Vec3, t0, t1 float64) float64 {
	depth := 0.0
	p := newProbe(o, d)
	t0, t1 = v.g.within(&p, t0, t1)
	v.g.blocks(&p, t0, t1, func(block int32, from, to float64) bool {
		some, brick := v.all.some[block], &v.all.brick[block]
		if some == 0 {
			return true
		}
		sum := 0.0
		m := v.newMarch(&p.oa, &p.da, block, from, to, 1)
		for m.n > 0 {
			if box := m.next(); some&box != 0 {
				sum += m.value(brick)
			}
		}
		depth += float64(sum * m.length)
		return depth < opaque
	})
	return depth
}

// opaque is the optical depth behind which nothing is seen.
const opaque = 12
