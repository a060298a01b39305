package remesh

import "breakwater/sim/num"

// stencil holds the weights of the nodes that a particle meets: the weights along x, and the
// products of the weights along z and y, y fastest.
type stencil [reach + reach*reach]float32

// set sets the products of the weights along each axis.
func (w *stencil) set(axes *[3][reach]float32) {
	copy(w[:reach], axes[0][:])
	for c, z := range axes[2] {
		for b, y := range axes[1] {
			w[reach+reach*c+b] = z * y
		}
	}
}

// depositGo adds v times the weights to the nodes from the first of to on.
func depositGo(to []float32, w *stencil, row, plane int, v float32) {
	for c := range reach {
		for b := range reach {
			t, g := to[c*plane+b*row:][:reach], float32(v*w[reach+reach*c+b])
			t[0] += float32(g * w[0])
			t[1] += float32(g * w[1])
			t[2] += float32(g * w[2])
			t[3] += float32(g * w[3])
		}
	}
}

// fetchGo returns the sum of the nodes from the first of from on, times their weights.
func fetchGo(from []float32, w *stencil, row, plane int) float32 {
	var sum [reach][reach]float32 // of each plane
	for c := range sum {
		s := &sum[c]
		for b := range reach {
			t, g := from[c*plane+b*row:][:reach], w[reach+reach*c+b]
			if b == 0 {
				*s = [reach]float32{t[0] * g, t[1] * g, t[2] * g, t[3] * g}
				continue
			}
			s[0] += float32(t[0] * g)
			s[1] += float32(t[1] * g)
			s[2] += float32(t[2] * g)
			s[3] += float32(t[3] * g)
		}
	}
	var x [reach]float32
	for i := range x {
		x[i] = float32((sum[0][i] + sum[1][i]) + (sum[2][i] + sum[3][i]))
		x[i] = float32(x[i] * w[i])
	}
	return (x[0] + x[2]) + (x[1] + x[3])
}

// stretchGo sets rate to g ∂_j(w_j u_i) at the nodes [p, q). Steps are the distances of
// neighbours along each axis.
func stretchGo(rate, w, u *Vector, steps *[3]int, p, q int, g float32) {
	for ; p < q; p++ {
		for c := range 3 {
			v, sum := u[c], float32(0)
			for a, d := range steps {
				x := w[a]
				near, far := float32(x[p+d]*v[p+d])-float32(x[p-d]*v[p-d]), float32(x[p+2*d]*v[p+2*d])-float32(x[p-2*d]*v[p-2*d])
				sum += float32(near*(2./3)) - float32(far*(1./12))
			}
			rate[c][p] = float32(g * sum)
		}
	}
}

// fineSlope is slope by a difference of the order 10.
func fineSlope(f []float32, p, step int) (sum float32) {
	for d, w := range num.Central10 {
		sum += float32(float32(w) * (f[p+(d+1)*step] - f[p-(d+1)*step]))
	}
	return sum
}

// fineCurlGo sets to to g (∂a − ∂b) at the nodes [p, q), where the derivatives are along the axes whose
// neighbours are stepA and stepB apart.
func fineCurlGo(to, a, b []float32, stepA, stepB, p, q int, g float32) {
	for ; p < q; p++ {
		to[p] = g * float32(fineSlope(a, p, stepA)-fineSlope(b, p, stepB))
	}
}

// diffuseGo adds g ∇²f to rate at the nodes [p, q), for a distance of 1 between nodes.
func diffuseGo(rate, f []float32, steps *[3]int, p, q int, g float32) {
	for ; p < q; p++ {
		sum := float32(f[p] * -7.5)
		for _, d := range steps {
			sum += float32((f[p+d]+f[p-d])*(4./3)) - float32((f[p+2*d]+f[p-2*d])*(1./12))
		}
		rate[p] += float32(g * sum)
	}
}

// diffuseMassGo adds 2g/ρ ∇·(ρ∇f) to rate at the nodes [p, q), for a distance of 1 between nodes.
func diffuseMassGo(rate, f, rho []float32, steps *[3]int, p, q int, g float32) {
	for ; p < q; p++ {
		here, dense := f[p], rho[p]
		flow := func(q int) float32 { return float32((dense + rho[q]) * (f[q] - here)) }
		sum := float32(0)
		for _, d := range steps {
			sum += flow(p+d) + flow(p-d)
		}
		rate[p] += float32(float32(g*sum) / dense)
	}
}
