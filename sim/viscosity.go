package sim

import (
	"slices"

	"breakwater/sim/pairsum"
	"breakwater/sim/vec"
)

// addViscosity adds the acceleration by the liquid's viscosity ν of the
// particles of block b to a,
//
//	a_i = 2ν Σ_j V (x_ij·∇W_ij)/|x_ij|² v_ij
//
// (Morris, Fox and Zhu, Modeling Low Reynolds Number Incompressible Flows
// Using SPH, J. Comput. Phys. 136, 1997, eq. 22). It conserves momentum. The
// form along the line of centres (Monaghan 2005) would conserve angular
// momentum too, but with so few neighbours it finds a third too little
// viscosity in a lattice's shear.
//
// With surface tension the form of the implicit solve takes its place. That form has no
// stress at free faces, so a drop spins on. It damps ripples as short as the spacing,
// which this one leaves with fifty times as much energy.
func addViscosity(w *World, b int, a, out []Vec4, p *Pairs) {
	if w.SurfaceTension > 0 {
		p.strain(b, out, p.V)
		pairsum.AddScaled(a, out, float32(w.viscosity()))
		return
	}
	blk := &p.blocks[b]
	blk.Diffusion(out, p.V)
	pairsum.AddScaled(a, out, float32(2*w.viscosity())/(p.h*p.h))
}

// implicitViscosity applies viscosity implicitly, where the explicit sum of addViscosity
// would need shorter steps than the motion: for high viscosities and small spacings. The
// velocities after a step are those that solve
//
//	v − dt ν A v = v*,  A the sum of resistance
//
// (Weiler et al., A Physically Consistent Implicit Viscosity Solver for SPH Fluids,
// Comput. Graph. Forum 37, 2018), which is stable for any dt. Its matrix is symmetric and
// has no eigenvalue below 1. So the method of conjugate gradients finds the change v −
// v*, with an error of at most the residual. All that it adds up are sums A d of pairs,
// so that momentum stays to rounding wherever it stops; a preconditioner would spoil
// that.
type implicitViscosity struct {
	change    []Vec4    // v − v*, m/s
	residual  []Vec4    // of the equation, m/s
	direction []Vec4    // the direction of search
	image     []Vec4    // direction − dt A direction
	spread    []float32 // see scaleResistance
	part      []float64 // sums by block

	bodies viscousBodies
}

// resistanceFactor corrects for the weaker resistance of particles that do not lie in all
// directions alike. A lattice's shear wave decays at 0.95 to 0.96 of its rate, and at
// 0.91 to 0.93 once its layers have passed each other. Particles that are pressed flat
// resist as they should.
const resistanceFactor = 1.04

// maxViscosityIter is the largest number of iterations. Velocities that are still less
// smooth than they should be are improved in the next step.
const maxViscosityIter = 200

// negligibleMove is the distance, in spacings, by which an error of the velocities may
// move particles in a step without counting.
const negligibleMove = 1e-6

// implicitCost is how many steps with the explicit sum take as long as one with the
// solve.
const implicitCost = 4

// boundedDt returns the longest step, up to dt, that viscosity and the forces
// allow.
func boundedDt(w *World, dt float64) float64 {
	forced := min(dt, forcedDt(w))
	explicit := explicitDt(w)
	if forced < implicitCost*explicit {
		return min(forced, explicit)
	}
	return forced
}

// explicitDt returns the longest step with the explicit sum of viscosity beside the other forces.
func explicitDt(w *World) float64 { return 1 / (1/w.viscousDt() + forceRate(w)) }

// viscosityIsStiff reports whether viscosity is too much for an explicit step of dt
// beside the other forces.
func viscosityIsStiff(w *World, dt float64) bool {
	const rounding = 1e-9
	return w.viscosity() > 0 && (dt > (1+rounding)*explicitDt(w) || dragIsStiff(w, dt))
}

// solve changes the velocities, w's and p's, as viscosity does in dt, to
// within ViscosityError of the change. It returns the number of iterations, and
// leaves S of p.At without meaning.
func (s *implicitViscosity) solve(w *World, p *Pairs, dt float64) int {
	for _, v := range []*[]Vec4{&s.change, &s.residual, &s.direction, &s.image} {
		*v = slices.Grow((*v)[:0], p.numItems())[:p.numItems()]
	}
	s.scaleResistance(p, w.Dim())
	s.part = slices.Grow(s.part[:0], blocks(p.n))[:blocks(p.n)]
	scale := float32(dt * w.viscosity() * resistanceFactor)
	free := &s.bodies
	free.start(p, dt*w.viscosity()*resistanceFactor)

	// The change by viscosity in the previous step is a good first guess. With free
	// bodies there is no such guess, because none would conserve momentum.
	last := dt
	if p.rigid != nil {
		last = 0
	}
	var carried [3][]float64
	for k, name := range carryViscous {
		carried[k] = w.Carry(name)
	}
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.change[i] = vec4(vec.New(carried[0][i], carried[1][i], carried[2][i]).Mul(last))
			c, v := &s.change[i], &p.V[i]
			s.direction[i] = Vec4{X: v.X + c.X, Y: v.Y + c.Y, Z: v.Z + c.Z}
		}
	})
	updateImages(p, s.direction)
	left := s.sum(p, func(b, lo, hi int) float64 {
		r, c := s.residual[lo:hi], s.change[lo:hi]
		p.resistance(b, r, s.direction)
		p.addFrictionResistance(b, r, nil, true)
		for i := range r {
			r[i] = Vec4{X: float32(scale*r[i].X) - c[i].X, Y: float32(scale*r[i].Y) - c[i].Y, Z: float32(scale*r[i].Z) - c[i].Z}
		}
		return dot(r, r)
	})
	left += free.begin(p)
	copy(s.direction, s.residual)
	updateImages(p, s.direction)
	nothing := negligibleMove * w.Spacing / dt
	enough := float64(p.n) * nothing * nothing
	iter := 0
	for left > enough && iter < maxViscosityIter {
		iter++
		curve := s.sum(p, func(b, lo, hi int) float64 {
			q, d := s.image[lo:hi], s.direction[lo:hi]
			p.resistance(b, q, s.direction)
			for i := range q {
				q[i] = Vec4{X: d[i].X - float32(scale*q[i].X), Y: d[i].Y - float32(scale*q[i].Y), Z: d[i].Z - float32(scale*q[i].Z)}
			}
			return dot(d, q)
		})
		curve += free.apply(p)
		alpha := float32(left / curve)
		before := left
		left = s.sum(p, func(_, lo, hi int) float64 {
			step(s.change[lo:hi], s.change[lo:hi], alpha, s.direction[lo:hi])
			step(s.residual[lo:hi], s.residual[lo:hi], -alpha, s.image[lo:hi])
			return dot(s.residual[lo:hi], s.residual[lo:hi])
		})
		left += free.step(p, alpha)
		beta := float32(left / before)
		size := s.sum(p, func(_, lo, hi int) float64 {
			step(s.direction[lo:hi], s.residual[lo:hi], beta, s.direction[lo:hi])
			return dot(s.change[lo:hi], s.change[lo:hi])
		})
		free.nextDirection(p, beta)
		updateImages(p, s.direction)
		enough = max(enough, w.ViscosityError*w.ViscosityError*size)
	}
	work := s.sum(p, func(b, lo, hi int) (sum float64) {
		driven := p.blocks[b].driven
		for i := lo; i < hi; i++ {
			change := vec3(s.change[i])
			carried[0][i], carried[1][i], carried[2][i] = change.X/dt, change.Y/dt, change.Z/dt
			w.V[i] = w.V[i].Add(change)
			p.V[i] = vec4(w.V[i])
			if len(driven) > 0 && int(driven[0]) == i {
				driven = driven[1:]
			} else {
				sum += change.Dot(w.V[i])
			}
		}
		return sum
	})
	updateImages(p, p.V)
	w.energy.thickened(w, p, w.Mass()*work, free.end(p), scale)
	return iter
}

// resistance sets a to the acceleration of the particles of block b by a
// viscosity of 1 m²/s where the velocities are v: A v of the solve, in 1/(m s).
// Walls with friction hold it as if they stood still, free bodies as they move.
func (p *Pairs) resistance(b int, a, v []Vec4) {
	if p.rigid != nil {
		p.blocks[b].clearSums()
	}
	p.strain(b, a, v)
	p.addFrictionResistance(b, a, v, false)
}

// strain is resistance without the walls.
//
// It acts along the line of centres of each pair, so free faces have no stress. A block
// tumbles on, and a column sinks as theory says. With the sum of addViscosity, which has
// no slope at the faces, the column would sink twice as fast. S of p.At must be as
// scaleResistance has set it.
func (p *Pairs) strain(b int, a, v []Vec4) {
	p.blocks[b].Strain(a, p.At, v)
	scale := 1 / (p.h * p.h)
	for i := range a {
		a[i] = Vec4{X: scale * a[i].X, Y: scale * a[i].Y, Z: scale * a[i].Z}
	}
}

// scaleResistance sets S of p.At so that resistance is ∇²v of a flow without divergence.
// It is half of 2·15/Σ u³|d|⁴ in three dimensions and half of 2·8/Σ in two. The factors
// follow from the mean over all directions of the squared product of two components. It
// compensates for half of the missing sum at a surface; drops and sheets with smaller
// sums get no more.
func (s *implicitViscosity) scaleResistance(p *Pairs, dim int) {
	s.spread = slices.Grow(s.spread[:0], p.n)[:p.n]
	sum := s.spread
	factor, lattice := resistanceFactors(dim)
	p.each(func(b, lo, hi int) {
		p.blocks[b].Spread(sum, p.At)
		for _, r := range p.blocks[b].frictions {
			sum[lo+int(r.i)] += float32(lattice * r.part)
		}
		for i := lo; i < hi; i++ {
			p.At[i].S = factor / max(sum[i], 0.75*lattice)
		}
	})
	p.updateImageScalars()
}

// resistanceFactors returns the factor over Σ u³|d|⁴ of scaleResistance, and this sum in a
// lattice.
func resistanceFactors(dim int) (factor, lattice float32) {
	if dim == 2 {
		return 8, 0.230 // 4·¾³/16 + 4·½³/4
	}
	return 15, 0.604 // 6·¾³/16 + 12·½³/4 + 8·¼³·9/16
}

// sum returns the sum of f over the blocks, in their order.
func (s *implicitViscosity) sum(p *Pairs, f func(b, lo, hi int) float64) (sum float64) {
	p.each(func(b, lo, hi int) { s.part[b] = f(b, lo, hi) })
	for _, v := range s.part {
		sum += v
	}
	return sum
}

// step sets dst to a + f b.
func step(dst, a []Vec4, f float32, b []Vec4) {
	for i := range dst {
		a, b := &a[i], &b[i]
		dst[i] = Vec4{X: a.X + float32(f*b.X), Y: a.Y + float32(f*b.Y), Z: a.Z + float32(f*b.Z)}
	}
}

func dot(a, b []Vec4) (sum float64) {
	for i := range a {
		a, b := &a[i], &b[i]
		sum += float64(float64(a.X)*float64(b.X)) + float64(float64(a.Y)*float64(b.Y)) + float64(float64(a.Z)*float64(b.Z))
	}
	return sum
}

// carryViscous names the acceleration by viscosity, m/s², which the particles
// carry from step to step.
var carryViscous = [3]string{"viscous_x", "viscous_y", "viscous_z"}
