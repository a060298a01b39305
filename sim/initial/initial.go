// Package initial has the velocity fields that blocks of liquid start with, one kind per
// file.
package initial

import (
	"io"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Field is a velocity as a function of position.
type Field interface {
	// At returns the velocity at x, in m/s. It may be called from many goroutines.
	At(x vec.Vec3) vec.Vec3
}

// Heavy is a field that depends on gravity.
type Heavy interface {
	Field
	// SetGravity is called once, before At, with the gravity of the scene in m/s². It fails
	// if there is no such field under it.
	SetGravity(g vec.Vec3) error
}

// Surfaced is a field of a liquid with a surface that is not level.
type Surfaced interface {
	Field
	// Below reports whether x is below the surface.
	Below(x vec.Vec3) bool
	// Top returns the height of the highest point of the surface, m.
	Top() float64
}

// Filed is a field that is read from the file that its setting File names.
type Filed interface {
	Field
	// Read takes the contents of the file. It fails at the first line that it cannot use.
	Read(r io.Reader) error
}

// Fields are the known kinds.
var Fields = registry.Set[Field]{Kind: "velocity field"}
