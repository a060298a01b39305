package grains

import "breakwater/sim/par"

const (
	brickSide  = nodeSide + 1 // nodes along a block, with the first of the next one
	brickNodes = brickSide * brickSide * brickSide
)

// field is an extinction at the nodes, 1/m, copied block by block. A ray in a block reads
// one copy and looks for no neighbour.
type field struct {
	brick [][brickNodes]float32
	some  []uint64 // by block: in which of the 4 × 4 × 4 boxes between its nodes there is any
}

// brickNumbers returns the numbers of the nodes in and around each block; −1 for those of
// no block and for those that nothing is about.
func (v *voxels) brickNumbers() [][brickNodes]int32 {
	list := make([][brickNodes]int32, len(v.g.place))
	par.Each(len(list), func(b int) {
		p := v.g.place[b]
		var near [8]int32 // the block, and the next ones along the axes
		for k := range near {
			near[k] = v.g.blockAt(int(p[0])+k&1, int(p[1])+k>>1&1, int(p[2])+k>>2)
		}
		at := 0
		for z := range brickSide {
			for y := range brickSide {
				for x := range brickSide {
					n := int32(-1)
					if c := near[z/nodeSide*4+y/nodeSide*2+x/nodeSide]; c >= 0 {
						n = c*nodes + int32((z%nodeSide*nodeSide+y%nodeSide)*nodeSide+x%nodeSide)
						if !v.filled(n) {
							n = -1
						}
					}
					list[b][at] = n
					at++
				}
			}
		}
	})
	return list
}

// fieldOf returns the field of the values that of gives to nodes.
func (v *voxels) fieldOf(of func(n int32) float32) field {
	f := field{brick: make([][brickNodes]float32, len(v.number)), some: make([]uint64, len(v.number))}
	par.Each(len(v.number), func(b int) {
		brick := &f.brick[b]
		for at, n := range &v.number[b] {
			if n >= 0 {
				brick[at] = of(n)
			}
		}
		for box := range uint(nodes) {
			at := brickAt(int(box%nodeSide), int(box/nodeSide%nodeSide), int(box/nodeSide/nodeSide))
			for _, o := range &corners {
				if brick[at+o] > 0 {
					f.some[b] |= 1 << box
					break
				}
			}
		}
	})
	return f
}

// brickAt returns the index of a node in a brick.
func brickAt(x, y, z int) int { return (z*brickSide+y)*brickSide + x }

// corners are the offsets in a brick of the eight nodes of a box, along x first.
var corners = func() (list [8]int) {
	for k := range list {
		list[k] = brickAt(k&1, k>>1&1, k>>2)
	}
	return list
}()

// march are equally spaced points on a ray in a block.
type march struct {
	x, d   [3]float64 // the next point, and the way to the one after it, in nodes from the block's first
	at     int        // of the box of the last point: its first node in a brick
	f      [3]float32 // where the last point is in its box, from 0 to 1
	length float64    // of the ray's part for each point, m
	n      int        // points left
}

// newMarch divides the part of a ray between two distances into parts about step long, in
// nodes. The points are in their middles.
func (v *voxels) newMarch(o, d *[3]float64, block int32, from, to, step float64) (m march) {
	inverse := 1 / v.step
	m.n = max(1, int((to-from)*inverse/step+0.5))
	m.length = (to - from) / float64(m.n)
	p := &v.g.place[block]
	for k := range 3 {
		m.x[k] = float64((o[k]+float64(d[k]*(from+float64(m.length/2))))*inverse) - float64(nodeSide*int(p[k]))
		m.d[k] = float64(d[k] * m.length * inverse)
	}
	return m
}

// next goes to the next point, and returns which box of the block it is in, as a bit.
func (m *march) next() (box uint64) {
	x, y, z := m.x[0], m.x[1], m.x[2]
	// At a border a point may be rounded out.
	i, j, k := min(nodeSide-1, max(0, int(x))), min(nodeSide-1, max(0, int(y))), min(nodeSide-1, max(0, int(z)))
	m.f = [3]float32{float32(x - float64(i)), float32(y - float64(j)), float32(z - float64(k))}
	m.at = brickAt(i, j, k)
	m.x = [3]float64{x + m.d[0], y + m.d[1], z + m.d[2]}
	m.n--
	return 1 << uint((k*nodeSide+j)*nodeSide+i)
}

// value returns the field at the last point, in the brick of the block.
func (m *march) value(brick *[brickNodes]float32) float64 {
	const up, back = brickSide, brickSide * brickSide
	b := brick[m.at:]
	b = b[:back+up+2]
	u, s, t := m.f[0], m.f[1], m.f[2]
	low := b[0] + float32(u*(b[1]-b[0]))
	high := b[up] + float32(u*(b[up+1]-b[up]))
	near := low + float32(s*(high-low))
	low = b[back] + float32(u*(b[back+1]-b[back]))
	high = b[back+up] + float32(u*(b[back+up+1]-b[back+up]))
	far := low + float32(s*(high-low))
	return float64(near + float32(t*(far-near)))
}

// shine returns the light at the last point, from the nodes that have some.
func (m *march) shine(lit []shine, numbers *[brickNodes]int32) (s shine) {
	u, v, t := m.f[0], m.f[1], m.f[2]
	e, f, g := 1-u, 1-v, 1-t
	w := [8]float32{e * f * g, u * f * g, e * v * g, u * v * g, e * f * t, u * f * t, e * v * t, u * v * t}
	var at [8]int32
	b := numbers[m.at:]
	for k, o := range &corners {
		at[k] = b[o]
	}
	mix(&s, lit, &at, &w)
	return s
}
