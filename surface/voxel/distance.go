package voxel

import (
	"math"
	"slices"
	"sort"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// bandVoxels is how far a level set reaches to each side of its surface, in
// voxels, as OpenVDB's do (Museth, ACM Trans. Graph. 32, 2013).
const bandVoxels = 3

// FromMesh returns the signed distance to the surface of m, negative inside, in the
// voxels of the given edge, m, near it. m must be closed.
func FromMesh(m *mesh.Mesh, edge float64) *Grid {
	band := bandVoxels * edge
	g := &Grid{Name: "surface", Class: LevelSet, Width: 1, Background: float32(band)}
	const chunk = 1 << 13
	parts := make([][][3]int32, (len(m.Tri)+chunk-1)/chunk)
	par.Each(len(parts), func(p int) {
		seen := map[[3]int32]bool{}
		for _, t := range m.Tri[p*chunk : min(len(m.Tri), (p+1)*chunk)] {
			a, b, c := m.Pos[t[0]], m.Pos[t[1]], m.Pos[t[2]]
			addLeaves(seen, a.Min(b).Min(c), a.Max(b).Max(c), band, edge)
		}
		for at := range seen {
			parts[p] = append(parts[p], at)
		}
	})
	places := sortedLeaves(parts)
	distance := mesh.NewDistance(m)
	in := newRays(m, edge)
	g.Inside = func(at [3]int32) bool { return in.inside(at) }
	g.Leaves = make([]Leaf, len(places))
	par.Each(len(places), func(k int) {
		l := Leaf{At: places[k], Values: make([]float32, Count)}
		for i := range Count {
			at := [3]int32{l.At[0] + int32(i>>6), l.At[1] + int32(i>>3&7), l.At[2] + int32(i&7)}
			d := distance.To(voxelAt(at, edge), band)
			if d < band {
				l.Set(i)
			} else {
				d = band
			}
			if in.inside(at) {
				d = -d
			}
			l.Values[i] = float32(d)
		}
		g.Leaves[k] = l
	})
	g.Leaves = withValues(g.Leaves)
	return g
}

// rays are the lines through the centres of voxels along x, with their crossings of a
// mesh. The crossings before a point, counted with their signs, tell whether it is
// inside.
type rays struct {
	edge float64
	from [2]int32 // y and z of the first
	n    [2]int32
	hits []rayHit // by ray, then by x
	ray  []int32  // where each ray's begin in hits
}

// rayHit is where a ray crosses a triangle: into the body, +1, or out of it.
type rayHit struct {
	x    float64
	ray  int32
	turn int32
}

func newRays(m *mesh.Mesh, edge float64) *rays {
	r := &rays{edge: edge}
	if len(m.Tri) == 0 {
		return r
	}
	box := m.Bounds()
	r.from = [2]int32{int32(math.Floor(box.Min.Y / edge)), int32(math.Floor(box.Min.Z / edge))}
	r.n = [2]int32{int32(math.Ceil(box.Max.Y/edge)) - r.from[0] + 1, int32(math.Ceil(box.Max.Z/edge)) - r.from[1] + 1}
	const chunk = 1 << 13
	parts := make([][]rayHit, (len(m.Tri)+chunk-1)/chunk)
	par.Each(len(parts), func(p int) {
		for _, t := range m.Tri[p*chunk : min(len(m.Tri), (p+1)*chunk)] {
			parts[p] = r.cross(parts[p], [3]vec.Vec3{m.Pos[t[0]], m.Pos[t[1]], m.Pos[t[2]]})
		}
	})
	r.hits = slices.Concat(parts...)
	slices.SortStableFunc(r.hits, func(a, b rayHit) int {
		switch {
		case a.ray != b.ray:
			return int(a.ray - b.ray)
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	r.ray = make([]int32, r.n[0]*r.n[1]+1)
	k := 0
	for i := range r.ray {
		for k < len(r.hits) && int(r.hits[k].ray) < i {
			k++
		}
		r.ray[i] = int32(k)
	}
	return r
}

// cross appends where rays cross a triangle. A ray through an edge crosses exactly one of
// its two triangles. The sign of an edge function comes from the same products for both,
// and 0 counts as left of the edge that goes up.
func (r *rays) cross(hits []rayHit, p [3]vec.Vec3) []rayHit {
	lo, hi := p[0].Min(p[1]).Min(p[2]), p[0].Max(p[1]).Max(p[2])
	for j := int32(math.Ceil(lo.Y / r.edge)); j <= int32(math.Floor(hi.Y/r.edge)); j++ {
		for k := int32(math.Ceil(lo.Z / r.edge)); k <= int32(math.Floor(hi.Z/r.edge)); k++ {
			y, z := float64(float64(j)*r.edge), float64(float64(k)*r.edge)
			var e [3]float64
			left, right := true, true
			for i := range 3 {
				var on bool
				e[i], on = edgeSide(p[(i+1)%3], p[(i+2)%3], y, z)
				left, right = left && (e[i] > 0 || e[i] == 0 && on), right && (e[i] < 0 || e[i] == 0 && !on)
			}
			area := e[0] + e[1] + e[2]
			if !left && !right || area == 0 {
				continue
			}
			x := (float64(e[0]*p[0].X) + float64(e[1]*p[1].X) + float64(e[2]*p[2].X)) / area
			// Counter-clockwise about x is a face that looks along x: out.
			turn := int32(1)
			if left {
				turn = -1
			}
			hits = append(hits, rayHit{x, (k-r.from[1])*r.n[0] + (j - r.from[0]), turn})
		}
	}
	return hits
}

// edgeSide returns on which side of the edge from a to b, seen along −x, the point (y, z)
// lies. It is positive on the left. The edge from b to a gives the same value with the
// opposite sign. If it is 0, left says on which it counts as.
func edgeSide(a, b vec.Vec3, y, z float64) (s float64, left bool) {
	swap := a.Y > b.Y || a.Y == b.Y && a.Z > b.Z
	if swap {
		a, b = b, a
	}
	s = float64((b.Y-a.Y)*(z-float64(a.Z))) - float64((b.Z-a.Z)*(y-float64(a.Y)))
	if swap {
		s = -s
	}
	return s, !swap
}

// inside reports whether the middle of a voxel is in the body.
func (r *rays) inside(at [3]int32) bool {
	j, k := at[1]-r.from[0], at[2]-r.from[1]
	if j < 0 || k < 0 || j >= r.n[0] || k >= r.n[1] {
		return false
	}
	ray := k*r.n[0] + j
	hits := r.hits[r.ray[ray]:r.ray[ray+1]]
	x := float64(at[0]) * r.edge
	turns := int32(0)
	for _, h := range hits[:sort.Search(len(hits), func(i int) bool { return hits[i].x > x })] {
		turns += h.turn
	}
	return turns > 0
}
