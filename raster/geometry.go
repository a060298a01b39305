package raster

import (
	"slices"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/ground"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// kind is the object that a triangle belongs to.
type kind uint8

const (
	nothing kind = iota
	liquid
	solid
	bar // an edge of the tank, glass
)

// geometry is all triangles of a picture: liquid first, then solids, then the bars of
// the vessels and of the tank.
type geometry struct {
	pos            []vec.Vec3
	vertex         []vertex // of pos
	tri            [][3]int32
	liquid, solids int // number of triangles
	liquidVertices int // number of vertices of the liquid
	solidVertices  int // number of vertices of the solids
	bounds         vec.Box
	rounded        bool // whether the liquid leaves walls in a curve, as wide as a triangle: it does not wet them

	materials     []shadingMaterial
	materialIndex []int32 // of the solids' triangles, in materials

	barVel []vec.Vec3    // of the vertices of all bars, m/s
	floor  *ground.Floor // for solids that are paved as it is
	eye    vec.Vec3
}

// vertex is a position and its normal, zero if it has none, in float32, which mesh files
// have. They are stored together, because shading fetches them from all over the mesh.
type vertex struct{ pos, nrm [4]float32 }

func newGeometry(v *View) *geometry {
	g := &geometry{bounds: vec.Empty(), eye: v.Camera.Eye}
	if v.Liquid != nil {
		const more = 1 << 10 // for the tank and simple solids
		g.pos, g.tri = slices.Grow(g.pos, len(v.Liquid.Pos)+more), slices.Grow(g.tri, len(v.Liquid.Tri)+more)
		g.vertex = slices.Grow(g.vertex, len(v.Liquid.Pos)+more)
		g.add(v.Liquid)
	}
	g.liquid, g.liquidVertices = len(g.tri), len(g.pos)
	for i := range v.Solids {
		g.addSolid(&v.Solids[i])
	}
	g.solids, g.solidVertices = len(g.tri)-g.liquid, len(g.pos)-g.liquidVertices
	l := camera.NewLens(v.Camera, v.Width, v.Height)
	for i := range v.Vessels {
		g.addBars(&v.Vessels[i], l, v.Quality)
		g.bounds = g.bounds.Union(v.Vessels[i].Panes.Bounds())
	}
	if v.Tank != nil {
		for _, b := range bars(*v.Tank, visibleBarWidth(l, v.Tank.Box, v.Quality)) {
			g.addBox(b)
		}
		for len(g.barVel) < len(g.pos)-g.liquidVertices-g.solidVertices {
			g.barVel = append(g.barVel, v.Tank.Velocity)
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

// add appends m. Where m has no normal, the triangle's is used.
func (g *geometry) add(m *mesh.Mesh) {
	base := int32(len(g.pos))
	g.pos = append(g.pos, m.Pos...)
	for i, p := range m.Pos {
		v := vertex{pos: narrow(p)}
		if len(m.Nrm) == len(m.Pos) {
			v.nrm = narrow(m.Nrm[i])
		}
		g.vertex = append(g.vertex, v)
	}
	for _, t := range m.Tri {
		g.tri = append(g.tri, [3]int32{base + t[0], base + t[1], base + t[2]})
	}
}

func narrow(p vec.Vec3) [4]float32 { return [4]float32{float32(p.X), float32(p.Y), float32(p.Z)} }

func widen(p *[4]float32) vec.Vec3 {
	return vec.Vec3{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

// addBox appends the faces of b, turned outwards.
func (g *geometry) addBox(b vec.Box) {
	base := int32(len(g.pos))
	for _, p := range b.Corners() {
		g.pos = append(g.pos, p)
		g.vertex = append(g.vertex, vertex{pos: narrow(p)})
	}
	for _, f := range [6][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		g.tri = append(g.tri,
			[3]int32{base + f[0], base + f[1], base + f[2]},
			[3]int32{base + f[0], base + f[2], base + f[3]})
	}
}

func (g *geometry) corners(tri int32) (a, b, c vec.Vec3) {
	t := g.tri[tri]
	return widen(&g.vertex[t[0]].pos), widen(&g.vertex[t[1]].pos), widen(&g.vertex[t[2]].pos)
}

// normals returns the normal of the triangle and the smooth one at the
// weights (u, v), both of unit length.
func (g *geometry) normals(tri int32, u, v float64) (flat, smooth vec.Vec3) {
	t := g.tri[tri]
	va, vb, vc := &g.vertex[t[0]], &g.vertex[t[1]], &g.vertex[t[2]]
	a := widen(&va.pos)
	flat = widen(&vb.pos).Sub(a).Cross(widen(&vc.pos).Sub(a)).Unit()
	na, nb, nc := widen(&va.nrm), widen(&vb.nrm), widen(&vc.nrm)
	if !g.rounded || int(tri) >= g.liquid {
		na, nb, nc = creased(na, flat), creased(nb, flat), creased(nc, flat)
	}
	smooth = na.Mul(1 - u - v).Add(nb.Mul(u)).Add(nc.Mul(v)).Unit()
	if smooth.Dot(flat) <= 0 {
		smooth = flat
	}
	return flat, smooth
}

// creased returns the normal n of a vertex for a triangle with the normal flat. If the
// two are more than 41° apart, it returns flat. Sharp edges, such as the line where the
// liquid meets a wall, therefore stay sharp.
func creased(n, flat vec.Vec3) vec.Vec3 {
	if n.Dot(flat) < 0.75 {
		return flat
	}
	return n
}

// intersectPlane returns where a line crosses the plane of a triangle, with weights
// clamped to the triangle. A sample that the rasterizer gave to a triangle may lie a
// rounding error outside it.
func (g *geometry) intersectPlane(o, d vec.Vec3, tri int32) bvh.Hit {
	a, b, c := g.corners(tri)
	t, u, v := bvh.Meet(o, d, a, b, c)
	u = min(1, max(0, u))
	return bvh.Hit{T: t, Tri: tri, U: u, V: min(1-u, max(0, v))}
}

// shrinkSolids moves the faces of the solids in by as much as the given length, m, a
// little less at edges. Liquid that touches a solid ends on its faces, to the rounding of
// mesh files. A ray that starts between two surfaces in the same place would miss one of
// them.
func (g *geometry) shrinkSolids(by float64) {
	// Faces of a corner may have vertices of their own there.
	outward := map[vec.Vec3]vec.Vec3{}
	for _, t := range g.tri[g.liquid : g.liquid+g.solids] {
		a, b, c := g.pos[t[0]], g.pos[t[1]], g.pos[t[2]]
		n := b.Sub(a).Cross(c.Sub(a)).Unit()
		for _, v := range t {
			outward[g.pos[v]] = outward[g.pos[v]].Add(n)
		}
	}
	moved := make([]bool, len(g.pos))
	for _, t := range g.tri[g.liquid : g.liquid+g.solids] {
		for _, v := range t {
			if p := g.pos[v]; !moved[v] {
				g.pos[v], moved[v] = p.Sub(outward[p].Unit().Mul(by)), true
				g.vertex[v].pos = narrow(g.pos[v])
			}
		}
	}
}

// bars returns the edges of a glass tank's sides, as boxes of the width w outside
// its inner faces. A gap too small to see keeps them clear of the liquid's walls.
func bars(tank Tank, w float64) []vec.Box {
	in, out := tank.Grow(0.02*w), tank.Grow(w)
	out.Min.Y, in.Min.Y = tank.Min.Y, tank.Min.Y // the tank stands on its bottom
	in.Max.Y = tank.Max.Y
	out.Max.Y = tank.Max.Y
	low, high := tank.Min.Y+w, tank.Max.Y-w
	var bs []vec.Box
	box := func(x0, y0, z0, x1, y1, z1 float64) {
		bs = append(bs, vec.Box{Min: vec.Vec3{X: x0, Y: y0, Z: z0}, Max: vec.Vec3{X: x1, Y: y1, Z: z1}})
	}
	open := [4]bool{!tank.hasPane(0), !tank.hasPane(1), !tank.hasPane(2), !tank.hasPane(3)}
	for _, y := range [2][2]float64{{tank.Min.Y, low}, {high, tank.Max.Y}} {
		if !open[2] {
			box(out.Min.X, y[0], out.Min.Z, out.Max.X, y[1], in.Min.Z)
		}
		if !open[3] {
			box(out.Min.X, y[0], in.Max.Z, out.Max.X, y[1], out.Max.Z)
		}
		if !open[0] {
			box(out.Min.X, y[0], in.Min.Z, in.Min.X, y[1], in.Max.Z)
		}
		if !open[1] {
			box(in.Max.X, y[0], in.Min.Z, out.Max.X, y[1], in.Max.Z)
		}
	}
	for i, x := range [2][2]float64{{out.Min.X, in.Min.X}, {in.Max.X, out.Max.X}} {
		for k, z := range [2][2]float64{{out.Min.Z, in.Min.Z}, {in.Max.Z, out.Max.Z}} {
			if !open[i] || !open[2+k] {
				box(x[0], low, z[0], x[1], high, z[1])
			}
		}
	}
	return bs
}

// barWidth is the width of the tank's edges over its longest side: a pane of
// 6 mm in a tank of 2 m, as aquariums have.
const barWidth = 0.003
