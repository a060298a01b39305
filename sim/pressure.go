package sim

import (
	"math"
	"slices"
)

// projection finds the pressures that keep the density from rising: the heart
// of the incompressible solvers.
//
// With k = p/ρ₀ and e the excess to come, it solves
//
//	e_i + dt² C_i(a(k)) ≤ 0,  k_i ≥ 0,  one of them an equality,
//
// with a the pressure acceleration and C the compression it causes (Ihmsen et al.,
// Implicit Incompressible SPH, 2014; Bender and Koschier 2017 add up the effect of
// corrections to the same end). C∘a is symmetric and negative semidefinite, so the
// solution is the optimum of a convex quadratic function on k ≥ 0. A gradient method
// finds it: the Jacobi step with Chebyshev acceleration (Golub and Varga, Chebyshev
// semi-iterative methods, Numer. Math. 3, 1961).
//
// Chebyshev's polynomials are the best for eigenvalues of the Jacobi matrix in a range
// [λ/κ, λ]. λ is known. κ is not, for it grows with the square of the depth in particles;
// but few iterations cannot use a wide range. So κ starts small, and after √κ iterations
// in vain it is taken four times as large. A corrector makes κ small for any depth; see
// multilevel.
//
// The residual counts pressures that are too low, and half as much pressures that are too
// high. Otherwise a warm start would keep pressure that it does not need.
//
// In a jet k may be negative, down to −suction; see allowSuction.
//
// A closed liquid has no surface, k may have either sign, and it is the mean of
// e that cannot be mended.
type projection struct {
	accel  []Vec4    // a(k)
	comp   []float32 // C(a(k)), and then what remains of e
	before []float32 // k of the iteration before
	part   []part    // sums by block
	tol    float32   // of the solve
}

// part is a block's part of the sums of an iteration.
type part struct {
	left float64 // Σ of the remaining e
	size float64 // Σ of its absolute values
}

// pressureRate is the C∘a of a projection, or an approximation of it.
type pressureRate interface {
	// bound returns a bound of the eigenvalues of the Jacobi matrix.
	bound() float64
	// start returns the ranges of eigenvalues of a solve.
	start() ranges
	// spread prepares an iteration, counted from 1, for k, the S of p.At. It sets the
	// pressure rates of the free bodies.
	spread(s *projection, p *Pairs, iter int)
	// sum sets s.comp of the particles of block b to C(a(k)), while other blocks change
	// their k already.
	sum(s *projection, p *Pairs, b, iter int)
}

// densityRate is the exact C∘a of the sums. If cold is set the solve starts from k = 0. It
// leaves a(k) in accel.
type densityRate struct{ cold bool }

// lambda bounds the eigenvalues of the Jacobi matrix of densityRate. It is 2.86 in a
// regular lattice; the largest found in broken dams was 3.06.
const lambda = 3.3

func (densityRate) bound() float64 { return lambda }

func (densityRate) start() ranges { return plainRanges(kappa) }

func (r densityRate) spread(s *projection, p *Pairs, iter int) {
	if r.cold && iter == 1 {
		clear(s.accel)
		clear(s.comp)
		p.clearPressureRates()
		for i := range p.At {
			p.At[i].S = 0
		}
		return
	}
	if iter > 1 {
		p.setPressures(nil)
	}
	p.each(func(b, _, _ int) {
		p.pressureAccel(b, s.accel)
		if !r.cold {
			p.blocks[b].addAlong(s.accel[b*blockLen:], iter == 1)
		}
		p.sumPressures(b)
	})
	p.setPressureRates()
	updateImages(p, s.accel)
}

func (r densityRate) sum(s *projection, p *Pairs, b, iter int) {
	if r.cold && iter == 1 {
		return
	}
	p.compression(b, s.comp, s.accel)
	if p.rigid != nil {
		p.addBodyRates(b, s.comp, p.rigid.pressureRate)
	}
}

const (
	// kappa is the first range of eigenvalues, measured to take the fewest
	// iterations: 8 to 20 are within a tenth.
	kappa = 12

	// minIter is the least number of iterations. The next step's solve must correct an
	// error that an iteration leaves.
	minIter = 2

	// mostCorrected is the number of iterations after which a solve goes on without
	// corrections, from lateKappa on. Few solves take a third of them. Particles that a
	// correction presses and releases by turns could keep a solve from its end.
	mostCorrected = 64
	lateKappa     = 768

	// smoothSteps is the number of steps without corrections that a solve with corrections
	// ends with, from smoothKappa on, after the one of the iteration that finds it done. They
	// take the steps between cells, which take energy from waves: without them 0.918 ± 0.009 of
	// the height was left after ten periods, with them 0.950 ± 0.004, and without any
	// corrections 0.947 ± 0.004.
	smoothSteps = 1
	smoothKappa = 10
)

// solve finds k, the S of p.At, so that the mean of the remaining excess e is at most
// tol, relative to the rest density. It takes at most maxIter iterations from the present k.
// It returns the number of iterations. With a corrector k is the one after the last step. Without, it
// is the one before it, to which the accelerations belong.
func (s *projection) solve(p *Pairs, e []float32, dt, tol float64, maxIter int, rate pressureRate) int {
	s.accel = slices.Grow(s.accel[:0], p.numItems())[:p.numItems()]
	s.comp = slices.Grow(s.comp[:0], p.n)[:p.n]
	s.before = slices.Grow(s.before[:0], p.n)[:p.n]
	s.part = slices.Grow(s.part[:0], blocks(p.n))[:blocks(p.n)]
	s.tol = float32(tol)
	if p.closed {
		s.balance(p, e)
	}
	best, bound := math.Inf(1), float32(rate.bound())
	c := newChebyshev(rate.start())
	share, dt2 := float32(1), float32(dt*dt)
	last := maxIter
	coarse, corrects := rate.(corrector)
	if corrects {
		share = jacobiShare
	}
	for iter := 1; ; iter++ {
		rate.spread(s, p, iter)
		if iter > mostCorrected && coarse != nil {
			coarse, share, c = nil, 1, newChebyshev(plainRanges(lateKappa))
		}
		gamma, omega := c.next()
		p.each(func(b, lo, hi int) {
			rate.sum(s, p, b, iter)
			s.part[b] = s.step(p, e, lo, hi, dt2, bound, gamma*share, omega)
		})
		var sum part
		for _, v := range s.part {
			sum.left += v.left
			sum.size += v.size
		}
		low, high := float64((sum.size+sum.left)/2), float64((sum.size-sum.left)/2)
		left := max(low, float64(high/2))
		done := left <= tol*float64(p.n)
		if done && coarse != nil && iter < maxIter {
			coarse, share, c = nil, 1, newChebyshev(plainRanges(smoothKappa))
			last = min(maxIter, iter+smoothSteps)
			continue
		}
		if iter >= minIter && done && last == maxIter || iter == last {
			if corrects {
				if p.rigid != nil {
					rate.spread(s, p, iter+1)
				}
				return iter
			}
			// Back to the k that a is of.
			for i, k := range s.before {
				p.At[i].S = k
			}
			return iter
		}
		if left > 2*best {
			c.restart()
			best = left
		}
		best = min(best, left)
		if coarse != nil {
			coarse.correct(s, p, dt2, gamma*omega, omega == 1)
		}
	}
}

// balance subtracts the mean from e, because a closed liquid cannot expand or shrink as a
// whole.
func (s *projection) balance(p *Pairs, e []float32) {
	p.each(func(b, lo, hi int) {
		s.part[b].left = 0
		for _, v := range e[lo:hi] {
			s.part[b].left += float64(v)
		}
	})
	mean := 0.
	for _, v := range s.part {
		mean += v.left
	}
	mean /= float64(p.n)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			e[i] -= float32(mean)
		}
	})
}

// step updates k of the particles lo ≤ i < hi, for which s.comp is C(a(k)), to the next
// iteration, and stores the old k in s.before and what remains of e in s.comp.
func (s *projection) step(p *Pairs, e []float32, lo, hi int, dt2, bound, gamma, omega float32) (sum part) {
	at, diagonal, e, comp, before := p.At[lo:hi], p.Diagonal[lo:hi], e[lo:hi], s.comp[lo:hi], s.before[lo:hi]
	var suction []float32
	if len(p.suction) > 0 {
		suction = p.suction[lo:hi]
	}
	if omega == 1 {
		for i := range before {
			before[i] = at[i].S
		}
	}
	closed, lowest := p.closed, float32(0)
	if closed {
		lowest = -math.MaxFloat32
	}
	// Branches here on a particle's values are not predictable: they change from particle
	// to particle.
	for i, b := range before {
		k, scale := at[i].S, float32(bound*dt2*diagonal[i])
		if suction != nil {
			lowest = -suction[i]
		}
		r := e[i] + float32(dt2*comp[i])
		left := float64(max(r, float32((lowest-k)*scale)))
		if closed {
			left = float64(r)
		}
		comp[i] = r
		sum.left += left
		sum.size += math.Abs(left)
		jacobi := float32(gamma * (r / max(scale, math.SmallestNonzeroFloat32)))
		at[i].S = max(lowest, b+float32(omega*(k-b+jacobi)))
		before[i] = k
	}
	return sum
}

// lowest returns the lowest k that particle i may have, m²/s².
func (p *Pairs) lowest(i int) float32 {
	switch {
	case p.closed:
		return -math.MaxFloat32
	case len(p.suction) > 0:
		return -p.suction[i]
	}
	return 0
}

// chebyshev is the state of the semi-iteration of Golub and Varga 1961, eq.
// 2.12, for eigenvalues from 1/κ to 1:
//
//	k ← k′ + ω (k − k′ + γ (J(k) − k)),  k′ the k before, J a Jacobi step.
type chebyshev struct {
	ranges
	kappa float64
	omega float64
	n     int // iterations with this κ
}

// ranges are the κ that a solve takes one after the other.
type ranges struct {
	first, last float64
	growth      float64 // from each κ to the next
	length      float64 // iterations with each, in √κ
}

// plainRanges are those of a solve without corrections.
func plainRanges(first float64) ranges {
	return ranges{first: first, last: math.Inf(1), growth: 4, length: 1}
}

func newChebyshev(r ranges) chebyshev { return chebyshev{ranges: r, kappa: r.first} }

// next returns the factors of the next iteration.
func (c *chebyshev) next() (gamma, omega float32) {
	if float64(c.n) > float64(c.length*math.Sqrt(c.kappa)) {
		c.restart()
		c.kappa = min(c.last, float64(c.kappa*c.growth))
	}
	rho := (c.kappa - 1) / (c.kappa + 1)
	switch c.n++; c.n {
	case 1:
		c.omega = 1
	case 2:
		c.omega = 2 / (2 - float64(rho*rho))
	default:
		c.omega = 4 / (4 - float64(rho*rho*c.omega))
	}
	return float32(2 * c.kappa / (c.kappa + 1)), float32(c.omega)
}

// restart forgets the iterations so far.
func (c *chebyshev) restart() { c.n = 0 }
