package surface

// A cube of the grid has 8 corners and 12 edges. Corner c lies at (c&1, c>>1&1, c>>2&1).
// Edge 4a+s runs along axis a from the corner whose bits in the other two axes equal the
// bits of s: see edgeEnds.
//
// A case is a set of corners inside the liquid, bit c for corner c. cases holds its
// triangles as triples of edges, counter-clockwise seen from outside the liquid. It is
// the classic table of Lorensen and Cline 1987, derived instead of typed. On a face with
// two inside corners across a diagonal the two are kept apart, whatever the cube, so that
// cubes always agree on the face they share. A triangle's side lies within a face only
// where it is the outline of its loop. So the surface is closed and manifold for any
// values at the corners.
//
// A loop of four edges can be cut along two diagonals. The choice alternates from row to
// row of the grid. Flat surfaces, which would otherwise be squares all cut the same way,
// with angles of 45°, relax to rows that are shifted by half a cell, with angles of 53°.
// So there are eight tables, with bit a of the index for cubes at an odd place along axis
// a.
var cases = deriveCases()

// edgeEnds holds the two corners of each edge, the lower one first.
var edgeEnds = func() (ends [12][2]int) {
	for a := range 3 {
		u, v := (a+1)%3, (a+2)%3
		for s := range 4 {
			c := (s&1)<<u | (s>>1)<<v
			ends[4*a+s] = [2]int{c, c | 1<<a}
		}
	}
	return ends
}()

// cubeFaces holds the corners of each face, counter-clockwise seen from
// outside the cube.
var cubeFaces = func() (faces [6][4]int) {
	for a := range 3 {
		u, v := 1<<((a+1)%3), 1<<((a+2)%3)
		faces[2*a] = [4]int{0, v, u | v, u}
		faces[2*a+1] = [4]int{1 << a, 1<<a | u, 1<<a | u | v, 1<<a | v}
	}
	return faces
}()

// edgeBetween returns the edge with corners c and d.
func edgeBetween(c, d int) int8 {
	for e, ends := range edgeEnds {
		if ends == [2]int{min(c, d), max(c, d)} {
			return int8(e)
		}
	}
	panic("surface: no edge between these corners")
}

func deriveCases() (table [8][256][][3]int8) {
	for odd := range table {
		for inside := range table[odd] {
			for _, loop := range loops(inside) {
				if len(loop) == 4 && odd>>across(loop)&1 != 0 {
					loop = append(loop[1:], loop[0])
				}
				tris, ok := triangulate(loop)
				if !ok {
					panic("surface: a loop has no triangulation inside its cube")
				}
				table[odd][inside] = append(table[odd][inside], tris...)
			}
		}
	}
	return table
}

// across returns the axis along which the diagonals of a loop of four edges
// alternate. The edges run along one axis, and it is the next; or along two, and
// it is the third, in which the loop is one cell wide.
func across(loop []int8) int {
	a, b := int(loop[0]/4), int(loop[1]/4)
	for _, e := range loop[2:] {
		if int(e/4) != a {
			b = int(e / 4)
		}
	}
	if a == b {
		return (a + 1) % 3
	}
	return 3 - a - b
}

// loops returns the closed outlines of the surface on the faces of the cube,
// each as the edges it crosses.
func loops(inside int) (all [][]int8) {
	is := func(c int) bool { return inside>>c&1 != 0 }
	// Each run of inside corners around a face gives a segment, from the edge
	// where the run begins to the edge where it ends.
	var next [12]int8
	for e := range next {
		next[e] = -1
	}
	for _, f := range cubeFaces {
		for k := range f {
			if is(f[k]) || !is(f[(k+1)%4]) {
				continue // no run begins at the edge after corner k
			}
			end := k + 1
			for is(f[(end+1)%4]) {
				end++
			}
			next[edgeBetween(f[k], f[(k+1)%4])] = edgeBetween(f[end%4], f[(end+1)%4])
		}
	}
	for first := range int8(12) {
		var loop []int8
		for e := first; next[e] >= 0; {
			loop = append(loop, e)
			e, next[e] = next[e], -1
		}
		if loop != nil {
			all = append(all, loop)
		}
	}
	return all
}

// triangulate cuts the polygon of edge points into triangles whose inner sides
// do not lie in a face of the cube, if it can.
func triangulate(p []int8) ([][3]int8, bool) {
	if len(p) < 3 {
		return nil, true
	}
	n := len(p) - 1
	for k := 1; k < n; k++ { // the triangle on the side from p[0] to p[n]
		if k > 1 && shareFace(p[0], p[k]) || k < n-1 && shareFace(p[k], p[n]) {
			continue
		}
		left, okLeft := triangulate(p[:k+1])
		right, okRight := triangulate(p[k:])
		if okLeft && okRight {
			return append(append([][3]int8{{p[0], p[k], p[n]}}, left...), right...), true
		}
	}
	return nil, false
}

// shareFace reports whether two edges bound one face: a set of corners with a
// common coordinate.
func shareFace(e, f int8) bool {
	all, none := 7, 7
	for _, c := range [...]int{edgeEnds[e][0], edgeEnds[e][1], edgeEnds[f][0], edgeEnds[f][1]} {
		all, none = all&c, none&^c
	}
	return all|none != 0
}
