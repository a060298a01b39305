// Package fft has Fourier transforms of many lines at a time, and Poisson's equation in free
// space on the nodes of a box, which may repeat along some axes.
//
//	plan.go              transforms of lines
//	space.go             Poisson's equation, by transforms along x, then y and z of a plane
//	green.go             the Green's function, regularised
//	green_periodic.go    the Green's function where axes repeat
//	slope.go             derivatives
//	mix.go               the loops over vectors between transforms
//
// The assembly gives the bits of the plain Go. A line depends on itself alone, so results do
// not depend on the number of threads.
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
		if t := &p.passes[k]; !forwardVectors(t, l) {
			t.forward(l)
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

// forward makes l.re and l.im of l.Re and l.Im.
func (t *pass[F]) forward(l *Lines[F]) {
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
	root := F(math.Sqrt(3) / 2)
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
			er, ei := F(root*(br[k]-cr[k])), F(root*(bi[k]-ci[k]))
			hr, hi := ar[k]-F(0.5*sr), ai[k]-F(0.5*si)
			pr[k], pi[k] = ar[k]+sr, ai[k]+si
			// h − ie and h + ie
			ur, ui, vr, vi := hr+ei, hi-er, hr-ei, hi+er
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
			jr, ji := br[k]-dr[k], bi[k]-di[k]
			pr[k], pi[k] = er+hr, ei+hi
			// f − ij, e − h and f + ij
			ur, ui, vr, vi, xr, xi := fr+ji, fi-jr, er-hr, ei-hi, fr-ji, fi+jr
			qr[k], qi[k] = F(ur*w0)-F(ui*w1), F(ur*w1)+F(ui*w0)
			rr[k], ri[k] = F(vr*w2)-F(vi*w3), F(vr*w3)+F(vi*w2)
			tr[k], ti[k] = F(xr*w4)-F(xi*w5), F(xr*w5)+F(xi*w4)
		}
	}
}

func (t *pass[F]) five(l *Lines[F]) {
	s, m := t.s, t.m
	sin, cos := math.Sincos(2 * math.Pi / 5)
	s1, c1 := F(sin), F(cos)
	sin, cos = math.Sincos(4 * math.Pi / 5)
	s2, c2 := F(sin), F(cos)
	for g := range m {
		w := t.w[8*g:][:8]
		var fr, fi, tr, ti [5][]F // what the pass reads and writes
		for j := range fr {
			fr[j], fi[j] = l.Re[(g+j*m)*s:][:s], l.Im[(g+j*m)*s:][:s]
			tr[j], ti[j] = l.re[(5*g+j)*s:][:s], l.im[(5*g+j)*s:][:s]
		}
		for k := range s {
			ar, ai := fr[0][k], fi[0][k]
			// Sums and differences of the first and the last, and of the two between.
			br, bi, er, ei := fr[1][k]+fr[4][k], fi[1][k]+fi[4][k], fr[1][k]-fr[4][k], fi[1][k]-fi[4][k]
			cr, ci, dr, di := fr[2][k]+fr[3][k], fi[2][k]+fi[3][k], fr[2][k]-fr[3][k], fi[2][k]-fi[3][k]
			tr[0][k], ti[0][k] = ar+br+cr, ai+bi+ci
			mr, mi := ar+F(br*c1)+F(cr*c2), ai+F(bi*c1)+F(ci*c2)
			nr, ni := F(er*s1)+F(dr*s2), F(ei*s1)+F(di*s2)
			// m − in and m + in
			yr, yi, zr, zi := mr+ni, mi-nr, mr-ni, mi+nr
			tr[1][k], ti[1][k] = F(yr*w[0])-F(yi*w[1]), F(yr*w[1])+F(yi*w[0])
			tr[4][k], ti[4][k] = F(zr*w[6])-F(zi*w[7]), F(zr*w[7])+F(zi*w[6])
			mr, mi = ar+F(br*c2)+F(cr*c1), ai+F(bi*c2)+F(ci*c1)
			nr, ni = F(er*s2)-F(dr*s1), F(ei*s2)-F(di*s1)
			yr, yi, zr, zi = mr+ni, mi-nr, mr-ni, mi+nr
			tr[2][k], ti[2][k] = F(yr*w[2])-F(yi*w[3]), F(yr*w[3])+F(yi*w[2])
			tr[3][k], ti[3][k] = F(zr*w[4])-F(zi*w[5]), F(zr*w[5])+F(zi*w[4])
		}
	}
}
