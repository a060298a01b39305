package kernel

import (
	"math"

	"breakwater/sim/num"
)

// power is the term c (end−q)ⁿ of w(q) where q < end, and 0 beyond.
type power struct {
	c, end float64
	n      int
}

// powers is a kernel whose w(q) is a sum of such terms. All of them are smooth
// where they end, and none cancels another near q = 1, so W falls to 0 without
// rounding below it.
type powers struct {
	scale
	terms  []power
	pieces []piece // the same in powers of q
}

// newPowers returns the kernel of the terms, of which the last to end ends at 1.
// σ follows from
//
//	∫ (e−q)ⁿ dq = eⁿ⁺¹/(n+1)   ∫ (e−q)ⁿ q dq = eⁿ⁺²/((n+1)(n+2))
//	∫ (e−q)ⁿ q² dq = 2eⁿ⁺³/((n+1)(n+2)(n+3))
func newPowers(dim int, h float64, terms ...power) powers {
	var sum [3]float64
	for _, t := range terms {
		n := float64(t.n)
		line := t.c * num.Pow(t.end, n+1) / (n + 1)
		disc := line * t.end / (n + 2)
		ball := disc * 2 * t.end / (n + 3)
		sum[0], sum[1], sum[2] = sum[0]+float64(2*line), sum[1]+float64(2*math.Pi*disc), sum[2]+float64(4*math.Pi*ball)
	}
	return powers{newScale(dim, h, [3]float64{1 / sum[0], 1 / sum[1], 1 / sum[2]}), terms, piecesOf(terms)}
}

// piecesOf writes the terms, whose ends descend, out in powers of q.
func piecesOf(terms []power) (list []piece) {
	for k := len(terms) - 1; k >= 0; k-- {
		if k+1 < len(terms) && terms[k].end == terms[k+1].end {
			continue
		}
		p := piece{end: terms[k].end}
		for _, t := range terms {
			if t.end < p.end {
				break
			}
			// (e−q)ⁿ = Σ binomial(n, j) eⁿ⁻ʲ (−q)ʲ
			for j, b := 0, 1.; j <= t.n; j++ {
				if j == len(p.c) {
					p.c = append(p.c, 0)
				}
				p.c[j] += float64(t.c * b * num.Pow(t.end, float64(t.n-j)) * float64(1-2*(j&1)))
				b *= float64(t.n-j) / float64(j+1)
			}
		}
		list = append(list, p)
	}
	return list
}

// W implements Kernel.
func (k *powers) W(r float64) (sum float64) {
	q := float64(r * k.invH)
	for _, t := range k.terms {
		if u := t.end - q; u > 0 {
			sum += float64(t.c * whole(u, t.n))
		}
	}
	return float64(k.w * sum)
}

// DW implements Kernel. At r = 0 it returns the limit from r > 0.
func (k *powers) DW(r float64) (sum float64) {
	q := float64(r * k.invH)
	for _, t := range k.terms {
		if u := t.end - q; u > 0 {
			sum -= float64(t.c * float64(t.n) * whole(u, t.n-1))
		}
	}
	return float64(k.dw * sum)
}

// Marginal implements Kernel. In three dimensions it is a sum of
//
//	∫_s (e−q)ⁿ q dq = e uⁿ⁺¹/(n+1) − uⁿ⁺²/(n+2),  u = e−s.
func (k *powers) Marginal(z float64) (sum float64) {
	if k.dim == 2 {
		sum, _ = k.line(z, k.pieces)
		return sum
	}
	s, f := k.plane(z)
	for _, t := range k.terms {
		if u := t.end - s; u > 0 {
			sum += float64(t.c * whole(u, t.n+1) * (t.end/float64(t.n+1) - u/float64(t.n+2)))
		}
	}
	return float64(f * sum)
}

// DMarginal implements Kernel.
func (k *powers) DMarginal(z float64) float64 {
	if k.dim == 2 {
		_, slope := k.line(z, k.pieces)
		return slope
	}
	return k.dPlane(z, k.W(math.Abs(z)))
}

// whole returns uⁿ.
func whole(u float64, n int) float64 {
	p := 1.
	for range n {
		p *= u
	}
	return p
}
