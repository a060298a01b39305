package biot

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Potential sets dst to the vector potentials at points, whose curl is the velocity, in
// m²/s:
//
//	A(x) = 1/(4π) Σ α ψ(|d|, σ),  ψ' = −|d| g,  ψ → 1/|d|.
//
// In the plane Z is the stream function, with Γ/(2π) in place of α/(4π) and ψ → −ln |d|,
// |d| in metres.
func Potential(dst, points []vec.Vec3, s *Sources, k Kernel) {
	scale := 1 / (4 * math.Pi)
	psi := k.potential
	if s.Plane {
		scale *= 2
		psi = k.planePotential
	}
	par.For(len(points), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var sum vec.Vec3
			for j, x := range s.X {
				d, a := points[i].Sub(x), s.Alpha[j]
				if s.Plane {
					d.Z, a = 0, vec.Vec3{Z: a.Z}
				}
				sum = sum.Add(a.Mul(psi(d.Dot(d), s.Radius[j])))
			}
			dst[i] = sum.Mul(scale)
		}
	})
}

// potential returns ψ at the distance √d2.
func (k Kernel) potential(d2, radius float64) float64 {
	s2 := float64(radius * radius)
	switch k {
	case Core:
		if d2 < s2 {
			return (1.5 - 0.5*d2/s2) / radius
		}
	case Algebraic:
		s := d2 + s2
		return (d2 + float64(1.5*s2)) / (s * math.Sqrt(s))
	case Gauss:
		if q := d2 / s2; q < 1e-6 { // √(2/π) (1 − ρ²/6)
			return math.Sqrt(2/math.Pi) * (1 - q/6) / radius
		} else if q < 2*gaussFar {
			return num.Erf(math.Sqrt(float64(q/2))) / math.Sqrt(d2)
		}
	}
	return 1 / math.Sqrt(d2)
}
