package mesh

import (
	"fmt"
	"math"

	"breakwater/sim/vec"
)

// Box returns the surface of b, closed and outward, with edges bevelled by
// one two-hundredth of the shortest side. Each face has corners of its own,
// so that it is shaded flat. It panics if b has no volume.
func Box(b vec.Box) *Mesh {
	if !(b.Volume() > 0) {
		panic(fmt.Sprintf("mesh: box %v has no volume", b))
	}
	size := b.Size()
	bevel := min(size.X, size.Y, size.Z) / 200
	outer, inner := corners(b), corners(b.Grow(-bevel))
	m := new(Mesh)
	// Vertex 3c+a is corner c's on the face with normal along axis a: in that
	// axis it lies on the box itself, in the others it stands back.
	for c := range 8 {
		for a := range 3 {
			p := axes(inner[c])
			p[a] = axes(outer[c])[a]
			var n [3]float64
			n[a] = float64(2*(c>>a&1) - 1)
			m.Pos = append(m.Pos, vec.New(p[0], p[1], p[2]))
			m.Nrm = append(m.Nrm, vec.New(n[0], n[1], n[2]))
		}
	}
	// A bit of the corner is a side: the loops below are outward on the high
	// side of axis a and turned round on the low one.
	add := func(outward bool, loop ...int) {
		for k := 1; k+1 < len(loop); k++ {
			t := [3]int32{int32(loop[0]), int32(loop[k]), int32(loop[k+1])}
			if !outward {
				t[1], t[2] = t[2], t[1]
			}
			m.Tri = append(m.Tri, t)
		}
	}
	for a := range 3 {
		u, v := (a+1)%3, (a+2)%3
		for side := range 2 {
			c := side << a
			add(side == 1, 3*c+a, 3*(c|1<<u)+a, 3*(c|1<<u|1<<v)+a, 3*(c|1<<v)+a) // face
		}
		for s := range 4 { // bevels of the edges along axis a
			c := (s&1)<<u | s>>1<<v
			add(s == 0 || s == 3, 3*c+u, 3*c+v, 3*(c|1<<a)+v, 3*(c|1<<a)+u)
		}
	}
	for c := range 8 {
		add((c&1+c>>1&1+c>>2)%2 == 1, 3*c, 3*c+1, 3*c+2)
	}
	return m
}

// Cuboid returns the surface of b, closed and outward, with eight vertices and
// sharp edges. It has no normals.
func Cuboid(b vec.Box) *Mesh {
	c := b.Corners()
	m := &Mesh{Pos: c[:]}
	for _, q := range [][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		m.Tri = append(m.Tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// corners returns b's corners; bit a of the index is the side along axis a.
func corners(b vec.Box) (p [8]vec.Vec3) {
	pick := func(high bool, lo, hi float64) float64 {
		if high {
			return hi
		}
		return lo
	}
	for c := range p {
		p[c] = vec.New(pick(c&1 != 0, b.Min.X, b.Max.X), pick(c&2 != 0, b.Min.Y, b.Max.Y), pick(c&4 != 0, b.Min.Z, b.Max.Z))
	}
	return p
}

// FaceNormals are the directions of the faces of a box: x−, x+, y−, y+, z−, z+.
var FaceNormals = [6]vec.Vec3{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}

// Faces returns the corners of each face of b, in the order of FaceNormals,
// counter-clockwise as seen from outside.
func Faces(b vec.Box) (f [6][4]vec.Vec3) {
	c := corners(b)
	for i, loop := range [6][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		for k, j := range loop {
			f[i][k] = c[j]
		}
	}
	return f
}

func axes(v vec.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// Sphere returns a closed, outward sphere of radius r in metres about c, with
// n segments along the equator and n/2 from pole to pole. It panics if n < 6.
func Sphere(c vec.Vec3, r float64, n int) *Mesh {
	if n < 6 {
		panic(fmt.Sprintf("mesh: sphere of %d segments, want at least 6", n))
	}
	m := new(Mesh)
	add := func(normal vec.Vec3) {
		m.Pos = append(m.Pos, c.Add(normal.Mul(r)))
		m.Nrm = append(m.Nrm, normal)
	}
	rows := n/2 - 1 // of latitude, between the poles
	add(vec.New(0, 1, 0))
	for i := range rows {
		sin, cos := math.Sincos(math.Pi * float64(i+1) / float64(rows+1))
		for j := range n {
			z, x := math.Sincos(2 * math.Pi * float64(j) / float64(n))
			add(vec.New(sin*x, cos, sin*z))
		}
	}
	add(vec.New(0, -1, 0))
	at := func(i, j int) int32 { return int32(1 + i*n + j%n) }
	last := int32(len(m.Pos) - 1)
	for j := range n {
		m.Tri = append(m.Tri, [3]int32{0, at(0, j+1), at(0, j)})
		for i := range rows - 1 {
			a, b, c, d := at(i, j), at(i, j+1), at(i+1, j+1), at(i+1, j)
			m.Tri = append(m.Tri, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
		m.Tri = append(m.Tri, [3]int32{last, at(rows-1, j), at(rows-1, j+1)})
	}
	return m
}

// Geodesic returns a closed, outward sphere of radius 1 about the origin: an
// icosahedron whose sides are cut in n. It has 10n² + 2 vertices.
func Geodesic(n int) *Mesh {
	const golden = math.Phi
	m := new(Mesh)
	for _, p := range [12][3]float64{
		{-1, golden, 0}, {1, golden, 0}, {-1, -golden, 0}, {1, -golden, 0},
		{0, -1, golden}, {0, 1, golden}, {0, -1, -golden}, {0, 1, -golden},
		{golden, 0, -1}, {golden, 0, 1}, {-golden, 0, -1}, {-golden, 0, 1},
	} {
		m.Pos = append(m.Pos, vec.New(p[0], p[1], p[2]).Unit())
	}
	faces := [][3]int32{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11},
		{1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9},
		{4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}
	type point struct { // on a side, k of n parts from a to b
		a, b int32
		k    int
	}
	known := map[point]int32{}
	add := func(p vec.Vec3) int32 {
		m.Pos = append(m.Pos, p.Unit())
		return int32(len(m.Pos) - 1)
	}
	on := func(a, b int32, k int) int32 {
		switch {
		case k == 0:
			return a
		case k == n:
			return b
		case a > b:
			a, b, k = b, a, n-k
		}
		v, is := known[point{a, b, k}]
		if !is {
			v = add(m.Pos[a].Lerp(m.Pos[b], float64(k)/float64(n)))
			known[point{a, b, k}] = v
		}
		return v
	}
	for _, t := range faces {
		a, b, c := t[0], t[1], t[2]
		rows := make([][]int32, n+1) // row i lies i of n parts from a
		for i := range rows {
			rows[i] = append(rows[i], on(a, b, i))
			for k := 1; k < i; k++ {
				if i == n {
					rows[i] = append(rows[i], on(b, c, k))
					continue
				}
				u, v := m.Pos[b].Sub(m.Pos[a]).Mul(float64(i-k)/float64(n)), m.Pos[c].Sub(m.Pos[a]).Mul(float64(k)/float64(n))
				rows[i] = append(rows[i], add(m.Pos[a].Add(u).Add(v)))
			}
			if i > 0 {
				rows[i] = append(rows[i], on(a, c, i))
			}
		}
		for i := range n {
			up, down := rows[i], rows[i+1]
			for k := range up {
				m.Tri = append(m.Tri, [3]int32{up[k], down[k], down[k+1]})
				if k > 0 {
					m.Tri = append(m.Tri, [3]int32{up[k-1], down[k], up[k]})
				}
			}
		}
	}
	m.Nrm = append(m.Nrm, m.Pos...)
	return m
}
