package vortex

import (
	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
)

// Body is a ball or a convex polytope in the gas, or a hole of that shape that holds it.
// It has the center of its Solid as its center of mass.
type Body struct {
	*solids.Solid
	Mass         float64 // kg; 0 for a body that keeps its velocity and spin
	Temperature  float64 // K
	HeatCapacity float64 // of the whole body, J/K; 0 for a body that keeps its temperature
	Conductance  float64 // of heat to a vorton in contact, W/m²/K

	// Course puts a body where it is at time t, in seconds. It is nil for a body that moves
	// freely or keeps its velocity.
	Course func(t float64, s *solids.Solid)

	Hits    int      // vortons and tracers in contact in the last step
	Impulse vec.Vec3 // from the gas in the last step, N s
	Twist   vec.Vec3 // impulse about the center in the last step, N m s

	pose   vec.Quat
	volume float64
	second vec.Sym3 // mean of (x−X)⊗(x−X) in its own axes, m²
}

// NewBody returns a body that is turned by pose and keeps its velocity.
func NewBody(s *solids.Solid, pose vec.Quat) *Body {
	b := &Body{Solid: s, pose: pose}
	b.Turn = pose.Columns()
	b.volume, b.second = s.Moments()
	return b
}

// Volume returns the volume in m³.
func (b *Body) Volume() float64 { return b.volume }

// Pose returns the rotation from the body's axes to the world's.
func (b *Body) Pose() vec.Quat { return b.pose }

// world returns a vector of the body in the world's axes.
func (b *Body) world(v vec.Vec3) vec.Vec3 {
	return b.Turn[0].Mul(v.X).Add(b.Turn[1].Mul(v.Y)).Add(b.Turn[2].Mul(v.Z))
}

// inertia returns the tensor of inertia in the world's axes, in kg m².
func (b *Body) inertia() vec.Sym3 {
	var m vec.Sym3
	rows := b.second.Rows()
	for i := range rows {
		for j := range rows {
			m.AddOuter(b.Turn[i].Add(b.Turn[j]), rows[i][j]/2)
			m.AddOuter(b.Turn[i], -rows[i][j]/2)
			m.AddOuter(b.Turn[j], -rows[i][j]/2)
		}
	}
	tr := m.Trace()
	i := m.Scale(-b.Mass)
	i.XX, i.YY, i.ZZ = i.XX+b.Mass*tr, i.YY+b.Mass*tr, i.ZZ+b.Mass*tr
	return i
}

// move moves the body for dt, after the impulses of the gas, gravity and buoyancy. d is
// the excess of the density at the points of the grid.
func (b *Body) move(d []float64, gas *Gas, g *Grid, dt float64) {
	if b.Mass > 0 {
		force, torque := b.buoyancy(d, gas, g)
		b.V = b.V.Add(b.Impulse.Add(force.Mul(dt)).Mul(1 / b.Mass))
		before := b.inertia()
		spin := before.Times(b.Spin).Add(b.Twist).Add(torque.Mul(dt))
		b.turn(b.Spin.Mul(dt))
		// The angular momentum stays the same as the body turns.
		after := b.inertia()
		adj, det := after.Adjugate()
		b.Spin = adj.Times(spin).Mul(1 / det)
	} else {
		b.turn(b.Spin.Mul(dt))
	}
	b.X = b.X.Add(b.V.Mul(dt))
}

func (b *Body) turn(by vec.Vec3) {
	b.pose = vec.Turn(by).Mul(b.pose).Unit()
	b.Turn = b.pose.Columns()
}
