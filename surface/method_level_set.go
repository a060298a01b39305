package surface

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
	"breakwater/surface/simd"
)

func init() {
	Methods.Add("level-set", "distance from balls around the particles, filtered on the grid, as in VDB tools",
		"Museth 2013", func() Method { return &levelSet{meshing: defaults(), Radius: 1.4, Filter: 3} })
}

// levelSet meshes the zero of max_j (r − |x − x_j|), the signed distance of a union of
// balls. It is smoothed by passes of the binomial filter [1 2 1]/4 along each axis, as in
// Museth, VDB: high-resolution sparse volumes with dynamic topology, ACM Trans. Graph.
// 32, 2013, and its tools. A lattice with a flat side has the mean distance of 0.69
// spacings, 1.4 radii, from it.
//
// The filter erodes drops of one particle, and lets others merge, so its change of the
// unfiltered distance is bounded.
type levelSet struct {
	meshing
	Radius float64 `toml:"radius" unit:"particle radii" range:"[1, 2.5]" doc:"Radius of the balls."`
	Filter int     `toml:"filter" unit:"1" range:"[0, 20]" doc:"Filter passes over the grid."`

	mirrored
	raw  []simd.Block
	next []simd.Block
}

// Surface implements Method.
func (l *levelSet) Surface(dst *mesh.Mesh, cloud Cloud) error { return l.surface(dst, cloud, l) }

// outside is the distance that counts as far away, in spacings, and least is
// how far above the unfiltered distance less it the filtered one stays.
const (
	outside = -0.6
	worn    = 0.18
)

func (l *levelSet) fill(g *grid, f *field) {
	r := l.reach(f.spacing)
	l.take(f, r)
	par.Each(len(g.blocks), func(i int) {
		b := g.blocks[i]
		var square [len(simd.Block{})]float64
		for i := range square {
			square[i] = math.Inf(1)
		}
		l.scatter(g, b, r, func(_ int32, node int, _ vec.Vec3, r2 float64) { square[node] = min(square[node], r2) })
		for i, d2 := range square {
			b.f[i] = float32(max(outside, float64(l.Radius/2)-math.Sqrt(d2)/f.spacing))
		}
	})
	l.raw, l.next = resize(l.raw, len(g.blocks)), resize(l.next, len(g.blocks))
	for i, b := range g.blocks {
		l.raw[i] = b.f
	}
	for range l.Filter {
		par.Each(len(g.blocks), func(i int) { l.filter(g, i) })
		par.Each(len(g.blocks), func(i int) { g.blocks[i].f = l.next[i] })
	}
	par.Each(len(g.blocks), func(i int) {
		for k, v := range &l.raw[i] {
			g.blocks[i].f[k] = max(g.blocks[i].f[k], v-worn)
		}
	})
}

// filter makes one pass over block i.
func (l *levelSet) filter(g *grid, i int) {
	const n = side + 2 // with a margin on both sides
	var p, q [n * n * n]float32
	b := g.blocks[i]
	var around [27]int32
	for k := range around {
		around[k] = g.find(b.at[0]+k%3-1, b.at[1]+k/3%3-1, b.at[2]+k/9-1)
	}
	for z := range n {
		for y := range n {
			for x := range n {
				at := around[(z+side-1)/side*9+(y+side-1)/side*3+(x+side-1)/side]
				v := float32(outside)
				if at >= 0 {
					v = g.blocks[at].f[((z+side-1)%side*side+(y+side-1)%side)*side+(x+side-1)%side]
				}
				p[(z*n+y)*n+x] = v
			}
		}
	}
	from, to := &p, &q
	for _, step := range [...]int{1, n, n * n} {
		for k := step; k < n*n*n-step; k++ {
			to[k] = float32(0.25*(from[k-step]+from[k+step])) + float32(0.5*from[k])
		}
		from, to = to, from
	}
	for k := range l.next[i] {
		x, y, z := k%side+1, k/side%side+1, k/side/side+1
		l.next[i][k] = from[(z*n+y)*n+x]
	}
}
