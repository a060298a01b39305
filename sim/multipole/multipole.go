// Package multipole sums the fields of many vortex particles at many points in a time
// that grows with their number and not with its square.
//
// It is the fast multipole method of Greengard and Rokhlin, A Fast Algorithm for Particle
// Simulations, J. Comput. Phys. 73, 1987, and its form in three dimensions, Acta Numerica
// 6, 1997. An octree holds particles and points. A cell's particles are summed up in solid
// harmonics of the three components of the vector potential (harmonics.go). The moments
// of cells of one size that do not touch become a local expansion, whose derivatives are
// the velocity and its gradient at the points of the cell. Cells that touch are summed by
// sim/biot with its kernels.
//
// Far away, each particle acts as a point. So cells are large against the radii
// of their particles, by as much as the error asked for requires.
//
// Each cell and each point gathers its sum in an order that the tree alone gives, so any
// number of threads gives the same bytes.
package multipole

import (
	"math"

	"breakwater/sim/biot"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// DefaultError is the relative error of velocities that solvers ask for unless a scene sets another
// one.
const DefaultError = 1e-4

// Fewest is the number of particles below which direct sums are faster.
const Fewest = 6000

// Field sums the fields of particles. It keeps its memory from one call to the next. One
// goroutine at a time may use it.
//
// The first call compares some of its velocities with direct sums (measure.go). Where
// strengths are aligned, errors add up, and the order for random ones may not suffice. Then the
// call finds an order and a size of cells that do, sums again, and later calls keep
// them until Reset. The same goes for the first call at points that are not the particles.
type Field struct {
	Kernel biot.Kernel
	// Error is the largest error of the velocities, in the L2 norm over all points and
	// relative to the norm of the velocities, from 1e-5 to 1e-1. The error of gradients is
	// up to ten times as large. Filaments more than some 10⁴ times longer than thick may miss
	// 1e-4, because expansions are in single precision.
	Error float64

	order    int     // 0 until the first call
	widen    float64 // factor of the least edge of cells
	measured float64
	checked  [2]bool // calls at the particles, and at other points, that were compared
	tree
	out, in []float32 // expansions of the cells: multipole and local
}

// Reset makes the next call begin with the order and the cells for random strengths, and
// compare. So its results do not depend on earlier calls.
func (f *Field) Reset() { f.order, f.checked = 0, [2]bool{} }

// Measured returns the error of the velocities of the last call that was compared with
// direct sums: relative, in the L2 norm over the points compared. It is 0 if all sums were
// direct. It exceeds Error only if no order and no cells in reach are sufficient.
func (f *Field) Measured() float64 { return f.measured }

// Velocity sets dst to the velocities at points, in m/s. The sources must be in space,
// not in the plane.
func (f *Field) Velocity(dst, points []vec.Vec3, s *biot.Sources) {
	if s.Len() < Fewest {
		f.measured = 0
		biot.Velocity(dst, points, s, f.Kernel)
		return
	}
	f.sum(dst, nil, points, s)
}

// VelocityGradient sets u to the velocities at points, in m/s, and grad to their
// gradients, in 1/s. The sources must be in space, not in the plane.
func (f *Field) VelocityGradient(u []vec.Vec3, grad []biot.Gradient, points []vec.Vec3, s *biot.Sources) {
	if s.Len() < Fewest {
		f.measured = 0
		biot.VelocityGradient(u, grad, points, s, f.Kernel)
		return
	}
	f.sum(u, grad, points, s)
}

func (f *Field) sum(u []vec.Vec3, grad []biot.Gradient, points []vec.Vec3, s *biot.Sources) {
	if s.Plane {
		panic("multipole: sources in the plane")
	}
	if len(points) == 0 {
		return
	}
	if f.order == 0 {
		f.order, f.widen = order(f.Error), 1
	}
	f.once(u, grad, points, s)
	kind := 0
	if !f.shared {
		kind = 1
	}
	if f.checked[kind] {
		return
	}
	f.checked[kind] = true
	if bound, at := f.check(u); bound > f.Error && f.raise(s, at, bound) {
		f.once(u, grad, points, s)
		f.check(u)
	}
}

// once sums with the order and the cells of f.
func (f *Field) once(u []vec.Vec3, grad []biot.Gradient, points []vec.Vec3, s *biot.Sources) {
	f.build(points, s, f.widen*spread(f.Kernel, f.Error))
	t := tablesOf(f.order)
	f.upward(t)
	f.downward(t)
	f.evaluate(u, grad, t)
}

// order returns the order of the expansions that an error needs. The law is fitted to
// clouds with random strengths in balls, rings, sheets and clusters: each order more makes
// the error 0.42 times as large.
func order(err float64) int {
	return max(least, min(most, int(math.Ceil(4.55+math.Log10(0.0045/err)/0.38))))
}

// spread returns the least edge of a cell in radii of its particles. Beyond that distance
// the particle nearly acts as a point.
func spread(k biot.Kernel, err float64) float64 {
	switch k {
	case biot.Algebraic:
		// Its velocity differs from a point's velocity by 15/8 (σ/d)⁴. In the L2 norm over
		// particles of random strengths in all space outside of a ball with the radius d that
		// is 0.63 (σ/d)^4.5. The points of two cells are 1.5 edges apart or more but for few.
		// It may be 0.55 of the error; the error of the expansions, up to 0.7 of it, adds up with it
		// as squares.
		return num.Pow(0.63/(0.55*err), 1/4.5) / 1.5
	case biot.Gauss:
		return math.Sqrt(2 * math.Log(10/err)) // exp(−ρ²/2) = err/10
	}
	return 1 // Core is a point beyond its radius
}
