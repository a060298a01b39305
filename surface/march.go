package surface

import (
	"math/bits"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Marching cubes over the blocks, in the manner of flying edges (Schroeder,
// Maynard and Geveci 2015): rows of nodes are classified as bits, crossed edges
// and triangles are counted, prefix sums give every row its place in the
// output, and all blocks write their part at once. A vertex has one number,
// which follows from its edge alone, so nothing is merged and the order does
// not depend on the threads.

// crossings holds the crossed edges of a block by the row of their lower node:
// bit x of cut[a] is the edge from node x along axis a.
type crossings struct {
	cut      [3][side * side]uint16
	start    [side * side]int32 // first vertex of the row: edges along x, then y, then z
	vertices int32
	tris     int32 // first triangle of the block
	count    int32 // triangles of the block
}

// insideRow returns the bits of row (y, z) of block b with the first node of
// the next block as bit 16. y and z may be side, one past the block.
func (g *grid) insideRow(b *block, y, z int) uint32 {
	over, row := y/side<<1|z/side<<2, z%side*side+y%side
	var m uint32
	if i := b.next[over]; i >= 0 {
		m = uint32(g.blocks[i].inside[row])
	}
	if i := b.next[over|1]; i >= 0 {
		m |= uint32(g.blocks[i].inside[row]) & 1 << side
	}
	return m
}

// classify finds the crossed edges of b and counts its triangles.
func (g *grid) classify(b *block) {
	b.vertices, b.count = 0, 0
	for z := range side {
		for y := range side {
			r := z*side + y
			m := [4]uint32{g.insideRow(b, y, z), g.insideRow(b, y+1, z), g.insideRow(b, y, z+1), g.insideRow(b, y+1, z+1)}
			b.cut[0][r] = uint16(m[0] ^ m[0]>>1)
			b.cut[1][r] = uint16(m[0] ^ m[1])
			b.cut[2][r] = uint16(m[0] ^ m[2])
			b.start[r] = b.vertices
			for a := range 3 {
				b.vertices += int32(bits.OnesCount16(b.cut[a][r]))
			}
			for live := crossedCubes(m); live != 0; live &= live - 1 {
				b.count += int32(len(cases[caseAt(m, bits.TrailingZeros32(live))]))
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
func caseAt(m [4]uint32, x int) uint32 {
	return m[0]>>x&3 | m[1]>>x&3<<2 | m[2]>>x&3<<4 | m[3]>>x&3<<6
}

// vertex returns the number of the vertex on the edge along axis a from a node
// of b, whose coordinates may be side, one past the block.
func (g *grid) vertex(b *block, x, y, z, a int) int32 {
	b = &g.blocks[b.next[x/side|y/side<<1|z/side<<2]]
	x, r := x%side, z%side*side+y%side
	v := b.start[r] + int32(bits.OnesCount16(b.cut[a][r]&(1<<x-1)))
	for k := range a {
		v += int32(bits.OnesCount16(b.cut[k][r]))
	}
	return v
}

// march makes the triangles and returns the edge under each vertex.
func (g *grid) march(dst *mesh.Mesh) []edge {
	par.Each(len(g.blocks), func(i int) { g.classify(&g.blocks[i]) })
	var vertices, tris int32
	for i := range g.blocks {
		b := &g.blocks[i]
		for r := range b.start {
			b.start[r] += vertices
		}
		b.tris = tris
		vertices, tris = vertices+b.vertices, tris+b.count
	}
	edges := make([]edge, vertices)
	dst.Tri = append(dst.Tri[:0], make([][3]int32, tris)...)
	par.Each(len(g.blocks), func(i int) {
		b := &g.blocks[i]
		if b.vertices > 0 {
			g.listEdges(b, int32(i), edges)
		}
		if b.count > 0 {
			g.listTriangles(b, dst.Tri[b.tris:b.tris+b.count])
		}
	})
	return edges
}

// edge is a crossed edge of the grid: along axis a from a node of a block.
type edge struct {
	block   int32
	x, y, z int8
	axis    int8
	up      bool // the lower node is inside, the upper one outside
}

func (g *grid) listEdges(b *block, index int32, edges []edge) {
	for r, v := range b.start {
		for a := range 3 {
			for m := b.cut[a][r]; m != 0; m &= m - 1 {
				x := bits.TrailingZeros16(m)
				edges[v] = edge{index, int8(x), int8(r % side), int8(r / side), int8(a), b.inside[r]>>x&1 != 0}
				v++
			}
		}
	}
}

func (g *grid) listTriangles(b *block, tris [][3]int32) {
	n := 0
	for z := range side {
		for y := range side {
			m := [4]uint32{g.insideRow(b, y, z), g.insideRow(b, y+1, z), g.insideRow(b, y, z+1), g.insideRow(b, y+1, z+1)}
			for live := crossedCubes(m); live != 0; live &= live - 1 {
				x := bits.TrailingZeros32(live)
				for _, t := range cases[caseAt(m, x)] {
					for k, e := range t {
						c := edgeEnds[e][0]
						tris[n][k] = g.vertex(b, x+c&1, y+c>>1&1, z+c>>2&1, int(e)/4)
					}
					n++
				}
			}
		}
	}
}

// end is one node of a crossed edge.
type end struct {
	b       *block
	x, y, z int
}

// ends returns the nodes of e, the one inside the liquid first.
func (g *grid) ends(e edge) (in, out end) {
	b := &g.blocks[e.block]
	in = end{b, int(e.x), int(e.y), int(e.z)}
	step := [3]int{}
	step[e.axis] = 1
	x, y, z := in.x+step[0], in.y+step[1], in.z+step[2]
	out = end{&g.blocks[b.next[x/side|y/side<<1|z/side<<2]], x % side, y % side, z % side}
	if !e.up {
		in, out = out, in
	}
	return in, out
}

// at returns the place of a node, and Σ V_j W there.
func (g *grid) at(n end) (vec.Vec3, float64) {
	return g.node(n.b, n.x, n.y, n.z), float64(n.b.f[(n.z*side+n.y)*side+n.x])
}
