package sim

import (
	"math"
	"slices"
)

// projection finds the pressures that keep the density from rising: the heart
// of both solves of DFSPH (Bender and Koschier, Divergence-Free SPH for
// Incompressible and Viscous Fluids, 2017, sec. 3.3 and 3.4).
//
// Where the paper adds up the effect of corrections, it solves
//
//	e_i + dt² C_i(a(k)) ≤ 0,  k_i ≥ 0,  one of them an equality,
//
// for k = p/ρ₀, with a the pressure acceleration and C the compression it
// causes. Since C∘a is symmetric and negative semidefinite, that is the
// optimum of a convex quadratic function on k ≥ 0, which a gradient method
// finds: the relaxed Jacobi step of Ihmsen et al., Implicit Incompressible
// SPH, 2014, alg. 1, accelerated as Nesterov's (A method of solving a convex
// programming problem with convergence rate O(1/k²), 1983) and restarted where
// it overshoots (O'Donoghue and Candès, Adaptive restart for accelerated
// gradient schemes, 2015, eq. 12). Plain Jacobi needs iterations in proportion
// to the square of the depth in particles, this to the depth.
//
// What counts as left to do is a pressure that is too high as much as one that
// is too low; else a warm start would keep what it need not.
type projection struct {
	accel []Vec4    // a(k)
	comp  []float32 // C(a(k))
	step  []float32 // k after the last Jacobi step
	part  []part    // sums by block
}

// part is what a block adds to the sums of an iteration.
type part struct {
	left float64 // what is left of e
	dot  float64 // of the last two steps: positive if they go to and fro
}

// relax is the relaxation factor ω of the Jacobi steps. Plain Jacobi stands ½
// (Ihmsen et al. 2014, sec. 3.1); with momentum that is too much in a regular
// lattice, whose highest mode has an eigenvalue near 3.
const relax = 0.35

// solve improves k until the mean of what is left of the excess e, in parts
// of the rest density, is at most tol, for at most maxIter iterations, and
// leaves a(k) in s.accel. It returns the number of iterations.
func (s *projection) solve(p *Pairs, k, e []float32, dt, tol float64, maxIter int) int {
	s.accel = slices.Grow(s.accel[:0], p.n)[:p.n]
	s.comp = slices.Grow(s.comp[:0], p.n)[:p.n]
	s.step = append(s.step[:0], k...)
	s.part = slices.Grow(s.part[:0], blocks(p.n))[:blocks(p.n)]
	dt2 := float32(dt * dt)
	t := 1. // of Nesterov's sequence
	best := math.Inf(1)
	for iter := 1; ; iter++ {
		p.each(func(b, _, _ int) { p.pressureAccel(b, s.accel, k) })
		p.each(func(b, lo, hi int) {
			p.compression(b, s.comp, s.accel)
			var sum part
			for i := lo; i < hi; i++ {
				next := float32(0)
				if p.Stiff[i] > 0 {
					scale := relax / (dt2 * p.Stiff[i])
					next = max(0, k[i]+scale*(e[i]+dt2*s.comp[i]))
					sum.left += math.Abs(float64((next - k[i]) / scale))
				}
				sum.dot += float64((k[i] - next) * (next - s.step[i]))
				s.comp[i] = next
			}
			s.part[b] = sum
		})
		var sum part
		for _, v := range s.part {
			sum.left += v.left
			sum.dot += v.dot
		}
		if iter >= 2 && sum.left <= tol*float64(p.n) || iter == maxIter {
			return iter
		}
		if sum.dot > 0 || sum.left > 2*best {
			t, best = 1, sum.left
		}
		best = min(best, sum.left)
		tNext := (1 + math.Sqrt(1+4*t*t)) / 2
		momentum := float32((t - 1) / tNext)
		t = tNext
		p.each(func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				next := s.comp[i]
				k[i] = max(0, next+momentum*(next-s.step[i]))
				s.step[i] = next
			}
		})
	}
}
