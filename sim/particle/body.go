package particle

import "breakwater/sim/vec"

// Body is where a rigid body is that moves freely, and how it moves.
type Body struct {
	X    vec.Vec3 // centre of mass, m
	V    vec.Vec3 // its velocity, m/s
	Turn vec.Quat // how far it has turned from the way the scene places its shape
	Spin vec.Vec3 // rate of turn, rad/s
}

// Round rounds all values to the nearest float32.
func (b *Body) Round() {
	b.X, b.V, b.Turn, b.Spin = b.X.Round(), b.V.Round(), b.Turn.Round(), b.Spin.Round()
}
