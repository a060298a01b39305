package sim

import (
	"math"
	"slices"
)

// arrangement keeps the particles evenly spread.
type arrangement struct {
	next, even []float32 // the relative density − 1, averaged over the neighbours once, with images, and twice
	by         []Vec4    // shifts, m
}

const (
	// evenShare is the share of an averaged error of the density that a step corrects. With 0.1
	// standing waves lose a fifth of their height in ten periods, at 50 particles per wavelength.
	// With 0.3 they gain a tenth.
	evenShare = 0.2

	// mostUneven is the excess of a particle over the rest density from which on a step
	// corrects it alone, as IISPH does: in impacts particles come closer than averages show.
	mostUneven = 0.05
	loneShare  = 0.7

	// relativeShift is the shift relative to the path of a particle among its neighbours,
	// times h∇C. A flow stretches a lattice into rows, and a column that collapses comes apart
	// between them and gains energy: with 10 nearly ten times as much as with this.
	relativeShift = 60

	// longestShift bounds the shift in a step, in spacings.
	longestShift = 0.05
)

// A particle whose θ varies around it, h|∇θ|, by more than the first value is beside the surface,
// and from the second on it is not shifted across it.
const (
	besideSurface = 0.02
	atSurface     = 0.1
)

// average prepares excess for the densities of p. The averages are two steps of diffusion,
// in which values that alternate from particle to particle vanish.
func (s *arrangement) average(w *World, p *Pairs) {
	s.resize(p)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.next[i] = uneven(w, p, i)
		}
	})
	diffuse(w, p, s.even, s.next)
	copy(s.next, s.even)
	diffuse(w, p, s.even, s.next)
}

// start sets S of p.At to the values that average starts from. Instead of average a solver may
// call start, half and finish, and sum over the neighbours in passes that it makes anyway.
func (s *arrangement) start(w *World, p *Pairs) {
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			p.At[i].S = uneven(w, p, i)
		}
	})
	p.updateImageScalars()
}

// half returns the first of the averages, once the correction was found for the S of start, less
// what the densities read too high. The second average is of both.
func (s *arrangement) half(w *World, p *Pairs) []float32 {
	s.resize(p)
	inv := 1 / alternation(w.Dim())
	flat := w.Dim() == 2
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		for i := lo; i < hi; i++ {
			s.next[i] = p.At[i].S + float32(p.correction.moments[i].Y.S*inv)
			if !w.Closed {
				s.next[i] -= p.correction.bias(blk, i, flat)
			}
		}
	})
	return s.next[:p.n]
}

// finish sets the second of the averages. S of sums is the Differences of the first.
func (s *arrangement) finish(w *World, p *Pairs, sums []Vec4) {
	inv := 1 / alternation(w.Dim())
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.even[i] = s.next[i] + float32(sums[i].S*inv)
		}
	})
}

func (s *arrangement) resize(p *Pairs) {
	s.next = slices.Grow(s.next[:0], p.numItems())[:p.numItems()]
	s.even = slices.Grow(s.even[:0], p.n)[:p.n]
}

// diffuse sets out to the values after a step of diffusion, an average over the neighbours. It gives
// the images their values.
func diffuse(w *World, p *Pairs, out, values []float32) {
	inv := 1 / alternation(w.Dim())
	updateImages(p, values)
	p.each(func(b, lo, hi int) {
		p.blocks[b].Differences(out, values)
		for i := lo; i < hi; i++ {
			out[i] = values[i] + float32(out[i]*inv)
		}
	})
}

// uneven returns the relative density of particle i, less 1; at least the density of a drop.
func uneven(w *World, p *Pairs, i int) float32 {
	return float32(max(sparse-1, w.Rho[i]/w.Rho0+float64(p.Deficit[i])-1))
}

// excess is the source term of the solve, like plainExcess.
func (s *arrangement) excess(i int, density, timeShare float64) float64 {
	if density <= sparse {
		return density - 1
	}
	return (float64(evenShare*float64(s.even[i])) + float64(loneShare*max(0, density-1-mostUneven))) * timeShare
}

// shift moves the particles inside the liquid a little, from where they are dense to where
// they are few,
//
//	x_i ← x_i − relativeShift θ_i u_i dt h ∇C_i,  ∇C_i = Σ_j V ∇W_ij + ½ ∇λ_i,
//
// with u_i the particle's speed relative to its neighbours, by which the arrangement is
// disturbed, and θ the inner of surroundings (after Lind et al., Incompressible smoothed
// particle hydrodynamics for free-surface flows, J. Comput. Phys. 231, 2012, who take the
// speed itself, so that their shift depends on the frame of reference). Beside the surface
// there is no shift across it, as there: θ is averaged over the neighbours to find its slope two
// layers deep. Without the average the shift lifted the third layer against the pressure all the
// time, and the work let small waves grow by a tenth in ten periods. A jet has spreadAlongJets in place of it: gravity
// stretches a jet all the time, and shifts across one four particles wide moved its particles
// out of each other's reach within 20 spacings. Velocities, and so momentum, are kept. gradient
// has accelerated the particles.
func (s *arrangement) shift(w *World, p *Pairs, dt float64, around *surroundings, gradient *consistentGradient) {
	s.by = slices.Grow(s.by[:0], p.n)[:p.n]
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.by[i] = Vec4{}
			inner := around.inner[i]
			if inner == 0 || p.Diagonal[i] == 0 || p.jets(i) {
				continue
			}
			u := math.Sqrt(float64(around.speed2[i]))
			by := vec3(around.lack[i]).Mul(-float64(inner) * min(relativeShift*u*dt, maxShift*w.Spacing))
			// h times the slope of the averaged θ, 0 where all neighbours are inner ones.
			across := vec3(*gradient.ofInnerMean(i)).Sub(vec3(p.correction.moments[i].X).Mul(float64(around.innerMean[i])))
			if steep := across.Len(); steep > besideSurface {
				n := across.Mul(1 / steep)
				by = by.Sub(n.Mul(by.Dot(n) * min(1, (steep-besideSurface)/(atSurface-besideSurface))))
			}
			if l := by.Len(); l > longestShift*w.Spacing {
				by = by.Mul(longestShift * w.Spacing / l)
			}
			s.by[i] = vec4(by)
		}
	})
	conserveShift(w, p, s.by)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			w.X[i] = w.X[i].Add(vec3(s.by[i]))
		}
	})
}
