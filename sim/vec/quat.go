package vec

import "math"

// Quat is a quaternion W + Xi + Yj + Zk. Of unit length it is a rotation; the zero value
// is not a rotation.
type Quat struct{ W, X, Y, Z float64 }

// NoTurn is the identity rotation.
var NoTurn = Quat{W: 1}

// Turn returns the rotation about the direction of v by its length, in radians.
func Turn(v Vec3) Quat {
	angle := v.Len()
	sin, cos := math.Sincos(float64(angle / 2))
	scale := 0.5 // of a turn so small that its sine is its angle
	if angle > 1e-8 {
		scale = sin / angle
	}
	return Quat{cos, float64(scale * v.X), float64(scale * v.Y), float64(scale * v.Z)}
}

// Mul returns the rotation by q after that by p.
func (q Quat) Mul(p Quat) Quat {
	return Quat{
		float64(q.W*p.W) - float64(q.X*p.X) - float64(q.Y*p.Y) - float64(q.Z*p.Z),
		float64(q.W*p.X) + float64(q.X*p.W) + float64(q.Y*p.Z) - float64(q.Z*p.Y),
		float64(q.W*p.Y) - float64(q.X*p.Z) + float64(q.Y*p.W) + float64(q.Z*p.X),
		float64(q.W*p.Z) + float64(q.X*p.Y) - float64(q.Y*p.X) + float64(q.Z*p.W),
	}
}

// Len returns the length of q.
func (q Quat) Len() float64 {
	return math.Sqrt(float64(q.W*q.W) + float64(q.X*q.X) + float64(q.Y*q.Y) + float64(q.Z*q.Z))
}

// Unit returns q with length 1.
func (q Quat) Unit() Quat {
	s := 1 / q.Len()
	return Quat{float64(s * q.W), float64(s * q.X), float64(s * q.Y), float64(s * q.Z)}
}

// Columns returns where the rotation takes the three axes.
func (q Quat) Columns() [3]Vec3 {
	w, x, y, z := q.W, q.X, q.Y, q.Z
	return [3]Vec3{
		{1 - float64(2*(float64(y*y)+float64(z*z))), float64(2 * (float64(x*y) + float64(w*z))), float64(2 * (float64(x*z) - float64(w*y)))},
		{float64(2 * (float64(x*y) - float64(w*z))), 1 - float64(2*(float64(x*x)+float64(z*z))), float64(2 * (float64(y*z) + float64(w*x)))},
		{float64(2 * (float64(x*z) + float64(w*y))), float64(2 * (float64(y*z) - float64(w*x))), 1 - float64(2*(float64(x*x)+float64(y*y)))},
	}
}

// Round returns q with each component rounded to the nearest float32.
func (q Quat) Round() Quat {
	return Quat{float64(float32(q.W)), float64(float32(q.X)), float64(float32(q.Y)), float64(float32(q.Z))}
}
