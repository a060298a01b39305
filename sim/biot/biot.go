// Package biot sums the fields of vortex particles at points: velocity, its gradient and
// the vector potential, by the law of Biot and Savart.
//
// A particle at y has the strength α, its vorticity times its volume, and the core radius
// σ. With d = x − y it adds to the velocity
//
//	u(x) = 1/(4π) g(|d|, σ) α × d,  g → |d|⁻³ for |d| ≫ σ.
//
// The kernel g says how the velocity falls to 0 inside of the core. In the plane the
// particles are straight lines along z with the circulation Γ, in m²/s:
//
//	u(x) = Γ/(2π) g(|d|, σ) z × d,  g → |d|⁻² for |d| ≫ σ.
//
// Each point has a sum of its own, over the particles in their order, so any number of
// threads gives the same bytes. The sums are in single precision. Every 512 particles they
// are added to sums in double precision. Positions are taken from the centre of 256
// points, so neighbours that are far from the origin keep their distance.
//
// Plain Go is the definition. On amd64, assembly computes the same bits for the kernels
// Core and Algebraic: for sixteen points side by side with AVX-512, and for eight with
// AVX2. It uses neither fused multiply-add nor estimates. The build tag noasm leaves it
// out.
package biot

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Sources are vortex particles. All slices have the same length.
type Sources struct {
	X      []vec.Vec3 // positions, m
	Alpha  []vec.Vec3 // strength: vorticity times volume, m³/s; in the plane Z is the circulation, m²/s
	Radius []float64  // core radius σ > 0, m
	Plane  bool       // the particles are lines along z; z and the X and Y of Alpha do not count
}

// Len returns the number of particles.
func (s *Sources) Len() int { return len(s.X) }

// Slice returns the particles from lo to hi−1, which share memory with s.
func (s *Sources) Slice(lo, hi int) Sources {
	return Sources{X: s.X[lo:hi], Alpha: s.Alpha[lo:hi], Radius: s.Radius[lo:hi], Plane: s.Plane}
}

// Gradient holds the gradients of the three components of a velocity, 1/s: X is ∇u_x. So
// a particle of strength α stretches by dα/dt = (α·X, α·Y, α·Z).
type Gradient struct{ X, Y, Z vec.Vec3 }

// Along returns (a·∇)u.
func (g *Gradient) Along(a vec.Vec3) vec.Vec3 { return vec.New(a.Dot(g.X), a.Dot(g.Y), a.Dot(g.Z)) }

// AlongT returns the product of the transposed gradient and a, the stretching in the
// transpose form, which keeps the sum of all strengths.
func (g *Gradient) AlongT(a vec.Vec3) vec.Vec3 {
	return g.X.Mul(a.X).Add(g.Y.Mul(a.Y)).Add(g.Z.Mul(a.Z))
}

// add returns g+s·f.
func (g *Gradient) add(f Gradient, s float64) Gradient {
	return Gradient{g.X.Add(f.X.Mul(s)), g.Y.Add(f.Y.Mul(s)), g.Z.Add(f.Z.Mul(s))}
}

// chunk is the number of points that a worker sums at a time.
const chunk = 256

// Velocity sets dst to the velocities at points, in m/s.
func Velocity(dst, points []vec.Vec3, s *Sources, k Kernel) {
	if s.Plane {
		planeVelocity(dst, points, s, k)
		return
	}
	each(points, s, k, false, func(lo int, sums *Sums) { sums.Velocity(dst[lo:]) })
}

// VelocityGradient sets u to the velocities at points, in m/s, and grad to their
// gradients, in 1/s. Velocity returns the same bits.
func VelocityGradient(u []vec.Vec3, grad []Gradient, points []vec.Vec3, s *Sources, k Kernel) {
	if s.Plane {
		planeGradient(u, grad, points, s, k)
		return
	}
	each(points, s, k, true, func(lo int, sums *Sums) {
		sums.Velocity(u[lo:])
		sums.Gradient(grad[lo:])
	})
}

// each sums over the particles for chunks of points, and calls done with the sums at the
// points from lo on.
func each(points []vec.Vec3, s *Sources, k Kernel, gradient bool, done func(lo int, sums *Sums)) {
	unit := Unit(s.Radius)
	par.Each((len(points)+chunk-1)/chunk, func(c int) {
		lo, hi := c*chunk, min(len(points), (c+1)*chunk)
		sums := NewSums(k, unit, gradient)
		sums.Start(points[lo:hi])
		sums.Add(s)
		done(lo, sums)
	})
}

// Unit returns the power of two above the largest radius, which is the unit of length of
// the sums. It keeps powers of distances within the range of single precision: distances
// may be 10⁷ times longer, and radii 10⁵ times smaller.
func Unit(radius []float64) float64 {
	most := 0.0
	for _, r := range radius {
		most = max(most, r)
	}
	if most == 0 {
		return 1
	}
	_, e := math.Frexp(most)
	return math.Ldexp(1, e)
}
