package surface

import (
	"breakwater/sim/par"
	"breakwater/surface/mesh"
)

// corners is for walking over an oriented mesh while it changes. Corner 3t+k is the
// corner of triangle t at its vertex k, and also stands for the side from there to the
// next vertex. A removed triangle has vertices −1.
type corners struct {
	m    *mesh.Mesh
	twin []int32 // the corner whose side runs the other way, or −1
	at   []int32 // a corner at each vertex, −1 for one that is gone

	start, list []int32 // the corners at vertex v as built: list[start[v]:start[v+1]]
	to          []int32 // the vertex next to each corner of list
}

// next and last return the other corners of a triangle, in its order.
func next(h int32) int32 { return h - h%3 + (h+1)%3 }
func last(h int32) int32 { return h - h%3 + (h+2)%3 }

// vertex returns the vertex at a corner.
func (c *corners) vertex(h int32) int32 { return c.m.Tri[h/3][h%3] }

// around returns the next corner at h's vertex, counter-clockwise; the vertex
// must have triangles all around.
func (c *corners) around(h int32) int32 { return c.twin[last(h)] }

// step returns the vertex next to corner h, and the next corner at h's vertex, which is
// around(h).
func (c *corners) step(h int32) (to, around int32) {
	t := &c.m.Tri[h/3]
	switch h % 3 {
	case 0:
		return t[1], c.twin[h+2]
	case 1:
		return t[2], c.twin[h-1]
	}
	return t[0], c.twin[h-1]
}

// build finds the twins of all corners of m.
func (c *corners) build(m *mesh.Mesh) {
	c.m = m
	n := len(m.Pos)
	c.start, c.list = resize(c.start, n+1), resize(c.list, 3*len(m.Tri))
	m.ListCorners(c.start, c.list, 0, 0)
	c.twin, c.at, c.to = resize(c.twin, 3*len(m.Tri)), resize(c.at, n), resize(c.to, 3*len(m.Tri))
	par.For(len(c.list), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			c.to[k] = c.vertex(next(c.list[k]))
		}
	})
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			first, end := c.start[v], c.start[v+1]
			c.at[v] = c.list[first]
			for k := first; k < end; k++ {
				h, u := c.list[k], c.to[k]
				c.twin[h] = -1
				for o := c.start[u]; o < c.start[u+1]; o++ {
					if c.to[o] == int32(v) {
						c.twin[h] = c.list[o]
						break
					}
				}
			}
		}
	})
}

// valence returns the number of triangles around v.
func (c *corners) valence(v int32) int {
	n := 0
	for h := c.at[v]; ; {
		n++
		if h = c.around(h); h == c.at[v] {
			return n
		}
	}
}

// beside reports whether a side runs between u and v.
func (c *corners) beside(u, v int32) bool {
	for h := c.at[u]; ; {
		var to int32
		if to, h = c.step(h); to == v {
			return true
		}
		if h == c.at[u] {
			return false
		}
	}
}

// collapsible reports whether the mesh stays closed and manifold if the ends of side h
// are merged. They must have no common neighbours apart from the two triangles at the
// side, and enough triangles must remain around them.
func (c *corners) collapsible(h int32) bool {
	a, b := c.vertex(h), c.vertex(next(h))
	left, right := c.vertex(last(h)), c.vertex(last(c.twin[h]))
	n := 0
	for k := c.at[b]; ; {
		n++
		var u int32
		if u, k = c.step(k); u != a && u != left && u != right && c.beside(a, u) {
			return false
		}
		if k == c.at[b] {
			break
		}
	}
	return n+c.valence(a) >= 7+1 && c.valence(left) > 3 && c.valence(right) > 3
}

// collapse makes the vertex at the end of side h one with that at its start.
func (c *corners) collapse(h int32) {
	a, b := c.vertex(h), c.vertex(next(h))
	for k := c.at[b]; ; {
		c.m.Tri[k/3][k%3] = a
		if k = c.around(k); k == c.at[b] {
			break
		}
	}
	for _, h := range [...]int32{h, c.twin[h]} {
		in, out := c.twin[next(h)], c.twin[last(h)]
		// One of the two ends of the side was a, and the other is now.
		c.twin[in], c.twin[out] = out, in
		c.at[c.vertex(in)], c.at[c.vertex(out)] = in, out
		c.m.Tri[h/3] = [3]int32{-1, -1, -1}
	}
	c.at[b] = -1
}

// flip turns the side h to run between the two vertices opposite it.
func (c *corners) flip(h int32) {
	o := c.twin[h]
	hn, hl, on, ol := next(h), last(h), next(o), last(o)
	a, b := c.vertex(h), c.vertex(hn)
	left, right := c.vertex(hl), c.vertex(ol)
	// (a, b, left) and (b, a, right) become (a, right, left), (b, left, right)
	// at the same places: corner h keeps a, and o keeps b.
	c.m.Tri[h/3][hn%3] = right
	c.m.Tri[o/3][on%3] = left
	in, out := c.twin[on], c.twin[hn] // of the sides a→right and b→left
	c.pair(h, in)
	c.pair(o, out)
	c.pair(hn, on)
	c.at[a], c.at[b], c.at[left], c.at[right] = h, o, hl, ol
}

func (c *corners) pair(h, o int32) { c.twin[h], c.twin[o] = o, h }
