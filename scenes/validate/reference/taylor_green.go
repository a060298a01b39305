package main

import (
	"fmt"
	"math"

	"breakwater/sim/fft"
	"breakwater/sim/num"
	"breakwater/sim/par"
)

// taylorGreen prints the energy and the dissipation of the Taylor–Green vortex at Re = 100,
//
//	u = (sin x cos y cos z, −cos x sin y cos z, 0),  ν = 1/100,
//
// in a box of (2π)³ (Taylor and Green, Mechanism of the production of small eddies from large ones, Proc. R. Soc. A 158,
// 1937). It is pseudo-spectral: ∂u/∂t = P(u×ω) + ν∇²u with the projection P to fields without sources, where
// waves above n/3 are cut off (Canuto, Hussaini, Quarteroni and Zang, Spectral Methods in Fluid Dynamics, 1988,
// sections 3.2 and 7.2). Time steps are by the Runge-Kutta method of the fourth order, with viscosity as an exact factor.
func taylorGreen(n int) {
	if n == 0 {
		n = 64
	}
	const nu, dt, steps, every = 0.01, 0.04, 200, 5
	s := newSpectral(n)
	s.start()
	fmt.Println("# Taylor-Green vortex in three dimensions, Re = 100: own pseudo-spectral solution")
	fmt.Printf("# by scenes/validate/reference, %d^3 waves of which those up to %d count, Runge-Kutta 4, dt = %g\n", n, (n-1)/3, dt)
	fmt.Println("# units: t L/U, energy u^2/2 and its dissipation nu w^2 as means over the box, with L = U = 1")
	fmt.Println("t,energy,dissipation")
	for step := 0; ; step++ {
		if step%every == 0 {
			e, w := s.squares()
			fmt.Printf("%.1f,%.9f,%.9f\n", float64(step)*dt, e/2, nu*w)
		}
		if step == steps {
			return
		}
		s.step(nu, dt)
	}
}

// wave holds a complex number for each wave number along x, y and z, x fastest, or for each node.
type wave struct{ re, im []float64 }

func newWave(n int) wave { return wave{make([]float64, n), make([]float64, n)} }

// spectral is a flow in a periodic box of (2π)³.
type spectral struct {
	n    int
	plan *fft.Plan[float64]
	k    []float64 // wave number of an index
	u    [3]wave   // velocity, by wave number
}

func newSpectral(n int) *spectral {
	s := &spectral{n: n, plan: fft.New[float64](n), k: make([]float64, n)}
	for i := range s.k {
		s.k[i] = float64(i)
		if i > n/2 {
			s.k[i] = float64(i - n)
		}
	}
	for c := range s.u {
		s.u[c] = newWave(n * n * n)
	}
	return s
}

// start sets the velocity of the Taylor–Green vortex.
func (s *spectral) start() {
	for p := range s.u[0].re {
		var sin, cos [3]float64
		for a, i := range s.index(p) {
			sin[a], cos[a] = math.Sincos(2 * math.Pi * float64(i) / float64(s.n))
		}
		s.u[0].re[p], s.u[1].re[p] = sin[0]*cos[1]*cos[2], -cos[0]*sin[1]*cos[2]
	}
	for c := range s.u {
		s.transform(s.u[c], false)
	}
}

func (s *spectral) index(p int) [3]int { return [3]int{p % s.n, p / s.n % s.n, p / (s.n * s.n)} }

// wavesOf returns the wave numbers of a place.
func (s *spectral) wavesOf(p int) (k [3]float64) {
	for a, i := range s.index(p) {
		k[a] = s.k[i]
	}
	return k
}

// kept reports whether a wave is not cut off.
func (s *spectral) kept(k [3]float64) bool {
	most := float64((s.n - 1) / 3)
	return max(math.Abs(k[0]), math.Abs(k[1]), math.Abs(k[2])) <= most
}

// transform goes from nodes to waves, or back.
func (s *spectral) transform(f wave, back bool) {
	scale := 1.
	if !back {
		scale = 1 / float64(s.n)
	}
	const lanes = fft.Lanes
	for a, step := range [3]int{1, s.n, s.n * s.n} {
		par.Each(s.n*s.n/lanes, func(batch int) {
			l := s.plan.NewLines()
			var first [lanes]int
			for lane := range lanes {
				line := batch*lanes + lane
				first[lane] = [3]int{line * s.n, line/s.n*s.n*s.n + line%s.n, line}[a]
				for i := range s.n {
					l.Re[i*lanes+lane], l.Im[i*lanes+lane] = f.re[first[lane]+i*step], f.im[first[lane]+i*step]
				}
			}
			if back {
				s.plan.Backward(l)
			} else {
				s.plan.Forward(l)
			}
			for lane := range lanes {
				for i := range s.n {
					f.re[first[lane]+i*step], f.im[first[lane]+i*step] = scale*l.Re[i*lanes+lane], scale*l.Im[i*lanes+lane]
				}
			}
		})
	}
}

// rate returns P(u×ω) of a velocity.
func (s *spectral) rate(u [3]wave) (r [3]wave) {
	// Fields at nodes are real, so velocity and vorticity are the real and the imaginary part of one transform.
	var both [3]wave
	for c := range both {
		both[c] = newWave(len(u[c].re))
	}
	par.For(len(u[0].re), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			k := s.wavesOf(p)
			for c := range both {
				a, b := (c+1)%3, (c+2)%3
				// i ω = −(k×u), for ω = i k×u.
				both[c].re[p] = u[c].re[p] - (float64(k[a]*u[b].re[p]) - float64(k[b]*u[a].re[p]))
				both[c].im[p] = u[c].im[p] - (float64(k[a]*u[b].im[p]) - float64(k[b]*u[a].im[p]))
			}
		}
	})
	for c := range both {
		s.transform(both[c], true)
	}
	par.For(len(u[0].re), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			var v, w [3]float64
			for c := range v {
				v[c], w[c] = both[c].re[p], both[c].im[p]
			}
			for c := range v {
				a, b := (c+1)%3, (c+2)%3
				both[c].re[p], both[c].im[p] = float64(v[a]*w[b])-float64(v[b]*w[a]), 0
			}
		}
	})
	for c := range both {
		s.transform(both[c], false)
	}
	par.For(len(u[0].re), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			k := s.wavesOf(p)
			square := float64(k[0]*k[0]) + float64(k[1]*k[1]) + float64(k[2]*k[2])
			if !s.kept(k) || square == 0 {
				for c := range both {
					both[c].re[p], both[c].im[p] = 0, 0
				}
				continue
			}
			var re, im float64
			for c := range both {
				re, im = re+float64(k[c]*both[c].re[p]), im+float64(k[c]*both[c].im[p])
			}
			for c := range both {
				both[c].re[p] -= float64(k[c] * re / square)
				both[c].im[p] -= float64(k[c] * im / square)
			}
		}
	})
	return both
}

// sum returns a + b times a number, each decayed by viscosity for a time.
func (s *spectral) sum(a [3]wave, decayA float64, b [3]wave, times, decayB, nu float64) (to [3]wave) {
	byA, byB := s.decay(nu*decayA), s.decay(nu*decayB)
	for c := range to {
		to[c] = newWave(len(a[c].re))
	}
	par.For(len(a[0].re), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			i := s.index(p)
			x, y := byA[i[0]]*byA[i[1]]*byA[i[2]], times*byB[i[0]]*byB[i[1]]*byB[i[2]]
			for c := range to {
				to[c].re[p] = float64(x*a[c].re[p]) + float64(y*b[c].re[p])
				to[c].im[p] = float64(x*a[c].im[p]) + float64(y*b[c].im[p])
			}
		}
	})
	return to
}

// decay returns exp(−k² times a number) for the waves along an axis.
func (s *spectral) decay(by float64) []float64 {
	list := make([]float64, s.n)
	for i, k := range s.k {
		list[i] = num.Exp(-k * k * by)
	}
	return list
}

// step moves the flow by dt.
func (s *spectral) step(nu, dt float64) {
	h := dt / 2
	a := s.rate(s.u)
	b := s.rate(s.sum(s.u, h, a, h, h, nu))
	c := s.rate(s.sum(s.u, h, b, h, 0, nu))
	d := s.rate(s.sum(s.u, dt, c, dt, h, nu))
	next := s.sum(s.u, dt, a, dt/6, dt, nu)
	next = s.sum(next, 0, b, dt/3, h, nu)
	next = s.sum(next, 0, c, dt/3, h, nu)
	s.u = s.sum(next, 0, d, dt/6, 0, nu)
}

// squares returns the means of u² and ω² over the box.
func (s *spectral) squares() (u2, w2 float64) {
	of := func(weight func(k2 float64) float64) float64 {
		return par.Sum(len(s.u[0].re), func(lo, hi int) (sum float64) {
			for p := lo; p < hi; p++ {
				k := s.wavesOf(p)
				w := weight(float64(k[0]*k[0]) + float64(k[1]*k[1]) + float64(k[2]*k[2]))
				for c := range s.u {
					sum += float64(w * (float64(s.u[c].re[p]*s.u[c].re[p]) + float64(s.u[c].im[p]*s.u[c].im[p])))
				}
			}
			return sum
		})
	}
	return of(func(float64) float64 { return 1 }), of(func(k2 float64) float64 { return k2 })
}
