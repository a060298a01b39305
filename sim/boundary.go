package sim

import (
	"breakwater/sim/kernel"
	"breakwater/sim/plug"
	"breakwater/sim/vec"
)

// Boundary is a wall as the liquid's sums see it. Wall particles, density
// maps and volume maps all fit: each says what the wall adds at a point.
//
// All methods but Init and Move may be called from many goroutines.
type Boundary interface {
	// Init is called once, before the first step, with the run's kernel.
	Init(k kernel.Kernel) error
	// Move puts the wall where it is at time t, in seconds.
	Move(t float64)
	// Wall returns the share of the kernel at x that lies in the solid,
	// ∫_solid W(x−y) dy, from 0 to 1, and its gradient ∫_solid ∇W(x−y) dy
	// in 1/m, which points into the wall.
	Wall(x vec.Vec3) (sum float64, grad vec.Vec3)
	// Dist returns the signed distance from x to the wall, in metres,
	// positive where the liquid may be, and the unit normal of the nearest
	// point of the wall, into the liquid.
	Dist(x vec.Vec3) (d float64, n vec.Vec3)
	// Vel returns the velocity of the wall nearest to x, in m/s.
	Vel(x vec.Vec3) vec.Vec3
}

// Boundaries are the known kinds.
var Boundaries = plug.Set[Boundary]{Kind: "boundary"}
