package raster

import (
	"breakwater/raster/bvh"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// kind says what a triangle belongs to.
type kind uint8

const (
	nothing kind = iota
	liquid
	solid
	bar // an edge of the tank, glass
)

// geometry is all triangles of a picture: first the liquid's, then those of
// the solids, then the bars of the tank.
type geometry struct {
	pos, nrm       []vec.Vec3
	tri            [][3]int32
	liquid, solids int // number of triangles
	bounds         vec.Box
}

func newGeometry(v *View) *geometry {
	g := &geometry{bounds: vec.Empty()}
	if v.Liquid != nil {
		g.add(v.Liquid)
	}
	g.liquid = len(g.tri)
	for _, s := range v.Solids {
		g.add(s.Mesh)
	}
	g.solids = len(g.tri) - g.liquid
	if v.Tank != nil {
		for _, b := range bars(*v.Tank) {
			g.addBox(b)
		}
	}
	for _, p := range g.pos {
		g.bounds = g.bounds.Include(p)
	}
	return g
}

func (g *geometry) kind(tri int32) kind {
	switch t := int(tri); {
	case t < 0:
		return nothing
	case t < g.liquid:
		return liquid
	case t < g.liquid+g.solids:
		return solid
	}
	return bar
}

// add appends m. Where m has no normal, that of the triangle is used.
func (g *geometry) add(m *mesh.Mesh) {
	base := int32(len(g.pos))
	g.pos = append(g.pos, m.Pos...)
	if len(m.Nrm) == len(m.Pos) {
		g.nrm = append(g.nrm, m.Nrm...)
	} else {
		g.nrm = append(g.nrm, make([]vec.Vec3, len(m.Pos))...)
	}
	for _, t := range m.Tri {
		g.tri = append(g.tri, [3]int32{base + t[0], base + t[1], base + t[2]})
	}
}

// addBox appends the faces of b, turned outwards.
func (g *geometry) addBox(b vec.Box) {
	base := int32(len(g.pos))
	for i := range 8 {
		g.pos = append(g.pos, corner(b, i))
		g.nrm = append(g.nrm, vec.Vec3{})
	}
	for _, f := range [6][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		g.tri = append(g.tri,
			[3]int32{base + f[0], base + f[1], base + f[2]},
			[3]int32{base + f[0], base + f[2], base + f[3]})
	}
}

func (g *geometry) corners(tri int32) (a, b, c vec.Vec3) {
	t := g.tri[tri]
	return g.pos[t[0]], g.pos[t[1]], g.pos[t[2]]
}

// normals returns the normal of the triangle and the smooth one at the
// weights (u, v), both of unit length.
func (g *geometry) normals(tri int32, u, v float64) (flat, smooth vec.Vec3) {
	a, b, c := g.corners(tri)
	flat = b.Sub(a).Cross(c.Sub(a)).Unit()
	t := g.tri[tri]
	na, nb, nc := crisp(g.nrm[t[0]], flat), crisp(g.nrm[t[1]], flat), crisp(g.nrm[t[2]], flat)
	smooth = na.Mul(1 - u - v).Add(nb.Mul(u)).Add(nc.Mul(v)).Unit()
	if smooth.Dot(flat) <= 0 {
		smooth = flat
	}
	return flat, smooth
}

// crisp returns the normal n of a vertex for a triangle of normal flat: flat
// itself where the two are more than 41° apart, as on the line where the liquid
// meets a wall, so that such an edge is seen as one.
func crisp(n, flat vec.Vec3) vec.Vec3 {
	if n.Dot(flat) < 0.75 {
		return flat
	}
	return n
}

// meet returns where a line crosses the plane of a triangle, with weights
// brought into the triangle: a sample that the rasterizer gave to a triangle
// may lie a rounding error beside it.
func (g *geometry) meet(o, d vec.Vec3, tri int32) bvh.Hit {
	a, b, c := g.corners(tri)
	t, u, v := bvh.Meet(o, d, a, b, c)
	u = min(1, max(0, u))
	return bvh.Hit{T: t, Tri: tri, U: u, V: min(1-u, max(0, v))}
}

// bars returns the twelve edges of a glass tank, as boxes outside its inner
// faces. A gap too small to see keeps them clear of the liquid's walls.
func bars(tank vec.Box) []vec.Box {
	s := tank.Size()
	w := barWidth * max(s.X, s.Y, s.Z)
	in, out := tank.Grow(0.02*w), tank.Grow(w)
	out.Min.Y, in.Min.Y = tank.Min.Y, tank.Min.Y // the tank stands on its bottom
	in.Max.Y = tank.Max.Y
	out.Max.Y = tank.Max.Y
	low, high := tank.Min.Y+w, tank.Max.Y-w
	var bs []vec.Box
	box := func(x0, y0, z0, x1, y1, z1 float64) {
		bs = append(bs, vec.Box{Min: vec.Vec3{X: x0, Y: y0, Z: z0}, Max: vec.Vec3{X: x1, Y: y1, Z: z1}})
	}
	for _, y := range [2][2]float64{{tank.Min.Y, low}, {high, tank.Max.Y}} {
		box(out.Min.X, y[0], out.Min.Z, out.Max.X, y[1], in.Min.Z)
		box(out.Min.X, y[0], in.Max.Z, out.Max.X, y[1], out.Max.Z)
		box(out.Min.X, y[0], in.Min.Z, in.Min.X, y[1], in.Max.Z)
		box(in.Max.X, y[0], in.Min.Z, out.Max.X, y[1], in.Max.Z)
	}
	for _, x := range [2][2]float64{{out.Min.X, in.Min.X}, {in.Max.X, out.Max.X}} {
		for _, z := range [2][2]float64{{out.Min.Z, in.Min.Z}, {in.Max.Z, out.Max.Z}} {
			box(x[0], low, z[0], x[1], high, z[1])
		}
	}
	return bs
}

// barWidth is the width of the tank's edges over its longest side: a pane of
// 6 mm in a tank of 2 m, as aquariums have.
const barWidth = 0.003
