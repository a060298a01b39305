// Package boundary implements the walls that the liquid cannot cross.
//
//   - boundary.go: the interface of a wall; flat.go, in two dimensions; support.go, how far it reaches
//   - layers.go: the density map of a plane and of a sphere, in closed form
//   - plane.go, box.go, sphere.go: walls in closed form
//   - shaped.go: walls of triangles: capsule.go, cylinder.go, polytope.go, mesh.go
//   - facets.go: the distance to triangles, facets_cross.go, whether they cross;
//     facets_share.go, facets_grid.go and facets_regions.go, their density map on a grid
//   - particles.go, scatter.go: walls made of particles
package boundary

import (
	"breakwater/sim/kernel"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Boundary is a wall as the liquid's sums see it. Wall particles, density
// maps and volume maps all fit: each gives the wall's term at a point.
//
// All methods but Init and Move may be called from many goroutines.
type Boundary interface {
	// Init is called once, before the first step, with the run's kernel.
	Init(k kernel.Kernel) error
	// Move puts the wall where it is at time t, in seconds.
	Move(t float64)
	// Wall returns the share of the kernel at x that lies in the solid, from 0 to 1: the
	// term of particles at rest in its place in the kernel's sum. Its gradient, in 1/m,
	// points into the wall. Both vanish at h from the wall.
	Wall(x vec.Vec3) (sum float64, grad vec.Vec3)
	// Mirror returns the term of the liquid's mirror image behind the wall in the kernel
	// sum of a particle at x in the liquid, and its gradient in 1/m, into the wall. The
	// mirror image keeps the liquid out. For a particle half a spacing off the wall, sum
	// equals that of Wall. Closer to the wall it grows twice as fast, because the image
	// approaches the particle.
	Mirror(x vec.Vec3) (sum float64, grad vec.Vec3)
	// Dist returns the signed distance from x to the wall, in metres,
	// positive where the liquid may be, and the unit normal of the nearest
	// point of the wall, into the liquid. It works before Init.
	Dist(x vec.Vec3) (d float64, n vec.Vec3)
	// Vel returns the velocity of the wall nearest to x, in m/s.
	Vel(x vec.Vec3) vec.Vec3
}

// Rough is a wall that knows a faster way to its distance, which is good
// enough to look for particles near it and to hold them back.
type Rough interface {
	// RoughDist returns the distance and the normal as the function RoughDist does.
	RoughDist(x vec.Vec3) (d float64, n vec.Vec3)
	// Beyond reports whether the wall is surely farther from x than d: the
	// fastest of all tests, for points that are not near.
	Beyond(x vec.Vec3, d float64) bool
}

// RoughDist returns the distance to b by the fastest way it knows: off by an
// eighth of a spacing at most where faces meet, and rough far from the wall.
func RoughDist(b Boundary, x vec.Vec3) (float64, vec.Vec3) {
	if r, ok := b.(Rough); ok {
		return r.RoughDist(x)
	}
	return b.Dist(x)
}

// Beyond reports whether b is surely farther from x than d. It is false for a
// wall that has no fast way to know.
func Beyond(b Boundary, x vec.Vec3, d float64) bool {
	r, ok := b.(Rough)
	return ok && r.Beyond(x, d)
}

// Boundaries are the known kinds.
var Boundaries = registry.Set[Boundary]{Kind: "boundary"}

// Fixed is the part of a wall that never moves.
type Fixed struct{}

func (Fixed) Move(float64)          {}
func (Fixed) Vel(vec.Vec3) vec.Vec3 { return vec.Vec3{} }

// Bounded is a wall with an end.
type Bounded interface {
	// Extent returns the bounding box of the shape.
	Extent() vec.Box
}
