package boundary

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// distGrid keeps the distances to a surface, and the depths that volumeMap finds, at
// the nodes of a lattice. Blocks of blockSide³ nodes are kept where the surface
// is near; elsewhere only the distances of the blocks' corners.
//
// Between nodes they are interpolated by cubic convolution (Keys, Cubic convolution
// interpolation for digital image processing, IEEE TASSP 29, 1981). It has a continuous
// gradient and reproduces linear functions, so a flat wall stays flat.
type distGrid struct {
	origin vec.Vec3
	cell   float64 // distance of the nodes, m
	dim    [3]int  // blocks along each axis
	block  []int32 // of each where its numbers begin in nodes, −1 for none
	corner []float32
	nodes  []float32 // of each block all distances, then both depths

	// The depths of a block are computed on first use, because no particle comes near
	// most blocks in a short run.
	faces  *facets
	shares *volumeMap
	found  []sync.Once // of each block that is kept

	low     []float32 // a lower bound of the distances in each block
	outside float64   // likewise outside the grid
}

// The values at a node, in m: its signed distance, and the distances from a plane with
// the same share and the same mirror image.
const (
	distField = iota
	solidField
	imageField
	numFields
)

const blockSide = 4

// MaxGridBytes bounds the memory of a grid of distances, and so its time. A caller that
// tries many walls, one after the other, lowers it.
var MaxGridBytes = 1 << 30

// newDistGrid tabulates the surface f from the depth of deep behind it to the
// distance of far before it. It fails if the surface crosses itself, or if the
// grid would be too large.
func newDistGrid(f *facets, n *volumeMap, cell, deep, far float64) (*distGrid, error) {
	box := f.bounds()
	if n.flat { // about the plane z = 0
		box.Min.Z, box.Max.Z = far, -far
	}
	box = box.Grow(far + float64(2*cell))
	g := &distGrid{origin: box.Min, cell: cell, faces: f, shares: n}
	size := box.Size()
	edge := cell * blockSide
	count := 1.
	for i, s := range [3]float64{size.X, size.Y, size.Z} {
		g.dim[i] = int(s/edge) + 2
		count *= float64(g.dim[i] + 1)
	}
	if count*8 > float64(MaxGridBytes) {
		return nil, fmt.Errorf("its distance grid has %.2g blocks: make the spacing larger or the shape smaller", count)
	}
	g.block = make([]int32, g.dim[0]*g.dim[1]*g.dim[2])
	g.corner = make([]float32, (g.dim[0]+1)*(g.dim[1]+1)*(g.dim[2]+1))
	regions := newGridRegions(g, f, deep, far)
	g.setCorners(f, regions)
	kept := g.keep(f, regions, deep, far)
	most := MaxGridBytes / 4
	if n := len(kept) * blockNodes * numFields; n > most {
		return nil, fmt.Errorf("its distance grid has %.2g numbers; expected at most %.2g: make the spacing larger or the shape smaller", float64(n), float64(most))
	}
	g.nodes = make([]float32, len(kept)*blockNodes*numFields)
	g.found = make([]sync.Once, len(kept))
	par.Each(len(kept), func(b int) {
		g.measure(f, kept[b], g.nodes[b*numFields*blockNodes:][:blockNodes])
	})
	g.bound(kept, regions, far)
	return g, g.check(kept)
}

// setCorners finds the distances of the blocks' corners. In regions far from the surface
// it interpolates between the distances at the regions' corners.
func (g *distGrid) setCorners(f *facets, regions *gridRegions) {
	edge := g.cell * blockSide
	rows := (g.dim[1] + 1) * (g.dim[2] + 1)
	par.Each(rows, func(r int) {
		j, k := r%(g.dim[1]+1), r/(g.dim[1]+1)
		for i := range g.dim[0] + 1 {
			at := g.cornerAt(i, j, k)
			if !regions.touches(i, j, k) {
				g.corner[at] = regions.between(i, j, k)
				continue
			}
			d, _ := f.dist(g.origin.Add(vec.New(float64(i), float64(j), float64(k)).Mul(edge)))
			g.corner[at] = float32(d)
		}
	})
}

// keep finds the blocks that are kept, and where their numbers begin.
func (g *distGrid) keep(f *facets, regions *gridRegions, deep, far float64) (kept [][3]int) {
	edge := float64(g.cell * blockSide)
	par.Each(g.dim[1]*g.dim[2], func(r int) {
		j, k := r%g.dim[1], r/g.dim[1]
		for i := range g.dim[0] {
			at := g.blockAt(i, j, k)
			g.block[at] = -1
			if !regions.near[regions.of(i, j, k)] {
				continue
			}
			// From a corner nothing in the block is farther than √3 edges.
			d, reach := float64(g.corner[g.cornerAt(i, j, k)]), float64(math.Sqrt(3)*edge)
			if d > -deep-reach && d < far+reach && g.holds(f, i, j, k, deep, far) {
				g.block[at] = 0
			}
		}
	})
	for k := range g.dim[2] {
		for j := range g.dim[1] {
			for i := range g.dim[0] {
				if at := g.blockAt(i, j, k); g.block[at] == 0 {
					g.block[at] = int32(len(kept) * numFields * blockNodes)
					kept = append(kept, [3]int{i, j, k})
				}
			}
		}
	}
	return kept
}

// fewFaces is up to how many faces are all looked at from each node of a block,
// rather than searched for anew from each.
const fewFaces = 64

// measure finds the distances of a block's nodes.
func (g *distGrid) measure(f *facets, block [3]int, dist []float32) {
	// The surface point nearest to a node is at most as far from the middle as the surface
	// is, plus twice the node's distance from the middle.
	middle := g.place(block, 0).Lerp(g.place(block, blockNodes-1), 0.5)
	d, _ := f.dist(middle)
	r := middle.Sub(g.place(block, 0)).Len()
	var some [4 * fewFaces]int32
	reach := (math.Abs(d) + float64(2*r)) * (1 + 1e-9)
	list := slices.DeleteFunc(f.within(some[:0], middle, reach), func(t int32) bool {
		at, _ := f.nearest(t, middle)
		return middle.Sub(at).Len() > reach
	})
	at := middle
	for i := range dist {
		x := g.place(block, i)
		most := math.Abs(d) + x.Sub(at).Len() // the distance changes by no more than the way
		if at = x; len(list) > fewFaces {
			d, _ = f.distUpTo(x, most)
		} else {
			c := closestWithin(most)
			c.look(f, list, x)
			d, _ = c.signed()
		}
		dist[i] = float32(d)
	}
}

// gridBlocks counts the blocks whose depths were found.
var gridBlocks atomic.Int64

// GridBlocks returns how many blocks of grids this process has prepared. A call that
// prepares some takes longer than the same call later.
func GridBlocks() int64 { return gridBlocks.Load() }

// find finds the depths of a block that is kept, whose numbers begin at from.
func (g *distGrid) find(block [3]int, from int32) {
	g.found[from/(numFields*blockNodes)].Do(func() {
		gridBlocks.Add(1)
		var list []int32
		for i := range int32(blockNodes) {
			x := g.place(block, int(i))
			const rounded = 1e-6 // more than the rounding of a distance to float32
			d, _ := g.faces.distUpTo(x, (1+rounded)*math.Abs(float64(g.nodes[from+distField*blockNodes+i])))
			var solid, image float64
			solid, image, list = g.shares.depths(g.faces, x, d, list)
			g.nodes[from+solidField*blockNodes+i] = float32(solid)
			g.nodes[from+imageField*blockNodes+i] = float32(image)
		}
	})
}

// bound sets low and outside, for a grid that reaches at least far beyond the solid.
func (g *distGrid) bound(kept [][3]int, regions *gridRegions, far float64) {
	if g.outside = far; g.corner[0] < 0 {
		g.outside = math.Inf(-1)
	}
	g.low = make([]float32, len(g.block))
	edge := g.cell * blockSide
	at := 0
	for k := range g.dim[2] {
		for j := range g.dim[1] {
			for i := range g.dim[0] {
				if r := regions.of(i, j, k); !regions.near[r] {
					g.low[at] = regions.low[r]
					at++
					continue
				}
				least := float32(math.Inf(1))
				for c := range 8 {
					least = min(least, g.corner[g.cornerAt(i+c&1, j+c>>1&1, k+c>>2)])
				}
				// The nearest corner is at most half a diagonal away.
				g.low[at] = least - float32(math.Sqrt(3)/2*edge)
				at++
			}
		}
	}
	for b, block := range kept {
		least := float32(math.Inf(1))
		for _, d := range g.nodes[b*numFields*blockNodes:][:blockNodes] {
			least = min(least, d)
		}
		// At the far sides the nearest of the block's own nodes is a cell away.
		at := g.blockAt(block[0], block[1], block[2])
		g.low[at] = max(g.low[at], least-float32(math.Sqrt(3)*g.cell))
	}
}

const blockNodes = blockSide * blockSide * blockSide

// place returns where node i of a block is.
func (g *distGrid) place(block [3]int, i int) vec.Vec3 {
	x := blockSide*block[0] + i%blockSide
	y := blockSide*block[1] + i/blockSide%blockSide
	z := blockSide*block[2] + i/(blockSide*blockSide)
	return g.origin.Add(vec.New(float64(x), float64(y), float64(z)).Mul(g.cell))
}

// holds reports whether the block may have points in the range.
func (g *distGrid) holds(f *facets, i, j, k int, deep, far float64) bool {
	edge := float64(g.cell * blockSide)
	d, _ := f.dist(g.origin.Add(vec.New(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5).Mul(edge)))
	reach := float64(math.Sqrt(3) / 2 * edge)
	return d > -deep-reach && d < far+reach
}

// check looks for neighbouring nodes whose distances differ by more than the nodes do.
// There a sign is wrong, as where a surface crosses itself.
func (g *distGrid) check(kept [][3]int) error {
	for b, block := range kept {
		for i := range blockNodes {
			if i%blockSide == 0 {
				continue
			}
			a, c := g.nodes[b*numFields*blockNodes+i-1], g.nodes[b*numFields*blockNodes+i]
			if math.Abs(float64(a-c)) > float64(1.01*g.cell)+float64(1e-6*math.Abs(float64(a))) {
				return fmt.Errorf("the surface intersects itself near %v", g.place(block, i))
			}
		}
	}
	return nil
}

func (g *distGrid) blockAt(i, j, k int) int  { return i + g.dim[0]*(j+g.dim[1]*k) }
func (g *distGrid) cornerAt(i, j, k int) int { return i + (g.dim[0]+1)*(j+(g.dim[1]+1)*k) }

// coarse returns the distance at a point given in blocks from the origin, and its
// gradient a block, from the corners of its block. Outside the grid it is the distance
// of the nearest point inside.
func (g *distGrid) coarse(q [3]float64) (d float64, grad [3]float64) {
	var c [3]int
	var u [3]float64
	for i := range q {
		p := max(0, min(q[i], float64(g.dim[i])))
		c[i] = min(int(p), g.dim[i]-1)
		u[i] = p - float64(c[i])
	}
	at := g.cornerAt(c[0], c[1], c[2])
	dy, dz := g.dim[0]+1, (g.dim[0]+1)*(g.dim[1]+1)
	v := func(i int) float64 { return float64(g.corner[at+i]) }
	a00, b00 := v(0), v(1)-v(0)
	a10, b10 := v(dy), v(dy+1)-v(dy)
	a01, b01 := v(dz), v(dz+1)-v(dz)
	a11, b11 := v(dy+dz), v(dy+dz+1)-v(dy+dz)
	x0, x1 := a00+float64(u[0]*b00), a10+float64(u[0]*b10)
	x2, x3 := a01+float64(u[0]*b01), a11+float64(u[0]*b11)
	lo, hi := x0+float64(u[1]*(x1-x0)), x2+float64(u[1]*(x3-x2))
	g0, g1 := b00+float64(u[1]*(b10-b00)), b01+float64(u[1]*(b11-b01))
	return lo + float64(u[2]*(hi-lo)), [3]float64{g0 + float64(u[2]*(g1-g0)), x1 - x0 + float64(u[2]*(x3-x2-x1+x0)), hi - lo}
}

// stencil is the 4³ nodes around a point, and their weights and slopes along
// each axis.
type stencil struct {
	node  [64]float32
	w, dw [3][4]float64
}

// gather fills s with a field around x and reports whether all of its nodes are
// kept.
func (g *distGrid) gather(s *stencil, x vec.Vec3, field int) bool {
	p := [3]float64{(x.X - g.origin.X) / g.cell, (x.Y - g.origin.Y) / g.cell, (x.Z - g.origin.Z) / g.cell}
	var first [3]int
	for i := range p {
		if !(p[i] >= 1 && p[i] < float64(g.dim[i]*blockSide-2)) {
			return false
		}
		c := int(p[i])
		first[i] = c - 1
		t := p[i] - float64(c)
		// Keys 1981 with a = −½.
		s.w[i] = [4]float64{t * (-0.5 + float64(t*(1-float64(0.5*t)))), 1 + float64(t*t*(-2.5+float64(1.5*t))), t * (0.5 + float64(t*(2-float64(1.5*t)))), t * t * (-0.5 + float64(0.5*t))}
		s.dw[i] = [4]float64{-0.5 + float64(t*(2-float64(1.5*t))), t * (-5 + float64(4.5*t)), 0.5 + float64(t*(4-float64(4.5*t))), t * (-1 + float64(1.5*t))}
	}
	// A stencil lies in up to two blocks along each axis: in the first of them
	// from within on.
	var block, within [3]int
	for i, c := range first {
		block[i], within[i] = c/blockSide, c%blockSide
	}
	var base [8]int32
	for i := range base {
		in := [3]int{i & 1, i >> 1 & 1, i >> 2}
		base[i] = -1
		if in[0] > within[0] || in[1] > within[1] || in[2] > within[2] {
			continue // not reached, since a block is as long as the stencil
		}
		at := [3]int{block[0] + in[0], block[1] + in[1], block[2] + in[2]}
		b := g.block[g.blockAt(at[0], at[1], at[2])]
		if b < 0 {
			return false
		}
		if field != distField {
			g.find(at, b)
		}
		base[i] = b + int32(field*blockNodes)
	}
	for k := range 4 {
		z := within[2] + k
		for j := range 4 {
			y := within[1] + j
			two := base[z/blockSide<<2|y/blockSide<<1:][:2]
			inner := blockSide * (y%blockSide + blockSide*(z%blockSide))
			row := (*[4]float32)(s.node[4*(j+4*k):])
			a := (*[4]float32)(g.nodes[int(two[0])+inner:])
			if within[0] == 0 {
				*row = *a
				continue
			}
			b := (*[4]float32)(g.nodes[int(two[1])+inner:])
			switch within[0] {
			case 1:
				*row = [4]float32{a[1], a[2], a[3], b[0]}
			case 2:
				*row = [4]float32{a[2], a[3], b[0], b[1]}
			case 3:
				*row = [4]float32{a[3], b[0], b[1], b[2]}
			}
		}
	}
	return true
}

// sum returns the interpolated value and its gradient a cell.
func (s *stencil) sum() (v float64, grad vec.Vec3) {
	w, dw := &s.w, &s.dw
	for k := range 4 {
		var sv, sx, sy float64
		for j := range 4 {
			n := (*[4]float32)(s.node[4*(j+4*k):])
			f0, f1, f2, f3 := float64(n[0]), float64(n[1]), float64(n[2]), float64(n[3])
			a := float64(w[0][0]*f0) + float64(w[0][1]*f1) + float64(w[0][2]*f2) + float64(w[0][3]*f3)
			sv += float64(w[1][j] * a)
			sx += float64(w[1][j] * (float64(dw[0][0]*f0) + float64(dw[0][1]*f1) + float64(dw[0][2]*f2) + float64(dw[0][3]*f3)))
			sy += float64(dw[1][j] * a)
		}
		v += float64(w[2][k] * sv)
		grad.X += float64(w[2][k] * sx)
		grad.Y += float64(w[2][k] * sy)
		grad.Z += float64(dw[2][k] * sv)
	}
	return v, grad
}

// beyond reports whether the distance at x is certainly more than d. The block's bounds
// prove it, or a distance of more than d+‖x−n‖ at a node n.
func (g *distGrid) beyond(x vec.Vec3, d float64) bool {
	p := x.Sub(g.origin).Mul(1 / g.cell)
	if !(p.X >= 0 && p.Y >= 0 && p.Z >= 0) {
		return g.outside > d
	}
	i, j, k := int(p.X), int(p.Y), int(p.Z)
	if i+1 >= g.dim[0]*blockSide || j+1 >= g.dim[1]*blockSide || k+1 >= g.dim[2]*blockSide {
		return g.outside > d
	}
	if float64(g.low[g.blockAt(i/blockSide, j/blockSide, k/blockSide)]) > d {
		return true
	}
	u := p.Sub(vec.New(float64(i), float64(j), float64(k)))
	for n := range 8 {
		a, b, c := n&1, n>>1&1, n>>2
		at := g.block[g.blockAt((i+a)/blockSide, (j+b)/blockSide, (k+c)/blockSide)]
		if at < 0 {
			continue
		}
		more := float64(g.nodes[int(at)+(i+a)%blockSide+blockSide*((j+b)%blockSide+blockSide*((k+c)%blockSide))]) - d
		off := u.Sub(vec.New(float64(a), float64(b), float64(c))).Mul(g.cell)
		if more > 0 && more*more > off.Dot(off) {
			return true
		}
	}
	return false
}

// distance returns the distance at x and its direction. Far from the surface
// it is rough.
func (g *distGrid) distance(x vec.Vec3) (float64, vec.Vec3) {
	var s stencil
	if g.gather(&s, x, distField) {
		d, grad := s.sum()
		return d, unitOr(grad)
	}
	edge := g.cell * blockSide
	q := x.Sub(g.origin).Mul(1 / edge)
	d, grad := g.coarse([3]float64{q.X, q.Y, q.Z})
	n := unitOr(vec.New(grad[0], grad[1], grad[2]))
	end := g.origin.Add(vec.New(float64(g.dim[0]), float64(g.dim[1]), float64(g.dim[2])).Mul(edge))
	if away := x.Sub(x.Max(g.origin).Min(end)); away != (vec.Vec3{}) {
		// Beyond the grid all is liquid, or all solid.
		l := away.Len()
		if d > 0 {
			return d + l, away.Unit()
		}
		return d - l, away.Unit().Neg()
	}
	return d, n
}

// unitOr returns v with the length 1, and up if it has none.
func unitOr(v vec.Vec3) vec.Vec3 {
	if u := v.Unit(); u != (vec.Vec3{}) {
		return u
	}
	return vec.New(0, 1, 0)
}

// depth returns the solid's or the image's distance of a plane at x and its
// gradient; ok is false where the surface is far.
func (g *distGrid) depth(x vec.Vec3, field int) (d float64, grad vec.Vec3, ok bool) {
	var s stencil
	if !g.gather(&s, x, field) {
		return 0, vec.Vec3{}, false
	}
	d, grad = s.sum()
	return d, grad.Mul(1 / g.cell), true
}
