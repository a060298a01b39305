// Package boundary implements the walls that the liquid cannot cross.
//
//   - boundary.go: the interface of a wall; flat.go, in two dimensions; support.go, how far it reaches
//   - layers.go: the density map of a plane and of a sphere, in closed form
//   - plane.go, box.go, sphere.go: walls in closed form
//   - shaped.go: walls of triangles: capsule.go, cylinder.go, polytope.go, mesh.go
//   - facets.go: the distance to triangles, facets_cross.go, whether they cross;
//     facets_share.go, facets_grid.go and facets_regions.go, their density map on a grid
//   - section.go, profile.go: walls of two dimensions as sections of these; outline.go, their outlines
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
	// Wall returns the share of the kernel at x that lies in the solid, from 0 to 1. It
	// is the term that particles at rest in the solid would have in the kernel's sum. Its
	// gradient, in 1/m, points into the wall. Both vanish at h from the wall.
	Wall(x vec.Vec3) (sum float64, grad vec.Vec3)
	// Mirror returns the term of the liquid's mirror image in the kernel sum of a
	// particle at x, and its gradient in 1/m, into the wall. The mirror image keeps the
	// liquid out. For a particle half a spacing off the wall, sum equals the sum of Wall.
	// Closer to the wall it grows twice as fast, because the image approaches the
	// particle.
	Mirror(x vec.Vec3) (sum float64, grad vec.Vec3)
	// Dist returns the signed distance from x to the wall, in metres, positive in the
	// liquid, and the unit normal at the nearest point, into the liquid. It works before
	// Init.
	Dist(x vec.Vec3) (d float64, n vec.Vec3)
	// Vel returns the velocity of the wall nearest to x, in m/s.
	Vel(x vec.Vec3) vec.Vec3
}

// Rough is a wall with a faster, approximate distance, which is good enough to look for
// particles near it and to hold them back.
type Rough interface {
	// RoughDist returns the distance and the normal as the function RoughDist does.
	RoughDist(x vec.Vec3) (d float64, n vec.Vec3)
	// Beyond reports whether the wall is surely farther from x than d: the
	// fastest of all tests, for points that are not near.
	Beyond(x vec.Vec3, d float64) bool
}

// RoughDist returns the distance to b by its fastest method: off by an eighth of a
// spacing at most where faces meet, and rough far from the wall.
func RoughDist(b Boundary, x vec.Vec3) (float64, vec.Vec3) {
	if r, ok := b.(Rough); ok {
		return r.RoughDist(x)
	}
	return b.Dist(x)
}

// IsRough reports whether b has a faster, approximate distance.
func IsRough(b Boundary) bool {
	_, ok := b.(Rough)
	return ok
}

// Beyond reports whether b is surely farther from x than d. It is false for a
// wall without a fast method.
func Beyond(b Boundary, x vec.Vec3, d float64) bool {
	r, ok := b.(Rough)
	return ok && r.Beyond(x, d)
}

// Boundaries are the known kinds.
var Boundaries = registry.Set[Boundary]{Kind: "boundary"}

// Fixed is the part of a wall that never moves.
type Fixed struct{}

// Move implements Boundary: nothing moves.
func (Fixed) Move(float64) {}

// Vel implements Boundary.
func (Fixed) Vel(vec.Vec3) vec.Vec3 { return vec.Vec3{} }

// Bounded is a wall with an end.
type Bounded interface {
	// Extent returns the bounding box of the shape.
	Extent() vec.Box
}

// ParticleGap is how close to a wall, in spacings, a particle may come. Pressure keeps the
// liquid half a spacing off. Only drops and sheets too thin to have pressure come closer,
// and they slide along the wall at this distance.
const ParticleGap = 0.25
