package surface

import (
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// vertices is a mesh in the making. Parts of the liquid with few vertices,
// which are refined, come last: their vertices from small on, and their
// triangles from smallTri on.
type vertices struct {
	*mesh.Mesh
	grid        *grid
	rings       mesh.Rings
	parts       int          // number of parts of the liquid, see parts
	part        []int32      // the part of each vertex
	kind        []kind       // of each vertex
	constraints []constraint // of wall and contact vertices
	fill        []float32    // sample.fill where the vertex was found
	down        []vec.Vec3   // −∇ of the field, of unit length, where the vertex was found
	weight      []float64    // of smoothing, from floorWeight in drops to 1 in the bulk
	bulk        []float32    // how much of its part's shift of restoreVolume a vertex makes, up to 1
	drop, round []bool       // of each part, see findDrops
	limited     []bool       // of each part, whether restoreVolume moved it as far as it may
	sideSquare  []float64    // half the mean square of the sides of each drop, m²
	droplets    []droplet
	small       int
	smallTri    int

	links   links
	scratch struct {
		arrangement
		snapping
		polishing
		coarsening
		relaxation
		restoring
		creasing
		sides []int32 // of refine: the new vertex of each
		dry   []bool  // of flow: the vertices that no particle is near
	}
}

// kind is the part of the surface that a vertex belongs to.
type kind uint8

const (
	free    kind = iota // the free surface
	contact             // the line where the free surface meets a wall
	wall                // the liquid's face along a wall
)

// sizes returns the number of vertices of each part.
func (s *vertices) sizes() []int {
	size := make([]int, s.parts)
	for _, p := range s.part {
		size[p]++
	}
	return size
}
