package body

import (
	"errors"
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// Rigid makes a Body free: the liquid, gravity and other bodies move it. Its pose and
// motion are in the world's Set.Bodies; all other fields follow from them.
type Rigid struct {
	Mass        float64 // kg
	Restitution float64 // share of the speed at which it bounces off another, from 0 to 1
	Grip        float64 // coefficient of friction between solids

	Joint *Joint // with the world, nil for none
	link  *link  // with another body, nil for none

	Start particle.Body // at time 0

	flat          bool          // whether it moves in two dimensions
	inertia       [3][3]float64 // about the centre of mass, as the shape is placed, kg m²
	inverseRoot   [3][3]float64 // columns c with Σ c cᵀ the inverse of the inertia
	radius        float64       // of the ball about the centre of mass that holds the body, m
	volume        float64       // m³
	state         particle.Body
	contactPoints []contactPoint
	rims          []rim
}

// NewRigid returns a free body of the given shape, a solid, with a density in
// kg/m³ or, if that is 0, a mass in kg. It starts at rest, as the shape is
// placed.
func NewRigid(shape boundary.Boundary, density, mass, friction float64) (*Body, error) {
	m, err := massPropertiesOf(shape)
	if err != nil {
		return nil, err
	}
	b, err := newRigid(shape, m, contactPointsOf(shape), density, mass, friction)
	if err == nil {
		b.Free.rims = rimsOf(shape)
	}
	return b, err
}

// newRigid returns a free body with the given matter and contact points.
func newRigid(shape boundary.Boundary, m massProperties, contacts []contactPoint, density, mass, friction float64) (*Body, error) {
	if density > 0 {
		mass = density * m.volume
	}
	if !(mass > 0) {
		return nil, errors.New("has no mass: give it a density, such as 500 for wood")
	}
	r := &Rigid{Mass: mass, Grip: 0.5, volume: m.volume, inertia: m.inertia(), contactPoints: contacts}
	for a := range 3 {
		for b := range 3 {
			r.inertia[a][b] *= mass / m.volume
		}
	}
	r.inverseRoot = inverseRoot(r.inertia)
	for _, x := range shape.(boundary.Bounded).Extent().Corners() {
		r.radius = max(r.radius, x.Sub(m.center).Len())
	}
	r.Start = particle.Body{X: m.center, Turn: vec.NoTurn}
	body := &Body{Boundary: shape, Motion: Motion{Center: m.center}, Friction: friction, Free: r}
	body.Put(r.Start)
	return body, nil
}

// inverseRoot returns the columns of L⁻ᵀ, with L Lᵀ = m by Cholesky's method.
func inverseRoot(m [3][3]float64) (c [3][3]float64) {
	var l [3][3]float64
	for i := range 3 {
		for j := range i + 1 {
			s := m[i][j]
			for k := range j {
				s -= float64(l[i][k] * l[j][k])
			}
			if i == j {
				l[i][i] = math.Sqrt(s)
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	// Rows of L⁻¹, by substitution, are the columns of L⁻ᵀ.
	for j := range 3 {
		c[j][j] = 1 / l[j][j]
		for i := j + 1; i < 3; i++ {
			s := 0.
			for k := j; k < i; k++ {
				s += float64(l[i][k] * c[k][j])
			}
			c[i][j] = -s / l[i][i]
		}
	}
	return c
}

// Put puts a body where s says, with the centre of its motion at s.X. The body is free or
// Posed.
func (b *Body) Put(s particle.Body) {
	if b.Free != nil {
		b.Free.state = s
	}
	b.pose = pose{shift: s.X.Sub(b.Motion.Center), velocity: s.V, spin: s.Spin, turn: s.Turn.Unit().Columns()}
}

// PutAtStart puts a free body where it starts.
func (b *Body) PutAtStart() { b.Put(b.Free.Start) }

// Radius returns the radius of the ball about the centre of mass that holds the
// body, m.
func (r *Rigid) Radius() float64 { return r.radius }

// Center returns where the centre of mass is, m.
func (r *Rigid) Center() vec.Vec3 { return r.state.X }

// Volume returns the volume of a free body, m³.
func (r *Rigid) Volume() float64 { return r.volume }

// inertiaTimes returns I v about the centre of mass, as the body is placed.
func (b *Body) inertiaTimes(v vec.Vec3) vec.Vec3 {
	t, i := &b.pose.turn, &b.Free.inertia
	x := [3]float64{t[0].Dot(v), t[1].Dot(v), t[2].Dot(v)}
	row := func(k int) float64 { return float64(i[k][0]*x[0]) + float64(i[k][1]*x[1]) + float64(i[k][2]*x[2]) }
	return b.pose.rotate(vec.New(row(0), row(1), row(2)))
}

// modes returns the ways in which b can move, as it is placed.
func (b *Body) modes() (u Modes) {
	r := b.Free
	if r.Joint != nil {
		return r.Joint.modes(b)
	}
	for d := range 3 {
		u[d].Lin = b.pose.turn[d].Mul(1 / math.Sqrt(r.Mass))
		u[3+d].Ang = b.pose.rotate(vec.New(r.inverseRoot[d][0], r.inverseRoot[d][1], r.inverseRoot[d][2]))
	}
	if r.flat {
		levelModes(&u)
	}
	return u
}

// Momentum returns the body's momentum and its angular momentum about its centre of
// mass.
func (b *Body) Momentum() Twist {
	return Twist{b.pose.velocity.Mul(b.Free.Mass), b.inertiaTimes(b.pose.spin)}
}

// advance moves the body from s by dt at the speed v, and returns where it is. The spin
// changes during the step, as the angular momentum is constant; the rotation uses the
// spin at the middle of the step.
func (b *Body) advance(s particle.Body, v Twist, dt float64) particle.Body {
	b.pose.velocity, b.pose.spin = v.Lin, v.Ang
	l := b.inertiaTimes(v.Ang)
	turn := s.Turn
	s.V, s.Spin = v.Lin, v.Ang
	if j := b.Free.Joint; j != nil {
		s.Turn = vec.Turn(s.Spin.Mul(dt)).Mul(turn).Unit()
		s.X = s.X.Add(s.V.Mul(dt))
		j.projectPosition(b, &s)
		s.V = b.pose.spin.Cross(s.X.Sub(j.Point)) // of a hinge, where it is now
		if j.Kind != "hinge" {
			s.V = v.Lin
		}
		b.Put(s)
		return s
	}
	for _, part := range [...]float64{dt / 2, dt} {
		s.Turn = vec.Turn(s.Spin.Mul(part)).Mul(turn).Unit()
		b.Put(s)
		s.Spin = b.spinOf(l)
	}
	s.X = s.X.Add(s.V.Mul(dt))
	b.Put(s)
	return s
}

// spinOf returns the spin of b, as it is placed, that has the angular momentum
// l.
func (b *Body) spinOf(l vec.Vec3) (spin vec.Vec3) {
	u := b.modes()
	for d := 3; d < 6; d++ {
		spin = spin.Add(u[d].Ang.Mul(u[d].Ang.Dot(l)))
	}
	return spin
}

// MaxSpeed returns a bound of the speed of a point of a free body, m/s.
func (b *Body) MaxSpeed() float64 {
	return b.pose.velocity.Len() + float64(b.pose.spin.Len()*b.Free.radius)
}
