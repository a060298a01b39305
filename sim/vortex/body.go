package vortex

import (
	"breakwater/sim/body"
	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
)

// Body is a ball or a convex polytope in the gas, or a hole of that shape that holds it.
// It has the center of its Solid as its center of mass.
type Body struct {
	*solids.Solid
	Temperature  float64 // K
	HeatCapacity float64 // of the whole body, J/K; 0 for a body that keeps its temperature
	Conductance  float64 // of heat to a vorton in contact, W/m²/K

	// Free is the body as it moves freely; nil for one that keeps its velocity and spin, or
	// has a course.
	Free *body.Body

	// Course puts a body where it is at time t, in seconds. It is nil for a body that moves
	// freely or keeps its velocity.
	Course func(t float64, s *solids.Solid)

	// Endless is the part of space that a body without an end fills, such as a floor. It has
	// no influence on the extent of the gas. It is nil for other bodies.
	Endless *vec.Box

	Hits    int      // vortons and tracers in contact in the last step
	Impulse vec.Vec3 // from the gas in the last step, N s
	Twist   vec.Vec3 // impulse about the center in the last step, N m s

	pose   vec.Quat
	volume float64
	second vec.Sym3 // mean of (x−X)⊗(x−X) in its own axes, m²
}

// NewBody returns a body that is turned by pose and keeps its velocity and spin.
func NewBody(s *solids.Solid, pose vec.Quat) *Body {
	b := &Body{Solid: s, pose: pose}
	b.Turn = pose.Columns()
	b.volume, b.second = s.Moments()
	return b
}

// world returns a vector of the body in the world's axes.
func (b *Body) world(v vec.Vec3) vec.Vec3 {
	return b.Turn[0].Mul(v.X).Add(b.Turn[1].Mul(v.Y)).Add(b.Turn[2].Mul(v.Z))
}

func (b *Body) turn(by vec.Vec3) {
	b.pose = vec.Turn(by).Mul(b.pose).Unit()
	b.Turn = b.pose.Columns()
}
