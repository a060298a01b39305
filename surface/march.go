package surface

import (
	"math/bits"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Marching cubes over the blocks, in the manner of flying edges (Schroeder, Maynard and
// Geveci 2015). Rows of nodes are classified as bits, and crossed edges and triangles are
// counted. Prefix sums give every row its place in the output, and all blocks write their
// parts at once. A vertex has one number, which follows from its edge alone, so nothing
// is merged and the order does not depend on the threads.

// crossings holds the crossed edges of a block by the row of their lower node:
// bit x of crossed[a] is the edge from node x along axis a.
type crossings struct {
	crossed  [3][rows]uint16
	start    [rows]int32 // first vertex of the row: edges along x, then y, then z
	vertices int32
	tris     int32 // first triangle of the block
	count    int32 // triangles of the block
}

// margins are the nodes inside of a block and the first ones of the next: bit x
// of row z·(side+1) + y.
type margins [(side + 1) * (side + 1)]uint32

// rowsOf returns the margins of b, and whether any edge or cube of it is
// crossed.
func (g *grid) rowsOf(b *block, m *margins) bool {
	empty, full := true, true
	for _, i := range b.next {
		empty = empty && (i < 0 || g.blocks[i].empty)
		full = full && i >= 0 && g.blocks[i].full
	}
	if empty || full {
		return false
	}
	for over := range 4 { // the rows of b, and those beyond it in y, z and both
		lo, hi := b.next[2*over], b.next[2*over+1]
		ny, nz := side, side
		if over&1 != 0 {
			ny = 1
		}
		if over&2 != 0 {
			nz = 1
		}
		for z := range nz {
			for y := range ny {
				var row uint32
				if lo >= 0 {
					row = uint32(g.blocks[lo].inside[z*side+y])
				}
				if hi >= 0 {
					row |= uint32(g.blocks[hi].inside[z*side+y]) & 1 << side
				}
				m[(z+over>>1*side)*(side+1)+y+over&1*side] = row
			}
		}
	}
	return true
}

// around returns the four rows of nodes that bound the cubes of row (y, z).
func (m *margins) around(y, z int) [4]uint32 {
	r := z*(side+1) + y
	return [4]uint32{m[r], m[r+1], m[r+side+1], m[r+side+2]}
}

// classify finds the crossed edges of b and counts its triangles.
func (g *grid) classify(b *block) {
	b.vertices, b.count = 0, 0
	var all margins
	if !g.rowsOf(b, &all) {
		return
	}
	for z := range side {
		for y := range side {
			r := z*side + y
			m := all.around(y, z)
			b.crossed[0][r] = uint16(m[0] ^ m[0]>>1)
			b.crossed[1][r] = uint16(m[0] ^ m[1])
			b.crossed[2][r] = uint16(m[0] ^ m[2])
			b.start[r] = b.vertices
			for a := range 3 {
				b.vertices += int32(bits.OnesCount16(b.crossed[a][r]))
			}
			for live := crossedCubes(m); live != 0; live &= live - 1 {
				b.count += int32(len(cases[0][caseAt(m, bits.TrailingZeros32(live))]))
			}
		}
	}
}

// crossedCubes returns the cubes of a row, bit x for the cube from node x to
// x + 1, that have corners inside and corners outside.
func crossedCubes(m [4]uint32) uint32 {
	some, all := m[0]|m[1]|m[2]|m[3], m[0]&m[1]&m[2]&m[3]
	return (some | some>>1) &^ (all & (all >> 1)) & (1<<side - 1)
}

// caseAt returns the case of cube x of a row.
func caseAt(m [4]uint32, x int) uint32 { return m[0]>>x&3 | m[1]>>x&3<<2 | m[2]>>x&3<<4 | m[3]>>x&3<<6 }

// vertex returns the number of the vertex on the edge along axis a from a node
// of b, whose coordinates may be side, one past the block.
func (g *grid) vertex(b *block, x, y, z, a int) int32 {
	if over := x/side | y/side<<1 | z/side<<2; over != 0 {
		b = g.blocks[b.next[over]]
		x, y, z = x%side, y%side, z%side
	}
	r := z*side + y
	v := b.start[r] + int32(bits.OnesCount16(b.crossed[a][r]&(1<<x-1)))
	for k := range a {
		v += int32(bits.OnesCount16(b.crossed[k][r]))
	}
	return v
}

// march makes the triangles of s, and sets its vertices on the edges under them:
// see contact.go.
func (g *grid) march(s *vertices, f *field, liquid *parts, t float64) {
	par.Each(len(g.blocks), func(i int) { g.classify(g.blocks[i]) })
	var vertices, tris int32
	s.scratch.layers = s.scratch.layers[:0]
	for i, b := range g.blocks {
		if i == 0 || b.at[2] != g.blocks[i-1].at[2] {
			s.scratch.layers = append(s.scratch.layers, layer{int32(i), vertices})
		}
		if b.vertices > 0 {
			for r := range b.start {
				b.start[r] += vertices
			}
		}
		b.tris = tris
		vertices, tris = vertices+b.vertices, tris+b.count
	}
	s.scratch.layers = append(s.scratch.layers, layer{int32(len(g.blocks)), vertices})
	s.reserve(int(vertices), len(f.all) > 0)
	s.parts = liquid.n
	s.Tri = resize(s.Tri, int(tris))
	par.Each(len(g.blocks), func(i int) {
		b := g.blocks[i]
		if b.vertices > 0 {
			g.setVertices(s, b, int32(i), f, liquid, t)
		}
		if b.count > 0 {
			g.listTriangles(b, s.Tri[b.tris:b.tris+b.count])
		}
	})
}

// setVertices sets the vertices on the crossed edges of b, row by row.
func (g *grid) setVertices(s *vertices, b *block, index int32, f *field, liquid *parts, t float64) {
	for r, v := range b.start {
		for a := range 3 {
			m := b.crossed[a][r]
			if m == 0 {
				continue
			}
			// The row of the upper nodes.
			beyond, step := end{b, index, int16(r), 0}, 0
			switch {
			case a == 0:
				step = 1
			case a == 1 && r%side < side-1:
				beyond.row++
			case a == 1:
				beyond = end{block: b.next[2], row: int16(r - (side - 1))}
			case r < rows-side:
				beyond.row += side
			default:
				beyond = end{block: b.next[4], row: int16(r - (rows - side))}
			}
			if beyond.b == nil {
				beyond.b = g.blocks[beyond.block]
			}
			for ; m != 0; m &= m - 1 {
				x := bits.TrailingZeros16(m)
				in, out := end{b, index, int16(r), int16(x)}, beyond
				if out.x = int16(x + step); out.x == side {
					out = end{g.blocks[b.next[1]], b.next[1], int16(r), 0}
				}
				if b.inside[r]>>x&1 == 0 {
					in, out = out, in
				}
				s.part[v] = liquid.ofNode(in)
				s.set(v, g, f, in, out, t)
				v++
			}
		}
	}
}

func (g *grid) listTriangles(b *block, tris [][3]int32) {
	var all margins
	g.rowsOf(b, &all)
	n := 0
	for z := range side {
		for y := range side {
			m := all.around(y, z)
			for live := crossedCubes(m); live != 0; live &= live - 1 {
				x := bits.TrailingZeros32(live)
				var known [12]int32 // vertices of the cube's edges, +1
				for _, t := range cases[x&1|y&1<<1|z&1<<2][caseAt(m, x)] {
					for k, e := range t {
						if known[e] == 0 {
							c := edgeEnds[e][0]
							known[e] = 1 + g.vertex(b, x+c&1, y+c>>1&1, z+c>>2&1, int(e)/4)
						}
						tris[n][k] = known[e] - 1
					}
					n++
				}
			}
		}
	}
}

// end is one node of a crossed edge.
type end struct {
	b      *block
	block  int32
	row, x int16
}

// number returns a number that no other node near has.
func (n *end) number() uint32 { return uint32(n.block)<<12 | uint32(n.row)*side | uint32(n.x) }

// at returns the place of a node, and Σ V_j W there.
func (g *grid) at(n *end) (vec.Vec3, float64) {
	r, x := int(n.row), int(n.x)
	return g.node(n.b, x, r%side, r/side), float64(n.b.f[r*side+x])
}

// behind reports whether the node lies behind a wall.
func (n *end) behind() bool { return n.b.cut && n.b.clear[n.row]>>n.x&1 == 0 }
