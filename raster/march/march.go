// Package march draws smoke and flames: media that dim, scatter and emit light, in a sparse
// grid of voxels.
//
// The light at a voxel is worked out once for a picture: the light of the sun by rays, and
// all other light by sweeps over a coarser grid. Rays then add up what the voxels send
// along them. Files:
//
//	march.go             voxels, and the bricks that rays read
//	walk.go              the bricks on a ray
//	gather.go            light and transmittance along a ray
//	light.go             the light at the voxels
//	sunlight.go          the light of the sun that reaches them
//	sunlight_planes.go   the same by planes between bricks, where depths are known
//	transport.go         light that is scattered many times
//	lamps.go             flames as lamps for what is around
//	phase.go             how smoke scatters
//	blackbody.go         the light of hot soot
//	puffs.go             voxels of particles
//	path.go              paths of photons, the reference
//	kernels.go           loops that are in assembly, by raster/march/gen, where the processor has AVX2
//
// Lengths are in metres, and radiance is linear with the Rec. 709 primaries.
package march

import (
	"fmt"
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Side is the number of voxels along an edge of a Leaf, and Count how many it has.
const (
	Side  = 8
	Count = Side * Side * Side
)

// Leaf is a cube of voxels. Number x·64 + y·8 + z has the coordinates (x, y, z) in it. The
// middle of a voxel is at the edge times its coordinates.
type Leaf struct {
	At         [3]int32       // coordinates of its first voxel, multiples of Side
	Extinction [Count]float32 // 1/m, 0 or more
	Glow       [][3]float32   // radiance that a metre emits, for each voxel; nil for none
}

// A brick is a leaf with the first voxels of its neighbours, so that the values between
// the voxels of two leaves come from one brick.
const (
	brickSide  = Side + 1
	brickNodes = brickSide * brickSide * brickSide
)

// Cloud is a medium ready to be drawn.
type Cloud struct {
	edge     float64  // of a voxel, m
	origin   vec.Vec3 // the middle of the voxel 0, 0, 0
	lo       [3]int   // of the bricks, in leaves
	n        [3]int   // bricks along the axes
	index    []int32  // number of the brick at a place, -1 for none
	at       [][3]int32
	sigma    [][brickNodes]float32    // extinction, 1/m
	lit      [][brickNodes][4]float32 // what a metre sends on: the sun's part, and red, green and blue of the rest
	highest  []float32                // extinction of a brick
	glow     [][][3]float32           // of the leaves, see Leaf
	phase    Phase
	sunColor vec.Vec3 // irradiance of the sun times albedo
	toSun    vec.Vec3
	albedo   vec.Vec3
	light    Light
	coarse   *coarse
}

// mostBricks bounds the number of places for bricks, lest two voxels far apart take all
// memory.
const mostBricks = 1 << 27

// New returns the medium of the leaves, whose voxels have the given edge in m. No two
// leaves have the same place. It fails if they are so far apart that they have no box in
// memory.
func New(leaves []Leaf, edge float64) (*Cloud, error) {
	c := &Cloud{edge: edge}
	if len(leaves) == 0 {
		return c, nil
	}
	lo, hi := [3]int{math.MaxInt, math.MaxInt, math.MaxInt}, [3]int{math.MinInt, math.MinInt, math.MinInt}
	for i := range leaves {
		for a, x := range leaves[i].At {
			lo[a], hi[a] = min(lo[a], int(x)/Side), max(hi[a], int(x)/Side)
		}
	}
	places := 1.0
	for a := range lo {
		lo[a]-- // values reach into the cells before the first voxels
		c.lo[a], c.n[a] = lo[a], hi[a]-lo[a]+1
		places *= float64(c.n[a])
	}
	if places > mostBricks {
		return nil, fmt.Errorf("the volume spans %d × %d × %d voxels of %g m, too many for the memory; remove voxels that are far from the rest, or take larger voxels", Side*c.n[0], Side*c.n[1], Side*c.n[2], edge)
	}
	leafAt := make([]int32, int(places))
	for i := range leafAt {
		leafAt[i] = -1
	}
	for i := range leaves {
		l := leaves[i].At
		leafAt[c.place(int(l[0])/Side-lo[0], int(l[1])/Side-lo[1], int(l[2])/Side-lo[2])] = int32(i)
	}
	c.build(leaves, leafAt)
	return c, nil
}

// MoveTo moves the medium: the middle of the voxel 0, 0, 0 comes to p. It must not be lit yet.
func (c *Cloud) MoveTo(p vec.Vec3) { c.origin = p }

// place returns the number of the brick place with the given coordinates from c.lo on.
func (c *Cloud) place(x, y, z int) int { return (x*c.n[1]+y)*c.n[2] + z }

// build fills the bricks.
func (c *Cloud) build(leaves []Leaf, leafAt []int32) {
	c.index = make([]int32, len(leafAt))
	var bricks [][brickNodes]float32
	full := make([]bool, len(leafAt))
	fill := func(p int, b *[brickNodes]float32) bool {
		x, y, z := p/(c.n[1]*c.n[2]), p/c.n[2]%c.n[1], p%c.n[2]
		any := false
		for k := range 8 {
			dx, dy, dz := k>>2, k>>1&1, k&1
			if x+dx >= c.n[0] || y+dy >= c.n[1] || z+dz >= c.n[2] {
				continue
			}
			i := leafAt[c.place(x+dx, y+dy, z+dz)]
			if i < 0 {
				continue
			}
			l := &leaves[i]
			nx, ny, nz := Side-(Side-1)*dx, Side-(Side-1)*dy, Side-(Side-1)*dz
			for u := range nx {
				for v := range ny {
					for w := range nz {
						n := u*64 + v*8 + w
						s := l.Extinction[n]
						any = any || s > 0 || l.Glow != nil && l.Glow[n] != [3]float32{}
						if b != nil {
							b[((u+Side*dx)*brickSide+v+Side*dy)*brickSide+w+Side*dz] = s
						}
					}
				}
			}
		}
		return any
	}
	par.For(len(leafAt), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			full[p] = fill(p, nil)
		}
	})
	var places []int
	for p, f := range full {
		c.index[p] = -1
		if !f {
			continue
		}
		c.index[p] = int32(len(places))
		places = append(places, p)
		x, y, z := p/(c.n[1]*c.n[2]), p/c.n[2]%c.n[1], p%c.n[2]
		c.at = append(c.at, [3]int32{int32(Side * (x + c.lo[0])), int32(Side * (y + c.lo[1])), int32(Side * (z + c.lo[2]))})
	}
	bricks = make([][brickNodes]float32, len(places))
	c.highest, c.glow = make([]float32, len(places)), make([][][3]float32, len(places))
	par.Each(len(places), func(i int) {
		fill(places[i], &bricks[i])
		for _, s := range &bricks[i] {
			c.highest[i] = max(c.highest[i], s)
		}
		if l := leafAt[places[i]]; l >= 0 {
			c.glow[i] = leaves[l].Glow
		}
	})
	c.sigma = bricks
}

// Empty reports whether there is nothing to draw.
func (c *Cloud) Empty() bool { return c == nil || len(c.at) == 0 }

// Bounds returns the box of all that the medium fills.
func (c *Cloud) Bounds() vec.Box {
	b := vec.Empty()
	for _, at := range c.at {
		b = b.Include(vec.New(float64(at[0]), float64(at[1]), float64(at[2])).Mul(c.edge).Add(c.origin))
		b = b.Include(vec.New(float64(at[0]+Side), float64(at[1]+Side), float64(at[2]+Side)).Mul(c.edge).Add(c.origin))
	}
	return b
}

// node returns the point of a node of brick i.
func (c *Cloud) node(i, x, y, z int) vec.Vec3 {
	at := &c.at[i]
	return vec.New(float64(int(at[0])+x), float64(int(at[1])+y), float64(int(at[2])+z)).Mul(c.edge).Add(c.origin)
}
