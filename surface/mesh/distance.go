package mesh

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// Distance finds how far points lie from a mesh's triangles. It may be used from
// many goroutines.
type Distance struct{ grid *triangleGrid }

// NewDistance prepares m, which must not change.
func NewDistance(m *Mesh) *Distance { return &Distance{newTriangleGrid(m)} }

// To returns the distance of x from the nearest triangle, m, or most if that is
// less, which is faster to find.
func (d *Distance) To(x vec.Vec3, most float64) float64 { return d.grid.distance(x, most) }

// triangleGrid finds the triangles near a point: each is listed in the cells
// of a grid that its box touches.
type triangleGrid struct {
	m     *Mesh
	box   vec.Box
	edge  float64
	n     [3]int
	start []int32
	list  []int32
}

// newTriangleGrid sorts m's triangles into cells about as wide as they are
// long, or wider where the cells would outnumber them by far.
func newTriangleGrid(m *Mesh) *triangleGrid {
	g := &triangleGrid{m: m, box: m.Bounds()}
	if len(m.Tri) == 0 {
		return g
	}
	size := g.box.Size()
	g.edge = max(math.Sqrt(m.Area()/float64(len(m.Tri))), max(size.X, size.Y, size.Z)/1e6, math.SmallestNonzeroFloat32)
	for limit := 1e6 + float64(8*float64(len(m.Tri))); ; g.edge *= 1.25 {
		x, y, z := math.Floor(size.X/g.edge)+1, math.Floor(size.Y/g.edge)+1, math.Floor(size.Z/g.edge)+1
		if x*y*z <= limit {
			g.n = [3]int{int(x), int(y), int(z)}
			break
		}
	}
	g.start = make([]int32, g.n[0]*g.n[1]*g.n[2]+2)
	for i := range m.Tri {
		g.touched(i, func(c int) { g.start[c+2]++ })
	}
	for c := 2; c < len(g.start); c++ {
		g.start[c] += g.start[c-1]
	}
	g.list = make([]int32, g.start[len(g.start)-1])
	for i := range m.Tri {
		g.touched(i, func(c int) {
			g.list[g.start[c+1]] = int32(i)
			g.start[c+1]++
		})
	}
	return g
}

// cell returns the cell of x, or the nearest to it.
func (g *triangleGrid) cell(x vec.Vec3) (c [3]int) {
	d := x.Sub(g.box.Min).Mul(1 / g.edge)
	for a, v := range axes(d) {
		c[a] = int(max(0, min(float64(g.n[a]-1), v)))
	}
	return c
}

// touched calls f with all cells that the box of triangle i touches.
func (g *triangleGrid) touched(i int, f func(c int)) {
	b := vec.Empty()
	for _, v := range g.m.Tri[i] {
		b = b.Include(g.m.Pos[v])
	}
	lo, hi := g.cell(b.Min), g.cell(b.Max)
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				f((z*g.n[1]+y)*g.n[0] + x)
			}
		}
	}
}

// distance returns the distance of x from the nearest triangle, or most if that
// is less.
func (g *triangleGrid) distance(x vec.Vec3, most float64) float64 {
	if len(g.list) == 0 {
		return most
	}
	// Shells of cells around x's; those from shell s on are at least s−1 cells
	// away from a point in the grid, and from one outside, farther.
	c := g.cell(x)
	last := slices.Max(g.n[:])
	best := most
	for s := 0; s <= last && float64(s-1)*g.edge < best; s++ {
		for z := max(0, c[2]-s); z <= min(g.n[2]-1, c[2]+s); z++ {
			for y := max(0, c[1]-s); y <= min(g.n[1]-1, c[1]+s); y++ {
				step := 1
				if z > c[2]-s && z < c[2]+s && y > c[1]-s && y < c[1]+s {
					step = 2 * s // only the two ends of the row are on the shell
				}
				for x0 := c[0] - s; x0 <= c[0]+s; x0 += max(step, 1) {
					if x0 < 0 || x0 >= g.n[0] {
						continue
					}
					at := (z*g.n[1]+y)*g.n[0] + x0
					for _, i := range g.list[g.start[at]:g.start[at+1]] {
						best = min(best, g.m.distanceTo(g.m.Tri[i], x))
					}
				}
			}
		}
	}
	return best
}

// distanceTo returns the distance of x from triangle t.
func (m *Mesh) distanceTo(t [3]int32, x vec.Vec3) float64 {
	a := m.Pos[t[0]]
	ab, ac, ax := m.Pos[t[1]].Sub(a), m.Pos[t[2]].Sub(a), x.Sub(a)
	bx := ax.Sub(ab)
	v, w, of, where := vec.NearestOnTriangle(ab, ac, ax, bx, ax.Sub(ac))
	if where == 4 {
		return bx.Sub(ac.Sub(ab).Mul(w / of)).Len()
	}
	return ax.Sub(ab.Mul(v / of)).Sub(ac.Mul(w / of)).Len()
}
