// Package shape has the initial blocks of liquid, one kind per file.
package shape

import (
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Shape is a region that is filled with liquid at the start.
type Shape interface {
	// Bounds returns a box with the whole shape in it.
	Bounds() vec.Box
	// Contains reports whether x is in the shape. It is false outside Bounds.
	Contains(x vec.Vec3) bool
}

// Shapes are the known kinds.
var Shapes = registry.Set[Shape]{Kind: "fluid block"}
