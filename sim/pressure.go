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
// causes, by the relaxed Jacobi iteration of Ihmsen et al., Implicit
// Incompressible SPH, 2014, alg. 1, whose unknown is the whole pressure: so
// the clamp is on the pressure itself, and the last step's is a start. What
// counts as left to do is a pressure that is too high as much as one that is
// too low; else a warm start would keep what it need not.
type projection struct {
	accel []Vec4    // a(k)
	diag  []float32 // −∂C_i/∂k_i, 1/m²
	part  []float64 // sums by block
}

// relax is the relaxation factor ω of the Jacobi iteration, Ihmsen et al.
// 2014, sec. 3.1.
const relax = 0.5

// factors sets diag, the inverse of the paper's α (eq. 12, with V for m/ρ and
// without its density):
//
//	−∂C_i/∂k_i = |Σ_j V∇W_ij + ∇λ_i|² + Σ_j |V∇W_ij|².
func (s *projection) factors(p *Pairs) {
	n := p.Near.Len()
	s.accel = slices.Grow(s.accel[:0], n)[:n]
	s.diag = slices.Grow(s.diag[:0], n)[:n]
	s.part = slices.Grow(s.part[:0], blocks(n))[:blocks(n)]
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			_, grad, _ := p.Of(i)
			var x, y, z, sq float32
			for n := range grad {
				g := &grad[n]
				x, y, z = x+g.X, y+g.Y, z+g.Z
				sq += g.X*g.X + g.Y*g.Y + g.Z*g.Z
			}
			b := &p.WallGrad[i]
			dot := (x+b.X)*(x+b.X) + (y+b.Y)*(y+b.Y) + (z+b.Z)*(z+b.Z)
			s.diag[i] = dot + sq
		}
	})
}

// solve improves k until the mean of what is left of the excess e, in parts
// of the rest density, is at most tol, for at most maxIter iterations, and
// leaves the acceleration in s.accel. It returns the number of iterations.
func (s *projection) solve(p *Pairs, k, e []float32, dt, tol float64, maxIter int) int {
	n := p.Near.Len()
	dt2 := float32(dt * dt)
	for iter := 1; ; iter++ {
		p.pressureAccel(s.accel, k)
		p.each(func(b, lo, hi int) {
			var sum float64
			for i := lo; i < hi; i++ {
				if s.diag[i] == 0 {
					continue
				}
				left := e[i] + dt2*p.compression(s.accel, i)
				scale := relax / (dt2 * s.diag[i])
				next := max(0, k[i]+scale*left)
				sum += math.Abs(float64((next - k[i]) / scale))
				k[i] = next
			}
			s.part[b] = sum
		})
		var left float64
		for _, v := range s.part {
			left += v
		}
		if iter >= 2 && left <= tol*float64(n) || iter == maxIter {
			p.pressureAccel(s.accel, k)
			return iter
		}
	}
}
