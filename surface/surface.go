// Package surface turns particles into a closed triangle mesh.
//
//	surface.go, method_*.go      the interface, and the methods that fill a field
//	meshing.go, advice.go        the stages that all methods share, and their settings
//	field.go, sheets.go,         the field of the default method, flattened in sheets;
//	spread.go, mirrored.go       particles with mirror images, for the other methods
//	blocks.go, sample.go,        the grid of the field, reading it, and the walls
//	walls.go
//	march.go, cases.go           marching cubes
//	vertices.go, corners.go,     the mesh while it is improved: vertices, half-edges,
//	parts.go, arrange.go         parts of the liquid, removal of pieces
//	cavities.go, gaps.go,        enclosed air, and small gaps at walls
//	strays.go, drops.go          isolated particles, drops
//	snap.go, polish*.go,         slivers: snapped to the grid, then improved and joined
//	refine.go
//	contact.go, creases.go       vertices on walls, and where walls meet
//	smooth.go, volume.go,        smoothing, the volume of each part, normals
//	normals.go
//	coarsen.go, quadric.go       fewer triangles
//	flaw.go                      input that is refused
//	carry.go                     attributes of the particles at points
package surface

import (
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Wall is a solid that the liquid may touch. sim's boundaries satisfy it.
type Wall interface {
	// Dist returns the signed distance from x to the wall, in metres,
	// positive where the liquid may be, and the unit normal into the liquid.
	Dist(x vec.Vec3) (d float64, n vec.Vec3)
	// Wall returns the share of a kernel at x that lies in the solid, from
	// 0 to 1, and its gradient in 1/m.
	Wall(x vec.Vec3) (sum float64, grad vec.Vec3)
}

// Cloud is the input of a method. The slices belong to the caller and are not
// written.
type Cloud struct {
	X       []vec.Vec3 // positions, m
	V       []vec.Vec3 // velocities, m/s; may be empty
	ID      []uint32   // numbers that particles keep from frame to frame; their places here if empty
	Rho     []float64  // densities summed over the particles, walls left out, kg/m³; empty if they are to be summed
	Rho0    float64    // rest density, kg/m³
	Spacing float64    // rest distance d of the particles, m; each stands for d³ of liquid
	Walls   []Wall     // solids that bound the liquid
	Flat    bool       // the mesh is to have no normals
}

// Method makes a closed, manifold, outward-oriented mesh around a cloud. The
// mesh has normals unless the cloud is flat, and velocities if the cloud has. It is the same, to the
// bit, for any number of threads. A method keeps memory from call to call, so
// each goroutine needs its own.
//
// Particles in the order in which the solver keeps them, with their densities,
// are meshed fastest: nothing is left to be found of their neighbours then.
type Method interface {
	// Surface replaces dst's contents. The error is a *Flaw if no liquid can have
	// the mesh; what dst holds is of no use then.
	Surface(dst *mesh.Mesh, c Cloud) error
	// Counts returns the findings of the last call.
	Counts() Counts
	// Forget frees the memory that is kept from one call to the next.
	Forget()
	// Common returns the settings that all methods have in common.
	Common() Settings
	// Advice names settings that give poor results, with better values.
	Advice() []string
}

// id returns the number of particle i.
func (c *Cloud) id(i int32) uint32 {
	if len(c.ID) > 0 {
		return c.ID[i]
	}
	return uint32(i)
}

// Methods are the known surface methods.
var Methods = registry.Set[Method]{Kind: "surface method"}
