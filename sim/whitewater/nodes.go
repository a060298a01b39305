package whitewater

import (
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// nodes are the liquid on a grid of nodes one spacing apart, in blocks where there is
// liquid: quadratic B-splines of the particles spread it, and reading is linear between
// the nodes.
type nodes struct {
	edge, inverse float64 // m, and 1 over it
	index         blockIndex
	value         []node // blockNodes for each block

	x, move, acc [][3]float32 // of the particles: position, way in the sub-step, acceleration
	key          []blockKey   // of the particles
	own          blockIndex   // the blocks of the particles
	start, order []int32
	number       []int32
	part         [][]blockKey
	spread       []spreadNode // spreadNodes for each block of own
}

// node is the liquid at a node.
type node struct {
	w    float32    // share of the volume that is liquid
	fill float32    // the same, of the volume outside walls
	v    [3]float32 // velocity, m/s: the way of the sub-step over its length
	a    [3]float32 // acceleration, m/s²
}

type spreadNode struct{ w, vx, vy, vz, ax, ay, az float32 }

const (
	blockSide   = blockEdge + 1 // nodes 0 … 8: the last are also the first of the next block
	blockNodes  = blockSide * blockSide * blockSide
	spreadSide  = blockEdge + 2 // nodes −1 … 8
	spreadNodes = spreadSide * spreadSide * spreadSide
)

// build spreads the particles of the flow as they are at the share s1 of the step. Their
// velocity is the way since the share s0.
func (g *nodes) build(w *Whitewater, s0, s1 float64) {
	g.particles(w, s0, s1)
	g.sort()
	g.scatter()
	g.gather(w)
}

// particles finds the positions and the blocks of the particles that are not airborne.
func (g *nodes) particles(w *Whitewater, s0, s1 float64) {
	f, s := &w.flow, &w.survey
	n := f.next.Len()
	g.x, g.move, g.acc = par.Resize(g.x, n), par.Resize(g.move, n), par.Resize(g.acc, n)
	g.key = par.Resize(g.key, n)
	inv := g.inverse
	rate := 1 / ((s1 - s0) * f.dt)
	const chunk = 4096
	g.part = par.Resize(g.part, (n+chunk-1)/chunk)
	par.Each(len(g.part), func(p int) {
		list := g.part[p][:0]
		last := noBlock
		for i := p * chunk; i < min(n, (p+1)*chunk); i++ {
			if s.airborne[i] { // its drops would land in it
				g.key[i] = noBlock
				continue
			}
			x := f.at(i, s1)
			cell := x.Mul(inv)
			if !within(cell) {
				g.key[i] = noBlock
				continue
			}
			g.x[i] = narrow(cell)
			g.move[i] = narrow(x.Sub(f.at(i, s0)).Mul(rate))
			g.acc[i] = narrow(f.acceleration(i))
			c := g.x[i]
			k, _ := keyOf(nearestNode(c[0])>>3, nearestNode(c[1])>>3, nearestNode(c[2])>>3)
			g.key[i] = k
			if k != last {
				list, last = append(list, k), k
			}
		}
		g.part[p] = compact(list)
	})
}

const noBlock = ^blockKey(0)

func nearestNode(x float32) int { return floorInt(float64(x) + 0.5) }

// sort sorts the particles by blocks.
func (g *nodes) sort() {
	keys := g.own.keys[:0]
	for _, list := range g.part {
		keys = append(keys, list...)
	}
	g.own.build(compact(keys))
	n := len(g.key)
	g.number = par.Resize(g.number, n)
	par.Each(len(g.part), func(p int) {
		const chunk = 4096
		last, at := noBlock, int32(-1)
		for i := p * chunk; i < min(n, (p+1)*chunk); i++ {
			if k := g.key[i]; k != last {
				last, at = k, -1
				if k != noBlock {
					at = g.own.find(k)
				}
			}
			g.number[i] = at
		}
	})
	g.start = slices.Grow(g.start[:0], len(g.own.keys)+1)[:len(g.own.keys)+1]
	clear(g.start)
	for _, b := range g.number {
		if b >= 0 {
			g.start[b+1]++
		}
	}
	for b := range g.own.keys {
		g.start[b+1] += g.start[b]
	}
	g.order = par.Resize(g.order, int(g.start[len(g.own.keys)]))
	for i, b := range g.number {
		if b >= 0 {
			g.order[g.start[b]] = int32(i)
			g.start[b]++
		}
	}
	copy(g.start[1:], g.start[:len(g.start)-1])
	g.start[0] = 0
}

// scatter adds the particles of each block to nodes of its own.
func (g *nodes) scatter() {
	blocks := len(g.own.keys)
	g.spread = par.Resize(g.spread, blocks*spreadNodes)
	par.Each(blocks, func(b int) {
		to := g.spread[b*spreadNodes : (b+1)*spreadNodes]
		clear(to)
		bx, by, bz := g.own.keys[b].coords()
		ox, oy, oz := bx*blockEdge-1, by*blockEdge-1, bz*blockEdge-1
		for _, i := range g.order[g.start[b]:g.start[b+1]] {
			x := &g.x[i]
			ix, iy, iz := nearestNode(x[0]), nearestNode(x[1]), nearestNode(x[2])
			wx, wy, wz := spline(x[0]-float32(ix)), spline(x[1]-float32(iy)), spline(x[2]-float32(iz))
			m, a := &g.move[i], &g.acc[i]
			base := ((iz-1-oz)*spreadSide+iy-1-oy)*spreadSide + ix - 1 - ox
			for kz, wz := range wz {
				for ky, wy := range wy {
					row := to[base+(kz*spreadSide+ky)*spreadSide:]
					row = row[:3]
					w := float32(wz * wy)
					for kx := range row {
						q, w := &row[kx], float32(w*wx[kx])
						q.w += w
						q.vx += float32(w * m[0])
						q.vy += float32(w * m[1])
						q.vz += float32(w * m[2])
						q.ax += float32(w * a[0])
						q.ay += float32(w * a[1])
						q.az += float32(w * a[2])
					}
				}
			}
		}
	})
}

// spline returns the weights of the quadratic B-spline at the nodes −1, 0 and 1, for a
// point f from node 0, |f| ≤ 1/2.
func spline(f float32) [3]float32 {
	return [3]float32{0.5 * (0.5 - f) * (0.5 - f), 0.75 - float32(f*f), 0.5 * (0.5 + f) * (0.5 + f)}
}

// gather adds up the nodes that several blocks have, and divides by what there is.
func (g *nodes) gather(w *Whitewater) {
	keys := g.index.keys[:0]
	for _, k := range g.own.keys {
		for z := -1; z <= 1; z++ {
			for y := -1; y <= 1; y++ {
				for x := -1; x <= 1; x++ {
					keys = append(keys, k.near(x, y, z))
				}
			}
		}
	}
	keys = compact(keys)
	// Blocks that nothing reaches are left out.
	reached := make([]bool, len(keys))
	par.Each(len(keys), func(b int) {
		var list [27]*[spreadNodes]spreadNode
		g.around(keys[b], &list)
		reached[b] = touched(&list)
	})
	n := 0
	for i, k := range keys {
		if reached[i] {
			keys[n] = k
			n++
		}
	}
	g.index.build(keys[:n])
	w.walls.cover(g.index.keys, g.edge)
	g.value = par.Resize(g.value, n*blockNodes)
	par.Each(n, func(b int) {
		var list [27]*[spreadNodes]spreadNode
		g.around(g.index.keys[b], &list)
		out := g.value[b*blockNodes : (b+1)*blockNodes]
		own, solid := list[13], w.walls.solid(b)
		for z := range blockSide {
			for y := range blockSide {
				inner := z > 0 && z < blockEdge-1 && y > 0 && y < blockEdge-1
				for x := range blockSide {
					var sum spreadNode
					if inner && x > 0 && x < blockEdge-1 { // of no other block
						if own != nil {
							sum = own[((z+1)*spreadSide+y+1)*spreadSide+x+1]
						}
					} else {
						sum = total(&list, x, y, z)
					}
					at := (z*blockSide+y)*blockSide + x
					q := &out[at]
					*q = node{w: sum.w, fill: sum.w}
					if sum.w > 0 {
						k := 1 / sum.w
						q.v = [3]float32{sum.vx * k, sum.vy * k, sum.vz * k}
						q.a = [3]float32{sum.ax * k, sum.ay * k, sum.az * k}
					}
					if solid != nil {
						q.fill /= max(1-solid[at], 0.1)
					}
				}
			}
		}
	})
}

// around finds the spread nodes of the blocks around k.
func (g *nodes) around(k blockKey, list *[27]*[spreadNodes]spreadNode) {
	at := 0
	for z := -1; z <= 1; z++ {
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				if b := g.own.find(k.near(x, y, z)); b >= 0 {
					list[at] = (*[spreadNodes]spreadNode)(g.spread[int(b)*spreadNodes:])
				}
				at++
			}
		}
	}
}

// shared are the blocks that have a node of the side 0 … 8: the offset of the block, and
// the node's index in it.
var shared = func() (list [blockSide][][2]int) {
	for l := range blockSide {
		for off := -1; off <= 1; off++ {
			if at := l - off*blockEdge + 1; at >= 0 && at < spreadSide {
				list[l] = append(list[l], [2]int{off, at})
			}
		}
	}
	return list
}()

// total adds up a node over the blocks that have it.
func total(list *[27]*[spreadNodes]spreadNode, x, y, z int) (sum spreadNode) {
	for _, cz := range shared[z] {
		for _, cy := range shared[y] {
			for _, cx := range shared[x] {
				b := list[((cz[0]+1)*3+cy[0]+1)*3+cx[0]+1]
				if b == nil {
					continue
				}
				q := &b[(cz[1]*spreadSide+cy[1])*spreadSide+cx[1]]
				sum.w += q.w
				sum.vx += q.vx
				sum.vy += q.vy
				sum.vz += q.vz
				sum.ax += q.ax
				sum.ay += q.ay
				sum.az += q.az
			}
		}
	}
	return sum
}

// touched reports whether a block has any liquid.
func touched(list *[27]*[spreadNodes]spreadNode) bool {
	if list[13] != nil {
		return true // it has particles of its own
	}
	for z := range blockSide {
		for y := range blockSide {
			for x := range blockSide {
				// Only nodes at the sides are reached from other blocks.
				if x > 0 && x < blockEdge-1 && y > 0 && y < blockEdge-1 && z > 0 && z < blockEdge-1 {
					continue
				}
				if total(list, x, y, z).w > 0 {
					return true
				}
			}
		}
	}
	return false
}

// sample is the liquid at a point.
type sample struct {
	w, fill float64
	v, a    vec.Vec3
	grad    vec.Vec3 // of fill, 1/m
}

// cursor remembers the block of the last point that was read.
type cursor struct {
	key   blockKey
	block int32
	valid bool
}

// at reads the liquid at x, and reports whether there is any.
func (g *nodes) at(x vec.Vec3, c *cursor, s *sample) bool {
	q := x.Mul(g.inverse)
	if !within(q) {
		return false
	}
	ix, iy, iz := floorInt(q.X), floorInt(q.Y), floorInt(q.Z)
	k, _ := keyOf(ix>>3, iy>>3, iz>>3)
	if !c.valid || c.key != k {
		*c = cursor{k, g.index.find(k), true}
	}
	if c.block < 0 {
		return false
	}
	b := (*[blockNodes]node)(g.value[int(c.block)*blockNodes:])
	at := ((iz&7)*blockSide+iy&7)*blockSide + ix&7
	fx, fy, fz := float32(q.X-float64(ix)), float32(q.Y-float64(iy)), float32(q.Z-float64(iz))
	ex, ey, ez := 1-fx, 1-fy, 1-fz
	var w, fill, gx, gy, gz float32
	var v, a [3]float32
	// Velocities are weighted by the liquid at the nodes, so that air does not slow it.
	corner := func(q *node, k, dx, dy, dz float32) {
		fill += float32(k * q.fill)
		gx += float32(dx * q.fill)
		gy += float32(dy * q.fill)
		gz += float32(dz * q.fill)
		k = float32(k * q.w)
		w += k
		v[0] += float32(k * q.v[0])
		v[1] += float32(k * q.v[1])
		v[2] += float32(k * q.v[2])
		a[0] += float32(k * q.a[0])
		a[1] += float32(k * q.a[1])
		a[2] += float32(k * q.a[2])
	}
	const up, back = blockSide, blockSide * blockSide
	corner(&b[at], float32(ex*ey*ez), float32(-ey*ez), float32(-ex*ez), float32(-ex*ey))
	corner(&b[at+1], float32(fx*ey*ez), float32(ey*ez), float32(-fx*ez), float32(-fx*ey))
	corner(&b[at+up], float32(ex*fy*ez), float32(-fy*ez), float32(ex*ez), float32(-ex*fy))
	corner(&b[at+up+1], float32(fx*fy*ez), float32(fy*ez), float32(fx*ez), float32(-fx*fy))
	corner(&b[at+back], float32(ex*ey*fz), float32(-ey*fz), float32(-ex*fz), float32(ex*ey))
	corner(&b[at+back+1], float32(fx*ey*fz), float32(ey*fz), float32(-fx*fz), float32(fx*ey))
	corner(&b[at+back+up], float32(ex*fy*fz), float32(-fy*fz), float32(ex*fz), float32(ex*fy))
	corner(&b[at+back+up+1], float32(fx*fy*fz), float32(fy*fz), float32(fx*fz), float32(fx*fy))
	if w <= 0 {
		return false
	}
	k1 := 1 / w
	s.w, s.fill = float64(w), float64(fill)
	s.v = vec.Vec3{X: float64(v[0] * k1), Y: float64(v[1] * k1), Z: float64(v[2] * k1)}
	s.a = vec.Vec3{X: float64(a[0] * k1), Y: float64(a[1] * k1), Z: float64(a[2] * k1)}
	s.grad = vec.Vec3{X: float64(float64(gx) * g.inverse), Y: float64(float64(gy) * g.inverse), Z: float64(float64(gz) * g.inverse)}
	return true
}
