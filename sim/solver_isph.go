package sim

import (
	"math"
	"slices"
)

func init() {
	Solvers.Add("isph", "incompressible SPH with corrected gradients and particle shifting: still water stays still, and waves keep their height",
		"Bonet and Lok 1999; Lind et al. 2012", func() Solver { return &ISPH{MaxError: 1e-4, MaxIter: 100, CFL: 0.4} })
}

// ISPH is an incompressible solver whose pressure acts on the flow and not on the
// arrangement of the particles.
//
// IISPH demands that the density sum of each particle is constant. The sum depends on the
// arrangement of the neighbours, so particles under pressure behave like the grains of a
// packing: it resists shear in proportion to the pressure, and its grains vibrate. Waves
// lose their energy to this vibration, and water at rest keeps it. Here
//
//   - the divergence of the velocities is taken with corrected gradients, which no linear
//     shear changes (see gradientCorrection);
//   - the error of the density is averaged over the neighbours before a step corrects it,
//     and the step corrects a tenth of it. So the pressure keeps the volume and leaves the
//     arrangement alone;
//   - particles are shifted to where the density is lower, which keeps their arrangement
//     even without a force (see shift);
//   - a biharmonic viscosity takes the velocities that alternate from particle to particle
//     (see biharmonicViscosity).
//
// In standing waves of 50 and 100 particles per wavelength, 0.97 and 1.01 of the amplitude
// is left after ten periods, and 0.35 and 0.47 with IISPH. Water at rest in a plane tank
// moves at 0.0088, 0.0084 and 0.0079 √(gH) where its depth H has 25, 50 and 100 particles,
// and at 0.024, 0.022 and 0.020 with IISPH. What is left of the motion comes from the
// corrected gradients, whose sum over the neighbours of a constant pressure is not 0.
//
// Highly viscous liquids and closed ones are solved as by IISPH.
type ISPH struct {
	MaxError float64 `toml:"max_error" unit:"1" range:"(0, 0.1]" doc:"Tolerance of the density solve: mean excess over the rest density, relative to it, of a liquid up to 20 particles deep. It falls in proportion as the depth grows."`
	MaxIter  int     `toml:"max_iterations" range:"[2, 10000]" doc:"Iterations after which a solve ends even if it has not reached its tolerance."`
	CFL      float64 `toml:"cfl" unit:"1" range:"(0, 1]" doc:"Distance that the liquid may move per step, in spacings. Its fastest thousandth may move twice as far."`

	incompressible
	biharmonicViscosity
	arrangement
}

// correctsGradients marks the solvers that need corrected gradients in all liquids.
func (*ISPH) correctsGradients() {}

// calmer implements accountant.
func (s *ISPH) calmer() (string, float64) { return calmerSolve, s.MaxError }

// MaxDt implements Solver.
func (s *ISPH) MaxDt(w *World) float64 { return maxDt(w, s.CFL) }

// Step implements Solver.
func (s *ISPH) Step(w *World, dt float64) (info StepInfo, err error) {
	watch := StartWatch(&info)
	p, err := w.updateNeighbors(watch)
	if err != nil {
		return info, err
	}
	correctGradients(w, p)
	p.setVelocities(w)
	free := !w.Closed && !highlyViscous(w)
	if free {
		s.biharmonicViscosity.apply(w, p, dt)
		s.arrangement.average(w, p)
	}
	info.ViscosityIter = s.applyForces(w, p, dt)
	watch.Lap(Forcing)
	source := plainExcess
	if free {
		source = s.arrangement.excess
	}
	info.DensityIter = s.solveDensity(w, p, dt, depthTolerance(w, s.MaxError), s.MaxIter, source)
	watch.Lap(Density)
	if free {
		s.arrangement.shift(w, p, dt)
	}
	shiftParticles(w, p, dt)
	spreadAlongJets(w, p, dt)
	err = w.move(dt, &info)
	watch.Lap(Moving)
	return info, err
}

// arrangement keeps the particles evenly spread.
type arrangement struct {
	even, next []Vec4 // X is the relative density − 1, averaged over the neighbours, with images
	sums       []Vec4 // Σ_j V (L_i + L_j) ∇W_ij
}

const (
	// evenShare is the share of an averaged error of the density that a step corrects.
	// With 0.7 a standing wave grows by 6 % in ten periods.
	evenShare = 0.1

	// mostUneven is the excess of a particle over the rest density from which on a step
	// corrects it alone, as IISPH does: in impacts particles come closer than averages show.
	mostUneven = 0.05
	loneShare  = 0.7

	// relativeShift is the shift relative to the path of a particle among its neighbours,
	// times h∇C. With 1 a standing wave keeps 0.94 of its height, with 4 it grows by 24 %.
	relativeShift = 1.5

	// longestShift bounds the shift in a step, in spacings.
	longestShift = 0.05
)

// alternation returns the largest eigenvalue of Σ_j f_ij (v_i − v_j) in a square or cubic
// lattice, f the kernel's slope over the distance: that of velocities that alternate from
// particle to particle.
func alternation(dim int) float32 {
	if dim == 2 {
		return 10.9
	}
	return 12.1
}

// average prepares excess for the densities of p. The averages are two steps of diffusion,
// in which values that alternate from particle to particle vanish.
func (s *arrangement) average(w *World, p *Pairs) {
	s.even = slices.Grow(s.even[:0], p.numItems())[:p.numItems()]
	s.next = slices.Grow(s.next[:0], p.numItems())[:p.numItems()]
	for i := range p.n {
		s.even[i] = Vec4{X: float32(max(sparse-1, w.Rho[i]/w.Rho0+float64(p.Deficit[i])-1))}
	}
	inv := 1 / alternation(w.Dim())
	for range 2 {
		p.updateImages(s.even)
		p.each(func(b, lo, hi int) {
			p.blocks[b].Diffusion(s.next[lo:hi], s.even)
			for i := lo; i < hi; i++ {
				s.next[i] = Vec4{X: s.even[i].X + float32(s.next[i].X*inv)}
			}
		})
		s.even, s.next = s.next, s.even
	}
}

// excess is the source term of the solve, like plainExcess.
func (s *arrangement) excess(i int, density, timeShare float64) float64 {
	if density <= sparse {
		return density - 1
	}
	return (float64(evenShare*float64(s.even[i].X)) + float64(loneShare*max(0, density-1-mostUneven))) * timeShare
}

// shift moves the particles inside the liquid a little, from where they are dense to where
// they are few,
//
//	x_i ← x_i − relativeShift v_i dt h ∇C_i,  ∇C_i = ½ (Σ_j V (L_i + L_j) ∇W_ij + ∇λ_i),
//
// with v_i the particle's speed relative to its neighbours, by which the arrangement is
// disturbed (after Lind et al., Incompressible smoothed particle hydrodynamics for
// free-surface flows, J. Comput. Phys. 231, 2012, who take the speed itself, so that
// their shift depends on the frame of reference). The sum with L is the acceleration by a
// constant pressure, which then vanishes. Velocities, and so momentum, are kept.
func (s *arrangement) shift(w *World, p *Pairs, dt float64) {
	for i := range p.At {
		p.At[i].S = 0.5
	}
	p.setPressures()
	for i := range p.n {
		v := &p.V[i]
		s.even[i] = Vec4{X: float32(v.X*v.X) + float32(v.Y*v.Y) + float32(v.Z*v.Z)}
	}
	p.updateImages(s.even)
	inv := 1 / alternation(w.Dim())
	s.sums = slices.Grow(s.sums[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		var squares, velocities [blockLen]Vec4
		blk := &p.blocks[b]
		p.correction.gradient(p, blk, s.sums)
		blk.Diffusion(squares[:hi-lo], s.even)
		blk.Diffusion(velocities[:hi-lo], p.V)
		half := p.h / 2
		for i := lo; i < hi; i++ {
			share := p.innerShare(blk, i, w.Rho[i]/w.Rho0)
			if share == 0 || p.Diagonal[i] == 0 {
				continue
			}
			g := &s.sums[i]
			if len(blk.walls) > 0 {
				n := &blk.walls[i-lo]
				g.X += float32(half * n.X)
				g.Y += float32(half * n.Y)
				g.Z += float32(half * n.Z)
			}
			// Σ f |v_j − v_i|² = Σ f (v_j² − v_i²) − 2 v_i·Σ f (v_j − v_i)
			v, d := &p.V[i], &velocities[i-lo]
			relative := math.Sqrt(float64(max(0, 2*inv*(squares[i-lo].X-2*(float32(v.X*d.X)+float32(v.Y*d.Y)+float32(v.Z*d.Z))))))
			by := vec3(*g).Mul(-float64(share) * min(relativeShift*relative*dt, maxShift*w.Spacing))
			if l := by.Len(); l > longestShift*w.Spacing {
				by = by.Mul(longestShift * w.Spacing / l)
			}
			w.X[i] = w.X[i].Add(by)
		}
	})
}
