// Package vec provides 3-vectors, axis-parallel boxes, quaternions, symmetric matrices
// and the nearest point of a triangle. Lengths are in metres unless stated otherwise;
// axes are right-handed with y up.
package vec

import (
	"fmt"
	"math"
	"slices"
)

// Vec3 is a point or a direction. Its methods return new values.
type Vec3 struct{ X, Y, Z float64 }

// New returns (x, y, z).
func New(x, y, z float64) Vec3 { return Vec3{x, y, z} }

// Add returns a+b. The conversions round products in a and b, which some processors would
// otherwise fuse with the sum.
func (a Vec3) Add(b Vec3) Vec3 {
	return Vec3{float64(a.X) + float64(b.X), float64(a.Y) + float64(b.Y), float64(a.Z) + float64(b.Z)}
}

// Sub returns a−b.
func (a Vec3) Sub(b Vec3) Vec3 {
	return Vec3{float64(a.X) - float64(b.X), float64(a.Y) - float64(b.Y), float64(a.Z) - float64(b.Z)}
}

// Mul returns s·a.
func (a Vec3) Mul(s float64) Vec3 { return Vec3{float64(s * a.X), float64(s * a.Y), float64(s * a.Z)} }

// Neg returns −a.
func (a Vec3) Neg() Vec3 { return Vec3{-a.X, -a.Y, -a.Z} }

// Dot returns a·b.
func (a Vec3) Dot(b Vec3) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) }

// Cross returns a×b.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{float64(a.Y*b.Z) - float64(a.Z*b.Y), float64(a.Z*b.X) - float64(a.X*b.Z), float64(a.X*b.Y) - float64(a.Y*b.X)}
}

// Len returns |a|. It may overflow where math.Hypot would not, which metres
// never reach, and it costs half as much.
func (a Vec3) Len() float64 { return math.Sqrt(a.Dot(a)) }

// Unit returns a/|a|, and the zero vector for the zero vector.
func (a Vec3) Unit() Vec3 {
	l := a.Len()
	if l < 1e-140 { // its square is as good as none
		if a == (Vec3{}) {
			return a
		}
		a = a.Mul(1e200)
		l = a.Len()
	}
	return a.Mul(1 / l)
}

// Lerp returns a + t·(b−a).
func (a Vec3) Lerp(b Vec3, t float64) Vec3 {
	return Vec3{a.X + float64(t*(b.X-a.X)), a.Y + float64(t*(b.Y-a.Y)), a.Z + float64(t*(b.Z-a.Z))}
}

// Min returns the smaller of a and b in each component.
func (a Vec3) Min(b Vec3) Vec3 { return Vec3{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)} }

// Max returns the larger of a and b in each component.
func (a Vec3) Max(b Vec3) Vec3 { return Vec3{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)} }

// Finite reports whether no component is NaN or infinite.
func (a Vec3) Finite() bool {
	const big = math.MaxFloat64
	return math.Abs(a.X) <= big && math.Abs(a.Y) <= big && math.Abs(a.Z) <= big
}

// NotFinite returns the index of the first of v with a component that is NaN or infinite,
// or −1.
func NotFinite(v []Vec3) int { return slices.IndexFunc(v, func(a Vec3) bool { return !a.Finite() }) }

// String writes a as scene files do, to six digits.
func (a Vec3) String() string { return fmt.Sprintf("[%.6g, %.6g, %.6g]", a.X, a.Y, a.Z) }

// Round returns a with each component rounded to the nearest float32: what a
// file of 4-byte numbers keeps.
func (a Vec3) Round() Vec3 {
	return Vec3{float64(float32(a.X)), float64(float32(a.Y)), float64(float32(a.Z))}
}

// Array returns the components of a.
func (a Vec3) Array() [3]float64 { return [3]float64{a.X, a.Y, a.Z} }

// Octant returns in which of the eight octants around a center a lies: bit 0, 1 or 2 is set
// where its x, y or z is not below the center's.
func (a Vec3) Octant(center Vec3) (o int) {
	if a.X >= center.X {
		o = 1
	}
	if a.Y >= center.Y {
		o |= 2
	}
	if a.Z >= center.Z {
		o |= 4
	}
	return o
}

// Basis returns two unit vectors that make a right-handed frame with the unit
// vector a: u × v is a.
func (a Vec3) Basis() (u, v Vec3) {
	least := Vec3{X: 1}
	if math.Abs(a.X) > 0.6 {
		least = Vec3{Y: 1}
	}
	u = least.Cross(a).Unit()
	return u, a.Cross(u)
}

// LevelBasis returns two unit vectors at right angles to the unit vector a and to
// each other, with u × v = a. u is level if it can be.
func (a Vec3) LevelBasis() (u, v Vec3) {
	u = Vec3{Y: 1}.Cross(a)
	if u.Len() < 1e-6 {
		u = Vec3{X: 1}
	}
	u = u.Unit()
	return u, a.Cross(u)
}
