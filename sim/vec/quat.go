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
	sin, cos := math.Sincos(angle / 2)
	scale := 0.5 // of a turn so small that its sine is its angle
	if angle > 1e-8 {
		scale = sin / angle
	}
	return Quat{cos, scale * v.X, scale * v.Y, scale * v.Z}
}

// Mul returns the rotation by q after that by p.
func (q Quat) Mul(p Quat) Quat {
	return Quat{
		q.W*p.W - q.X*p.X - q.Y*p.Y - q.Z*p.Z,
		q.W*p.X + q.X*p.W + q.Y*p.Z - q.Z*p.Y,
		q.W*p.Y - q.X*p.Z + q.Y*p.W + q.Z*p.X,
		q.W*p.Z + q.X*p.Y - q.Y*p.X + q.Z*p.W,
	}
}

// Len returns the length of q.
func (q Quat) Len() float64 { return math.Sqrt(q.W*q.W + q.X*q.X + q.Y*q.Y + q.Z*q.Z) }

// Unit returns q with length 1.
func (q Quat) Unit() Quat {
	s := 1 / q.Len()
	return Quat{s * q.W, s * q.X, s * q.Y, s * q.Z}
}

// Columns returns where the rotation takes the three axes.
func (q Quat) Columns() [3]Vec3 {
	w, x, y, z := q.W, q.X, q.Y, q.Z
	return [3]Vec3{
		{1 - 2*(y*y+z*z), 2 * (x*y + w*z), 2 * (x*z - w*y)},
		{2 * (x*y - w*z), 1 - 2*(x*x+z*z), 2 * (y*z + w*x)},
		{2 * (x*z + w*y), 2 * (y*z - w*x), 1 - 2*(x*x+y*y)},
	}
}

// Round returns q with each component rounded to the nearest float32.
func (q Quat) Round() Quat {
	return Quat{float64(float32(q.W)), float64(float32(q.X)), float64(float32(q.Y)), float64(float32(q.Z))}
}
