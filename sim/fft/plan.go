// Package fft has Fourier transforms of many lines at a time, and Poisson's equation in free
// space on the nodes of a box.
//
// A line depends on itself alone, so results do not depend on the number of threads.
package fft

import (
	"fmt"
	"math"
)

// Lanes is how many lines are transformed at a time.
const Lanes = 8

// Real is the type of the numbers of a transform.
type Real interface{ float32 | float64 }

// Plan transforms lines of n complex numbers, n a product of 2, 3 and 5.
type Plan[F Real] struct {
	n      int
	passes []pass[F]
}

// pass is one pass of Stockham's autosort algorithm (Van Loan, Computational Frameworks for
// the Fast Fourier Transform, 1992, section 1.7): m groups of radix numbers that are s apart.
type pass[F Real] struct {
	radix, m, s int
	w           []F // cos and sin of the factors of a group: radix−1 pairs for each of m
}

// Lines are Lanes lines. Number j of line l is at j × Lanes + l.
type Lines[F Real] struct {
	Re, Im []F
	re, im []F // what a pass writes
}

// Smooth returns the least multiple of step, itself a product of 2, 3 and 5, from n on that
// has no prime factors but these.
func Smooth(n, step int) int {
	for k := max(1, (n+step-1)/step); ; k++ {
		rest := k
		for _, p := range []int{2, 3, 5} {
			for rest%p == 0 {
				rest /= p
			}
		}
		if rest == 1 {
			return k * step
		}
	}
}

// New returns a plan for lines of n numbers. It panics if n has other prime factors than 2,
// 3 and 5.
func New[F Real](n int) *Plan[F] {
	p := &Plan[F]{n: n}
	s, left := Lanes, n
	for left > 1 {
		radix := 0
		for _, r := range []int{4, 2, 3, 5} {
			if left%r == 0 {
				radix = r
				break
			}
		}
		if radix == 0 {
			panic(fmt.Sprintf("fft: a line of %d numbers, want a product of 2, 3 and 5", n))
		}
		t := pass[F]{radix: radix, m: left / radix, s: s}
		for g := range t.m {
			for k := 1; k < radix; k++ {
				sin, cos := math.Sincos(-2 * math.Pi * float64(g*k) / float64(left))
				t.w = append(t.w, F(cos), F(sin))
			}
		}
		p.passes = append(p.passes, t)
		s, left = s*radix, t.m
	}
	return p
}

// NewLines returns lines of zeros that suit the plan.
func (p *Plan[F]) NewLines() *Lines[F] {
	n := p.n * Lanes
	return &Lines[F]{make([]F, n), make([]F, n), make([]F, n), make([]F, n)}
}

// Forward replaces the numbers x of each line by Σ x_j exp(−2πi jk/n).
func (p *Plan[F]) Forward(l *Lines[F]) {
	for k := range p.passes {
		t := &p.passes[k]
		switch t.radix {
		case 2:
			t.two(l)
		case 3:
			t.three(l)
		case 4:
			t.four(l)
		case 5:
			t.five(l)
		}
		l.Re, l.Im, l.re, l.im = l.re, l.im, l.Re, l.Im
	}
}

// Backward replaces the numbers x of each line by Σ x_j exp(+2πi jk/n).
func (p *Plan[F]) Backward(l *Lines[F]) {
	l.Re, l.Im = l.Im, l.Re
	p.Forward(l)
	l.Re, l.Im = l.Im, l.Re
}

func (t *pass[F]) two(l *Lines[F]) {
	s, m := t.s, t.m
	for g := range m {
		c, d := t.w[2*g], t.w[2*g+1]
		ar, ai := l.Re[g*s:][:s], l.Im[g*s:][:s]
		br, bi := l.Re[(g+m)*s:][:s], l.Im[(g+m)*s:][:s]
		pr, pi := l.re[2*g*s:][:s], l.im[2*g*s:][:s]
		qr, qi := l.re[(2*g+1)*s:][:s], l.im[(2*g+1)*s:][:s]
		for k := range s {
			dr, di := ar[k]-br[k], ai[k]-bi[k]
			pr[k], pi[k] = ar[k]+br[k], ai[k]+bi[k]
			qr[k], qi[k] = F(dr*c)-F(di*d), F(dr*d)+F(di*c)
		}
	}
}

func (t *pass[F]) three(l *Lines[F]) {
	s, m := t.s, t.m
	half := F(math.Sqrt(3) / 2)
	for g := range m {
		w := t.w[4*g:][:4]
		ar, ai := l.Re[g*s:][:s], l.Im[g*s:][:s]
		br, bi := l.Re[(g+m)*s:][:s], l.Im[(g+m)*s:][:s]
		cr, ci := l.Re[(g+2*m)*s:][:s], l.Im[(g+2*m)*s:][:s]
		pr, pi := l.re[3*g*s:][:s], l.im[3*g*s:][:s]
		qr, qi := l.re[(3*g+1)*s:][:s], l.im[(3*g+1)*s:][:s]
		rr, ri := l.re[(3*g+2)*s:][:s], l.im[(3*g+2)*s:][:s]
		for k := range s {
			sr, si := br[k]+cr[k], bi[k]+ci[k]
			// −i √3/2 (b − c)
			er, ei := half*(bi[k]-ci[k]), half*(cr[k]-br[k])
			hr, hi := ar[k]-F(0.5*sr), ai[k]-F(0.5*si)
			pr[k], pi[k] = ar[k]+sr, ai[k]+si
			ur, ui, vr, vi := hr+er, hi+ei, hr-er, hi-ei
			qr[k], qi[k] = F(ur*w[0])-F(ui*w[1]), F(ur*w[1])+F(ui*w[0])
			rr[k], ri[k] = F(vr*w[2])-F(vi*w[3]), F(vr*w[3])+F(vi*w[2])
		}
	}
}

func (t *pass[F]) four(l *Lines[F]) {
	s, m := t.s, t.m
	for g := range m {
		w := t.w[6*g:][:6]
		w0, w1, w2, w3, w4, w5 := w[0], w[1], w[2], w[3], w[4], w[5]
		ar, ai := l.Re[g*s:][:s], l.Im[g*s:][:s]
		br, bi := l.Re[(g+m)*s:][:s], l.Im[(g+m)*s:][:s]
		cr, ci := l.Re[(g+2*m)*s:][:s], l.Im[(g+2*m)*s:][:s]
		dr, di := l.Re[(g+3*m)*s:][:s], l.Im[(g+3*m)*s:][:s]
		pr, pi := l.re[4*g*s:][:s], l.im[4*g*s:][:s]
		qr, qi := l.re[(4*g+1)*s:][:s], l.im[(4*g+1)*s:][:s]
		rr, ri := l.re[(4*g+2)*s:][:s], l.im[(4*g+2)*s:][:s]
		tr, ti := l.re[(4*g+3)*s:][:s], l.im[(4*g+3)*s:][:s]
		for k := range s {
			er, ei := ar[k]+cr[k], ai[k]+ci[k]
			fr, fi := ar[k]-cr[k], ai[k]-ci[k]
			hr, hi := br[k]+dr[k], bi[k]+di[k]
			// −i (b − d)
			jr, ji := bi[k]-di[k], dr[k]-br[k]
			pr[k], pi[k] = er+hr, ei+hi
			ur, ui, vr, vi, xr, xi := fr+jr, fi+ji, er-hr, ei-hi, fr-jr, fi-ji
			qr[k], qi[k] = F(ur*w0)-F(ui*w1), F(ur*w1)+F(ui*w0)
			rr[k], ri[k] = F(vr*w2)-F(vi*w3), F(vr*w3)+F(vi*w2)
			tr[k], ti[k] = F(xr*w4)-F(xi*w5), F(xr*w5)+F(xi*w4)
		}
	}
}

func (t *pass[F]) five(l *Lines[F]) {
	s, m := t.s, t.m
	var cos, sin [5]F
	for k := range cos {
		a, b := math.Sincos(2 * math.Pi * float64(k) / 5)
		sin[k], cos[k] = F(a), F(b)
	}
	for g := range m {
		w := t.w[8*g:][:8]
		for k := range s {
			var xr, xi [5]F
			for j := range xr {
				xr[j], xi[j] = l.Re[(g+j*m)*s+k], l.Im[(g+j*m)*s+k]
			}
			for j := range xr {
				yr, yi := xr[0], xi[0]
				for i := 1; i < 5; i++ {
					c, d := cos[i*j%5], sin[i*j%5]
					yr, yi = yr+F(xr[i]*c)+F(xi[i]*d), yi+F(xi[i]*c)-F(xr[i]*d)
				}
				if j > 0 {
					c, d := w[2*j-2], w[2*j-1]
					yr, yi = F(yr*c)-F(yi*d), F(yr*d)+F(yi*c)
				}
				l.re[(5*g+j)*s+k], l.im[(5*g+j)*s+k] = yr, yi
			}
		}
	}
}
