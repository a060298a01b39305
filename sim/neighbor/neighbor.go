// Package neighbor finds the points closer than a radius to a point.
//
// A Finder is one method of search. Points are in metres and must be finite.
package neighbor

import (
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Finder is a fixed-radius search.
type Finder interface {
	// Build takes the points to search and the radius r > 0 in metres. It
	// keeps pos, which must not change until the next Build.
	Build(pos []vec.Vec3, r float64)
	// Near appends to dst the indices of all points closer than r to x,
	// ascending. It may be called from many goroutines.
	Near(dst []int32, x vec.Vec3) []int32
}

// Finders are the known methods.
var Finders = registry.Set[Finder]{Kind: "neighbour search"}
