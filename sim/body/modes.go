package body

import "breakwater/sim/vec"

// Twist is a velocity and a rate of turn, or a force and a torque.
type Twist struct{ Lin, Ang vec.Vec3 }

// Wrench returns the force f that acts at arm from the centre of mass, and its torque.
func Wrench(arm, f vec.Vec3) Twist { return Twist{f, arm.Cross(f)} }

// Add returns t + o.
func (t Twist) Add(o Twist) Twist { return Twist{t.Lin.Add(o.Lin), t.Ang.Add(o.Ang)} }

// Mul returns s t.
func (t Twist) Mul(s float64) Twist { return Twist{t.Lin.Mul(s), t.Ang.Mul(s)} }

// Dot returns the product of a velocity and a wrench: their power.
func (t Twist) Dot(o Twist) float64 { return t.Lin.Dot(o.Lin) + t.Ang.Dot(o.Ang) }

// At returns the velocity of the point at arm from the centre of mass.
func (t Twist) At(arm vec.Vec3) vec.Vec3 { return t.Lin.Add(t.Ang.Cross(arm)) }

// Modes are the ways in which a free body can move, orthonormal in its mass matrix. A
// wrench F accelerates the body in mode u by u·F. The kinetic energy is half the sum of
// the squares of the generalized velocities.
type Modes [6]Twist

// Generalized are a body's velocities in its modes, in √J, or changes of them.
type Generalized [6]float64

// Add returns y + z.
func (y Generalized) Add(z Generalized) Generalized {
	for d := range y {
		y[d] += z[d]
	}
	return y
}

// Mul returns s y.
func (y Generalized) Mul(s float64) Generalized {
	for d := range y {
		y[d] *= s
	}
	return y
}

// Dot returns y·z.
func (y *Generalized) Dot(z *Generalized) (s float64) {
	for d, v := range y {
		s += float64(v * z[d])
	}
	return s
}

// Of returns the generalized force of a wrench, or the velocities of a momentum.
func (u *Modes) Of(wrench Twist) (y Generalized) {
	for d := range u {
		y[d] = u[d].Dot(wrench)
	}
	return y
}

// Twist returns the motion with the generalized velocities y.
func (u *Modes) Twist(y Generalized) (t Twist) {
	for d := range u {
		t = t.Add(u[d].Mul(y[d]))
	}
	return t
}
