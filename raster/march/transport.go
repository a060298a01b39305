package march

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// coarse is the medium on a dense grid of cells, for light that has been scattered before
// and light from all around. Its radiance in a number of directions is found by discrete
// ordinates (Lewis and Miller 1984, Computational methods of neutron transport, chapter
// 4): one sweep goes through the grid along each direction, and each sweep of all
// directions adds one more scattering.
type coarse struct {
	block    int    // voxels along the edge of a cell
	lo, n    [3]int // first cell, and cells along the axes, one of them beyond the medium on each side
	edge     float64
	sigma    []float32    // extinction of the similar medium, 1/m
	source   [][3]float32 // radiance that a metre sends out at the first time: of the sun's light, and glow
	sent     [][4]float32 // radiance that a metre sends out; the last number is 0
	incoming [][4]float32 // mean radiance over all directions; likewise
	albedo   [3]float32   // of the similar medium

	crossings []crossing
}

// newCoarse returns the coarse grid of c, whose voxels get the given share of the sun's
// light.
func (c *Cloud) newCoarse(sun [][Count]float32) *coarse {
	g := &coarse{block: 4}
	lo, hi := c.at[0], c.at[0]
	for _, at := range c.at {
		for a, x := range at {
			lo[a], hi[a] = min(lo[a], x), max(hi[a], x+Side)
		}
	}
	for {
		cells := 1
		for a := range g.lo {
			g.lo[a] = floorDiv(int(lo[a]), g.block) - 1
			g.n[a] = floorDiv(int(hi[a])-1, g.block) + 2 - g.lo[a]
			cells *= g.n[a]
		}
		if cells <= c.light.Effort.Cells || g.block >= 1<<20 {
			break
		}
		g.block *= 2
	}
	g.edge = float64(c.edge * float64(g.block))
	g.allocate()
	l := &c.light
	scale := float32(l.similar())
	for a, w := range l.Albedo.Array() {
		g.albedo[a] = max(0, 1-(1-float32(w))/scale)
	}
	share := 1 / float32(g.block*g.block*g.block)
	var first [3]float32
	for a, e := range l.Sun.Array() {
		first[a] = float32(e / (4 * math.Pi))
	}
	for i, at := range c.at {
		for m := range Count {
			x, y, z := m>>6, m>>3&7, m&7
			sigma := float32(c.sigma[i][(x*brickSide+y)*brickSide+z] * scale * share)
			glow := c.glow[i]
			if sigma == 0 && glow == nil {
				continue
			}
			k := g.cell(int(at[0])+x, int(at[1])+y, int(at[2])+z)
			g.sigma[k] += sigma
			for a := range first {
				g.source[k][a] += float32(sigma * g.albedo[a] * first[a] * sun[i][m])
				if glow != nil {
					g.source[k][a] += float32(glow[m][a] * share)
				}
			}
		}
	}
	return g
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// cell returns the number of the cell of a voxel.
func (g *coarse) cell(x, y, z int) int {
	return ((floorDiv(x, g.block)-g.lo[0])*g.n[1]+floorDiv(y, g.block)-g.lo[1])*g.n[2] + floorDiv(z, g.block) - g.lo[2]
}

// mean returns the mean radiance at a point, in voxels, linear between the middles of the
// cells.
func (g *coarse) mean(x, y, z float64) (sum [3]float32) {
	var i [3]int
	var f [3]float32
	for a, v := range [3]float64{x, y, z} {
		u := (v+0.5)/float64(g.block) - 0.5 - float64(g.lo[a])
		i[a] = min(g.n[a]-2, max(0, int(u)))
		f[a] = float32(min(1, max(0, u-float64(i[a]))))
	}
	k := (i[0]*g.n[1]+i[1])*g.n[2] + i[2]
	dx, dy := g.n[1]*g.n[2], g.n[2]
	for a := range sum {
		v := func(k int) float32 { return g.incoming[k][a] + float32(f[2]*(g.incoming[k+1][a]-g.incoming[k][a])) }
		p, q := v(k), v(k+dx)
		p += float32(f[1] * (v(k+dy) - p))
		q += float32(f[1] * (v(k+dx+dy) - q))
		sum[a] = p + float32(f[0]*(q-p))
	}
	return sum
}

// ordinate is a direction of light, and the part of the sphere around it that it stands
// for.
type ordinate struct {
	d     [3]float64
	share float64
	outer [3]float32 // radiance that comes from outside
}

// ordinates returns the directions of a level-symmetric set (Lewis and Miller 1984, table
// 4-1), with the light from around.
func ordinates(order int, around func(d vec.Vec3) vec.Vec3) []ordinate {
	var octant []ordinate
	add := func(share float64, x, y, z float64) {
		octant = append(octant, ordinate{d: [3]float64{x, y, z}, share: share})
	}
	switch order {
	case 2:
		const m = 0.5773503
		add(1, m, m, m)
	case 4:
		const m, n = 0.3500212, 0.8688903
		add(1./3, m, m, n)
		add(1./3, m, n, m)
		add(1./3, n, m, m)
	default:
		const l, m, n = 0.2666355, 0.6815076, 0.9261808
		add(0.1761263, l, l, n)
		add(0.1761263, l, n, l)
		add(0.1761263, n, l, l)
		add(0.1572071, l, m, m)
		add(0.1572071, m, l, m)
		add(0.1572071, m, m, l)
	}
	var all []ordinate
	total := 0.
	for k := range 8 {
		for _, o := range octant {
			for a := range o.d {
				if k>>a&1 != 0 {
					o.d[a] = -o.d[a]
				}
			}
			all = append(all, o)
			total += o.share
		}
	}
	for i := range all {
		all[i].share /= total
	}
	// Each direction gets the mean of the light from the directions that are closest to it.
	const samples = 2000
	sum, count := make([]vec.Vec3, len(all)), make([]float64, len(all))
	for i := range samples {
		y := 1 - 2*(float64(i)+0.5)/samples
		sin, cos := math.Sincos(2.399963229728653 * float64(i)) // the golden angle
		r := math.Sqrt(1 - float64(y*y))
		from := vec.New(r*cos, y, r*sin)
		best, most := 0, -2.
		for k := range all {
			if cos := -from.Dot(vec.New(all[k].d[0], all[k].d[1], all[k].d[2])); cos > most {
				best, most = k, cos
			}
		}
		sum[best], count[best] = sum[best].Add(around(from)), count[best]+1
	}
	for k := range all {
		for a, v := range sum[k].Mul(1 / count[k]).Array() {
			all[k].outer[a] = float32(v)
		}
	}
	return all
}

// coarser returns g with cells of twice the edge.
func (g *coarse) coarser() *coarse {
	h := &coarse{block: 2 * g.block, edge: float64(2 * g.edge), albedo: g.albedo}
	for a := range g.n {
		h.lo[a] = floorDiv(g.lo[a], 2)
		h.n[a] = max(2, floorDiv(g.lo[a]+g.n[a]-1, 2)+1-h.lo[a])
	}
	h.allocate()
	for x := range g.n[0] {
		for y := range g.n[1] {
			for z := range g.n[2] {
				k := (x*g.n[1]+y)*g.n[2] + z
				o := ((floorDiv(g.lo[0]+x, 2)-h.lo[0])*h.n[1]+floorDiv(g.lo[1]+y, 2)-h.lo[1])*h.n[2] + floorDiv(g.lo[2]+z, 2) - h.lo[2]
				h.sigma[o] += float32(g.sigma[k] / 8)
				for a, v := range g.source[k] {
					h.source[o][a] += float32(v / 8)
				}
			}
		}
	}
	return h
}

// allocate makes the arrays of g.
func (g *coarse) allocate() {
	cells := g.n[0] * g.n[1] * g.n[2]
	g.sigma, g.source = make([]float32, cells), make([][3]float32, cells)
	g.sent, g.incoming = make([][4]float32, cells), make([][4]float32, cells)
}

// guess sets the light that the cells send out from the mean radiance of h.
func (g *coarse) guess(h *coarse) {
	par.Each(g.n[0], func(x int) {
		for y := range g.n[1] {
			for z := range g.n[2] {
				k := (x*g.n[1]+y)*g.n[2] + z
				if g.sigma[k] == 0 {
					continue
				}
				middle := func(a, i int) float64 { return float64((float64(g.lo[a]+i)+0.5)*float64(g.block)) - 0.5 }
				for a, v := range h.mean(middle(0, x), middle(1, y), middle(2, z)) {
					g.sent[k][a] += float32(g.sigma[k] * g.albedo[a] * v)
				}
			}
		}
	})
}

// solve finds the mean radiance. It begins with the solution on cells of twice the edge,
// since a sweep carries light from scattering to scattering only. The light that a cell scatters into itself is
// found in closed form (Cannon 1973, approximate operator iteration).
func (g *coarse) solve(list []ordinate, sweeps int) {
	for k, v := range g.source {
		g.sent[k] = [4]float32{v[0], v[1], v[2]}
	}
	if max(g.n[0], g.n[1], g.n[2]) > 4 {
		h := g.coarser()
		h.solve(list, sweeps)
		g.guess(h)
	}
	free := make([]float32, len(g.sigma)) // share of a cell's light that leaves it
	par.For(len(free), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			if g.sigma[k] == 0 {
				continue
			}
			left := 0.0
			for _, o := range list {
				_, length := o.axis(g.edge)
				left += float64(o.share * num.Decay(float64(g.sigma[k])*length/2))
			}
			free[k] = float32(max(1e-5, left)) // a smaller share would leave the rounding errors
		}
	})
	for range sweeps {
		clear(g.incoming)
		for i := range list {
			g.sweep(&list[i])
		}
		change := par.Max(len(g.sent), 0, func(lo, hi int) float64 {
			most := 0.0
			for k := lo; k < hi; k++ {
				s := g.sigma[k]
				if s == 0 {
					continue
				}
				for a := range g.albedo {
					before := g.sent[k][a]
					next := float32(s*g.albedo[a]*g.incoming[k][a]) + g.source[k][a]
					now := before + (next-before)/(1-float32(g.albedo[a]*(1-free[k])))
					g.sent[k][a] = now
					most = max(most, math.Abs(float64(now-before))/math.Abs(float64(now)+1e-9))
				}
			}
			return most
		})
		if change < settled {
			break
		}
	}
}

// settled is the change of the light of a cell from one sweep to the next, as a share of
// it, at which the sweeps end: less than an 8-bit picture shows.
const settled = 5e-3

// axis returns the axis along which o is longest, and the length in m of its way from one
// slice of cells to the next.
func (o *ordinate) axis(edge float64) (a int, length float64) {
	for k := range o.d {
		if math.Abs(o.d[k]) > math.Abs(o.d[a]) {
			a = k
		}
	}
	return a, edge / math.Abs(o.d[a])
}

// rows is the number of rows of a slice that a worker takes at a time.
const rows = 8

// crossing is what half of the way through each cell does to light along directions that cross a
// slice of cells in the same length.
type crossing struct {
	length float64   // of the way through a slice, m
	left   []float32 // share of the light that comes through
	path   []float32 // over which a cell sends out light that leaves it, m
}

// crossing returns the crossing of the given length.
func (g *coarse) crossing(length float64) *crossing {
	for i := range g.crossings {
		if g.crossings[i].length == length {
			return &g.crossings[i]
		}
	}
	c := crossing{length, make([]float32, len(g.sigma)), make([]float32, len(g.sigma))}
	par.For(len(g.sigma), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			sigma, left, path := float64(g.sigma[k]), 1., length/2
			if sigma > 0 {
				tau := sigma * length / 2
				left = num.Decay(tau)
				if tau > 1e-4 {
					path = (1 - left) / sigma
				}
			}
			c.left[k], c.path[k] = float32(left), float32(path)
		}
	})
	g.crossings = append(g.crossings, c)
	return &g.crossings[len(g.crossings)-1]
}

// sweep follows the light along o from slice to slice of cells, and adds its share to the
// incoming light. Between the cells of a slice it is linear.
func (g *coarse) sweep(o *ordinate) {
	a, length := o.axis(g.edge)
	through := g.crossing(length)
	b, c := (a+1)%3, (a+2)%3
	stride := [3]int{g.n[1] * g.n[2], g.n[2], 1}
	nb, nc := g.n[b], g.n[c]
	wide := nc + 2 // the slices have the light from outside around them
	before, now := make([][4]float32, (nb+2)*wide), make([][4]float32, (nb+2)*wide)
	outer := [4]float32{o.outer[0], o.outer[1], o.outer[2]}
	for i := range before {
		before[i], now[i] = outer, outer
	}
	// Where the light was a slice ago, relative to a cell.
	ub, uc := -o.d[b]/math.Abs(o.d[a]), -o.d[c]/math.Abs(o.d[a])
	jb, jc := min(0, int(math.Floor(ub))), min(0, int(math.Floor(uc)))
	fb, fc := float32(ub-float64(jb)), float32(uc-float64(jc))
	weights := [4]float32{(1 - fb) * (1 - fc), (1 - fb) * fc, fb * (1 - fc), fb * fc}
	share := float32(o.share)
	for s := range g.n[a] {
		slice := s
		if o.d[a] < 0 {
			slice = g.n[a] - 1 - s
		}
		par.Each((nb+rows-1)/rows, func(part int) {
			for ib := part * rows; ib < min(nb, (part+1)*rows); ib++ {
				k := slice*stride[a] + ib*stride[b]
				near, far := before[(ib+jb+1)*wide+jc+1:][:nc+1], before[(ib+jb+2)*wide+jc+1:][:nc+1]
				sweepRow(now[(ib+1)*wide+1:][:nc], near, far, g.incoming[k:], g.sent[k:], through.left[k:], through.path[k:], stride[c], &weights, share)
			}
		})
		before, now = now, before
	}
}
