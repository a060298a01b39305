package surface

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/par"
	"breakwater/surface/mesh"
)

// TestSeams marches over a splash in a tank cube by cube, without blocks, from the values
// at the nodes. The blocks must give the same triangles with the same bits, also at the
// seams between them.
func TestSeams(t *testing.T) {
	longtest.NotShort(t)
	c := splash(3000)
	m := &sph{}
	m.Mesh = new(mesh.Mesh)
	if err := m.grid.place(c.X, 0.4*c.Spacing, 2*c.Spacing); err != nil {
		t.Fatal(err)
	}
	g, f := &m.grid, &m.field
	f.take(&c, g.origin)
	g.fill(f.x)
	par.Each(len(g.blocks), func(i int) { g.meet(g.blocks[i], f) })
	m.fill(g, f)
	const threshold = 0.6
	m.extract(threshold)
	got := triangles(m.Mesh)

	type node [3]int
	inside := func(n node) bool {
		b := g.find(n[0]/side, n[1]/side, n[2]/side)
		return b >= 0 && g.blocks[b].inside[n[2]%side*side+n[1]%side]>>(n[0]%side)&1 != 0
	}
	end := func(n node) end {
		b := g.find(n[0]/side, n[1]/side, n[2]/side)
		return end{b: g.blocks[b], block: b, row: int16(n[2]%side*side + n[1]%side), x: int16(n[0] % side)}
	}
	want := new(mesh.Mesh)
	alone := vertices{Mesh: new(mesh.Mesh)}
	alone.reserve(1, true)
	seams := 0
	for _, b := range g.blocks {
		// The cubes from the nodes before the block on, if no block has them.
		for k := range (side + 1) * (side + 1) * (side + 1) {
			first := node{b.at[0]*side + k%(side+1) - 1, b.at[1]*side + k/(side+1)%(side+1) - 1, b.at[2]*side + k/(side+1)/(side+1) - 1}
			inBlock := first[0]/side == b.at[0] && first[1]/side == b.at[1] && first[2]/side == b.at[2]
			if !inBlock && g.find(first[0]/side, first[1]/side, first[2]/side) >= 0 {
				continue
			}
			corner := func(c int) node { return node{first[0] + c&1, first[1] + c>>1&1, first[2] + c>>2&1} }
			set := 0
			for c := range 8 {
				if inside(corner(c)) {
					set |= 1 << c
				}
			}
			if set != 0 && !inBlock {
				t.Fatalf("a cube at %v has liquid, and no block", first)
			}
			odd := first[0]&1 | first[1]&1<<1 | first[2]&1<<2
			for _, tri := range cases[odd][set] {
				v := int32(len(want.Pos))
				for _, e := range tri {
					in, out := corner(edgeEnds[e][0]), corner(edgeEnds[e][1])
					if !inside(in) {
						in, out = out, in
					}
					for a := range 3 {
						if in[a]/side != out[a]/side {
							seams++
						}
					}
					alone.set(0, g, f, end(in), end(out), threshold)
					want.Pos = append(want.Pos, alone.Pos[0])
				}
				want.Tri = append(want.Tri, [3]int32{v, v + 1, v + 2})
			}
		}
	}
	if wanted := triangles(want); !slices.Equal(got, wanted) {
		t.Errorf("%d triangles, others than the %d found cube by cube", len(got), len(wanted))
	}
	if seams < 1000 {
		t.Errorf("only %d vertices lie between blocks", seams)
	}
}

// triangles returns the corners of all triangles, each from its least, in order.
func triangles(m *mesh.Mesh) (list [][9]float64) {
	for _, t := range m.Tri {
		least := [9]float64{math.Inf(1)}
		for k := range 3 {
			var tri [9]float64
			for i := range 3 {
				p := m.Pos[t[(k+i)%3]]
				tri[3*i], tri[3*i+1], tri[3*i+2] = p.X, p.Y, p.Z
			}
			if slices.Compare(tri[:], least[:]) < 0 {
				least = tri
			}
		}
		list = append(list, least)
	}
	slices.SortFunc(list, func(a, b [9]float64) int { return slices.Compare(a[:], b[:]) })
	return list
}
