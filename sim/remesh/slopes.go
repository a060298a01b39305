package remesh

// Vector is a vector at each node, by components.
type Vector [3][]float32

// SlopeMargin is how many nodes next to each side have no derivatives.
const SlopeMargin = 2

// slope returns the derivative of f at node p along a direction whose neighbours are step
// apart, for a distance of 1: a central difference of the fourth order.
func slope(f []float32, p, step int) float32 {
	return float32((f[p+step]-f[p-step])*(2./3)) - float32((f[p+2*step]-f[p-2*step])*(1./12))
}

// steps are the distances of neighbours along x, y and z.
func (l *Lattice) steps() [3]int { return [3]int{1, l.N[0], l.N[0] * l.N[1]} }

// Curl sets to to scale times the curl of u, by differences of the fourth order.
func (l *Lattice) Curl(to, u Vector, scale float64) {
	s, g := l.steps(), float32(scale/l.Edge)
	l.planes(SlopeMargin, func(p, q int) {
		for ; p < q; p++ {
			to[0][p] = g * float32(slope(u[2], p, s[1])-slope(u[1], p, s[2]))
			to[1][p] = g * float32(slope(u[0], p, s[2])-slope(u[2], p, s[0]))
			to[2][p] = g * float32(slope(u[1], p, s[0])-slope(u[0], p, s[1]))
		}
	})
}

// Stretch sets rate to ∂_j(ω_j u_i), which is (ω·∇)u for vorticity without sources. The sum
// of the rates over all nodes is 0 up to rounding.
func (l *Lattice) Stretch(rate, w, u Vector) {
	s, g := l.steps(), float32(1/l.Edge)
	l.planes(SlopeMargin, func(p, q int) { stretch(&rate, &w, &u, &s, p, q, g) })
}

// Diffuse adds k ∇²f to rate, for a diffusivity k in m²/s.
func (l *Lattice) Diffuse(rate, f []float32, k float64) {
	s, g := l.steps(), float32(k/(l.Edge*l.Edge))
	l.planes(SlopeMargin, func(p, q int) {
		for ; p < q; p++ {
			sum := float32(f[p] * -7.5)
			for _, d := range s {
				sum += float32((f[p+d]+f[p-d])*(4./3)) - float32((f[p+2*d]+f[p-2*d])*(1./12))
			}
			rate[p] += float32(g * sum)
		}
	})
}

// DiffuseMass adds (k/ρ) ∇·(ρ∇f) to rate, for a diffusivity k in m²/s and a density ρ of any
// unit. It keeps the sum of ρf. Differences of the second order make no value exceed its
// neighbours, so that no share gets negative beside a sheet.
func (l *Lattice) DiffuseMass(rate, f, rho []float32, k float64) {
	s, g := l.steps(), float32(k/(2*l.Edge*l.Edge))
	l.planes(SlopeMargin, func(p, q int) {
		for ; p < q; p++ {
			here, dense := f[p], rho[p]
			flow := func(q int) float32 { return float32((dense + rho[q]) * (f[q] - here)) }
			sum := float32(0)
			for _, d := range s {
				sum += flow(p+d) + flow(p-d)
			}
			if sum != 0 {
				rate[p] += float32(g * sum / dense)
			}
		}
	})
}

// Gradient calls f with the gradient of t at each node between the margins where it is not
// 0, in 1/m times the unit of t.
func (l *Lattice) Gradient(t []float32, f func(p int, x, y, z float32)) {
	s, g := l.steps(), float32(1/l.Edge)
	l.planes(SlopeMargin, func(p, q int) {
		for ; p < q; p++ {
			x, y, z := slope(t, p, s[0]), slope(t, p, s[1]), slope(t, p, s[2])
			if x != 0 || y != 0 || z != 0 {
				f(p, g*x, g*y, g*z)
			}
		}
	})
}
