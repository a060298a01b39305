package sim

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// biharmonicViscosity takes velocities that differ from particle to particle, and leaves
// the flow.
//
// Pressures and disordered particles disturb each other: particles under pressure vibrate
// against their neighbours as the atoms of a solid do. Water's viscosity takes seconds to
// minutes to stop that. A Laplacian that stops it also stops waves. The biharmonic operator
// separates them by their length λ: its rate falls with (d/λ)⁴. Fourth differences have
// served finite volumes (Jameson, Schmidt and Turkel, Numerical solution of the Euler
// equations by finite volume methods using Runge-Kutta time-stepping schemes, AIAA
// 81-1259, 1981) and models of the oceans (Griffies and Hallberg, Biharmonic friction with
// a Smagorinsky-like viscosity, Mon. Weather Rev. 128, 2000) in this way.
//
// With B v = Σ_j f_ij (v_j − v_i)/alternation, f the kernel's slope over the distance, a
// step is
//
//	v ← v − B β B v,  β = θ min(biharmonicRate √(p/ρ) dt/d, mostBiharmonic).
//
// √(p/ρ)/d is the frequency at which a particle under the pressure p vibrates. Both sums
// are symmetric, so momentum is conserved, and a step takes the energy Σ β |B v|² and gives
// none. θ is the inner of surroundings: at a surface B v of a rotation would not vanish, and
// drops would stop to spin.
type biharmonicViscosity struct {
	laplacian []Vec4 // β B v, with images
	change    []Vec4 // alternation B β B v; S is the Differences of values
}

// biharmonicRate is the rate at which alternating velocities are lost, in √(p/ρ)/d. With
// half as much, water at rest moves 1.3 times as fast.
const biharmonicRate = 1

// mostBiharmonic is the largest share of such velocities that a step takes. The largest
// eigenvalue of B is 1 in a lattice and below 2 in flows, and a step is stable while its square
// times this share is below 2.
const mostBiharmonic = 0.4

// apply changes the velocities of w and p, for which around was found. S of change becomes the
// Differences of values, one per particle, which costs no pass of its own.
func (s *biharmonicViscosity) apply(w *World, p *Pairs, dt float64, around *surroundings, values []float32) {
	inv := 1 / alternation(w.Dim())
	carried := w.Carry(carryPressure)
	s.laplacian = slices.Grow(s.laplacian[:0], p.numItems())[:p.numItems()]
	s.change = slices.Grow(s.change[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		blk, u := &p.blocks[b], s.laplacian[lo:hi]
		for k := range u {
			i := lo + k
			pressure := max(0, carried[i])
			if w.Closed { // where the mean pressure is 0
				pressure = math.Abs(carried[i])
			}
			beta := min(mostBiharmonic, biharmonicRate*math.Sqrt(pressure/w.Rho0)*dt/w.Spacing)
			f := around.inner[i] * float32(beta) * inv
			by := &around.spread[i]
			u[k] = Vec4{X: f * by.X, Y: f * by.Y, Z: f * by.Z, S: values[i]}
		}
		for _, i := range blk.driven {
			u[int(i)-lo] = Vec4{S: values[i]}
		}
	})
	updateImages(p, s.laplacian)
	p.each(func(b, lo, hi int) { p.blocks[b].Diffusion(s.change[lo:hi], s.laplacian) })
	addAcceleration(w, p, s.change, vec.Vec3{}, -float64(inv))
}
