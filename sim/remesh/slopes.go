package remesh

import "breakwater/sim/num"

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

// FineMargin is how many nodes next to each side FineCurl leaves as they are.
const FineMargin = len(num.Central10)

// FineCurl is Curl by differences of the order 10.
func (l *Lattice) FineCurl(to, u Vector, scale float64) {
	s, g := l.steps(), float32(scale/l.Edge)
	l.planes(FineMargin, func(p, q int) {
		fineCurl(to[0], u[2], u[1], s[1], s[2], p, q, g)
		fineCurl(to[1], u[0], u[2], s[2], s[0], p, q, g)
		fineCurl(to[2], u[1], u[0], s[0], s[1], p, q, g)
	})
}

// Stretch sets rate to ∂_j(ω_j u_i), which is (ω·∇)u for vorticity without sources. The sum
// of the rates over all nodes is 0 up to rounding.
func (l *Lattice) Stretch(rate, w, u Vector) {
	s, g := l.steps(), float32(1/l.Edge)
	l.planes(SlopeMargin, func(p, q int) { stretch(&rate, &w, &u, &s, p, q, g) })
}

// Diffuse adds k ∇²f to rate, for a diffusivity k in m²/s.
func (l *Lattice) Diffuse(rate, f []float32, k float64) { l.DiffuseIn(l.All(), rate, f, k) }

// DiffuseReach is how many nodes away Diffuse reads.
const DiffuseReach = 2

// DiffuseIn is Diffuse at the nodes of a block.
func (l *Lattice) DiffuseIn(b Block, rate, f []float32, k float64) {
	s, g := l.steps(), float32(k/(l.Edge*l.Edge))
	l.planesOf(b, SlopeMargin, func(p, q int) { diffuse(rate, f, &s, p, q, g) })
}

// DiffuseMass adds (k/ρ) ∇·(ρ∇f) to rate at the nodes of a block, for a diffusivity k in m²/s and a density ρ of any
// unit. It reads one node away. It keeps the sum of ρf. Differences of the second order make no value exceed its
// neighbours, so that no share gets negative beside a sheet.
func (l *Lattice) DiffuseMass(b Block, rate, f, rho []float32, k float64) {
	s, g := l.steps(), float32(k/(2*l.Edge*l.Edge))
	l.planesOf(b, SlopeMargin, func(p, q int) { diffuseMass(rate, f, rho, &s, p, q, g) })
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

// Flow sets to to k ∇f, where k is not 0, and to 0 elsewhere.
func (l *Lattice) Flow(to Vector, k, f []float32) {
	s, g := l.steps(), float32(1/l.Edge)
	for a := range to {
		clear(to[a])
	}
	l.planes(SlopeMargin, func(p, q int) {
		for ; p < q; p++ {
			if k[p] != 0 {
				by := float32(g * k[p])
				to[0][p], to[1][p], to[2][p] = by*slope(f, p, s[0]), by*slope(f, p, s[1]), by*slope(f, p, s[2])
			}
		}
	})
}

// Elliptic sets to to −∇·(c k ∇f) by the flow through the sides of cells, where c and k are means
// of two nodes. So it is 0 at a node around which c is 0. It is 0 next to the sides of the lattice and at copies, too.
func (l *Lattice) Elliptic(to, c, k, f []float32) {
	s, g := l.steps(), float32(0.25/(l.Edge*l.Edge))
	clear(to)
	l.planes(2*SlopeMargin, func(p, q int) {
		for ; p < q; p++ {
			cp, kp, here, sum := c[p], k[p], f[p], float32(0)
			for _, d := range s {
				sum += float32(float32((cp+c[p+d])*(kp+k[p+d]))*(here-f[p+d])) + float32(float32((cp+c[p-d])*(kp+k[p-d]))*(here-f[p-d]))
			}
			to[p] = g * sum
		}
	})
	l.Lone(to)
}

// Sources sets to to ∇·(c v) by the flow through the sides of cells, where c and v are means of two
// nodes. It is 0 where Elliptic is: next to the sides of the lattice v may be a derivative.
func (l *Lattice) Sources(to, c []float32, v Vector) {
	s, g := l.steps(), float32(0.25/l.Edge)
	clear(to)
	l.planes(2*SlopeMargin, func(p, q int) {
		for ; p < q; p++ {
			sum := float32(0)
			for a, d := range s {
				x := v[a]
				sum += float32((c[p]+c[p+d])*(x[p]+x[p+d])) - float32((c[p]+c[p-d])*(x[p]+x[p-d]))
			}
			to[p] = g * sum
		}
	})
	l.Lone(to)
}

// Convect sets to to ((u + wind)·∇)u, which is the acceleration of steady flow in m/s².
func (l *Lattice) Convect(to, u Vector, wind [3]float64) {
	s, g := l.steps(), float32(1/l.Edge)
	w := [3]float32{float32(wind[0]), float32(wind[1]), float32(wind[2])}
	for a := range to {
		clear(to[a])
	}
	l.planes(SlopeMargin, func(p, q int) {
		for ; p < q; p++ {
			x, y, z := u[0][p]+w[0], u[1][p]+w[1], u[2][p]+w[2]
			for a := range to {
				to[a][p] = g * (float32(x*slope(u[a], p, s[0])) + float32(y*slope(u[a], p, s[1])) + float32(z*slope(u[a], p, s[2])))
			}
		}
	})
}
