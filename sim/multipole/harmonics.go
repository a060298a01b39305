package multipole

import (
	"math"
	"math/cmplx"
	"sync"
)

// Solid harmonics as in Dehnen, A fast multipole method for stellar dynamics, Comput.
// Astrophys. Cosmol. 1, 2014, appendix: Υ regular, Θ irregular,
//
//	1/|x−y| = Σ conj(Υ_n^m(y)) Θ_n^m(x),  |y| < |x|,
//	X_n^−m = (−1)^m conj(X_n^m).
//
// An expansion of order p keeps m ≥ 0 as (p+1)² real numbers: of degree n from the index
// n² on the real part of m = 0, and the real and imaginary parts of m = 1 … n.

// size returns how many numbers an expansion of order p has.
func size(p int) int { return (p + 1) * (p + 1) }

// regular sets h to Υ at (x, y, z) up to degree p.
func regular(h []float64, p int, x, y, z float64) {
	r2 := float64(x*x) + float64(y*y) + float64(z*z)
	re, im := 1.0, 0.0
	for m := 0; m <= p; m++ {
		if m > 0 {
			s := 0.5 / float64(m)
			re, im = float64(s*(float64(x*re)-float64(y*im))), float64(s*(float64(x*im)+float64(y*re)))
			h[m*m+2*m-1], h[m*m+2*m] = re, im
		} else {
			h[0] = 1
		}
		a, b, a2, b2 := re, im, 0.0, 0.0
		for n := m + 1; n <= p; n++ {
			s := reciprocal[n*n-m*m]
			c := float64(s * float64(2*n-1) * z)
			a, a2 = float64(c*a)-float64(s*r2*a2), a
			b, b2 = float64(c*b)-float64(s*r2*b2), b
			if m > 0 {
				h[n*n+2*m-1], h[n*n+2*m] = a, b
			} else {
				h[n*n] = a
			}
		}
	}
}

// The lowest and the highest order.
const (
	least = 4
	most  = 12
)

var reciprocal = func() (r [(most + 1) * (most + 1)]float64) {
	for i := range r {
		r[i] = 1 / float64(max(i, 1))
	}
	return r
}()

// irregular returns Θ at (x, y, z) up to degree p.
func irregular(p int, x, y, z float64) []float64 {
	h := make([]float64, size(p))
	set := func(n, m int, v complex128) {
		if m == 0 {
			h[n*n] = real(v)
			return
		}
		h[n*n+2*m-1], h[n*n+2*m] = real(v), imag(v)
	}
	i2 := 1 / (float64(x*x) + float64(y*y) + float64(z*z))
	top := complex(math.Sqrt(i2), 0)
	for m := 0; m <= p; m++ {
		if m > 0 {
			top = product(top, complex(float64(2*m-1)*i2*x, float64(2*m-1)*i2*y))
		}
		set(m, m, top)
		v, v2 := top, complex128(0)
		for n := m + 1; n <= p; n++ {
			v, v2 = scaled(float64(2*n-1)*z*i2, v)-scaled(float64((n-1)*(n-1)-m*m)*i2, v2), v
			set(n, m, v)
		}
	}
	return h
}

// of returns the harmonic n, m of h, for any m.
func of(h []float64, n, m int) complex128 {
	switch {
	case m > n || m < -n:
		return 0
	case m == 0:
		return complex(h[n*n], 0)
	case m > 0:
		return complex(h[n*n+2*m-1], h[n*n+2*m])
	}
	v := complex(h[n*n-2*m-1], -h[n*n-2*m])
	if m%2 != 0 {
		v = -v
	}
	return v
}

// tables are the linear maps between expansions of one order. Coordinates are in edges of
// the cell. Cells of all sizes share the maps, because the harmonics are homogeneous.
type tables struct {
	p, n, stride int
	up, down     [8][]float32   // between a parent and its child in an octant
	far          [343][]float32 // from multipole to local expansion of cells of one size
}

// reach is how many cells apart two cells can be whose expansions interact.
const reach = 3

// slot returns the index in far of the offset of a target from its source, in cells.
func slot(x, y, z int32) int { return int((x+reach)*49 + (y+reach)*7 + z + reach) }

var made [most + 1]struct {
	sync.Once
	tables
}

// tablesOf returns the tables of order p, which are made once.
func tablesOf(p int) *tables {
	t := &made[p]
	t.Do(func() { t.tables = *newTables(p) })
	return &t.tables
}

func newTables(p int) *tables {
	t := &tables{p: p, n: size(p), stride: (size(p) + lanes - 1) / lanes * lanes}
	sign := func(n int) float64 { return float64(1 - 2*(n&1)) }
	child := make([]float64, size(p))
	for o := range 8 {
		// From the parent's centre to the child's, in edges of the parent.
		regular(child, p, float64(float64(o&1)/2)-0.25, float64(float64(o>>1&1)/2)-0.25, float64(float64(o>>2)/2)-0.25)
		// Υ_n^m(y+c) = Σ Υ_k^l(y) Υ_{n−k}^{m−l}(c), y in edges of the parent
		t.up[o] = t.matrix(func(n, m, k, l int) (plus, minus complex128) {
			if k > n {
				return 0, 0
			}
			s := math.Ldexp(1, -k)
			return scaled(s, of(child, n-k, m-l)), scaled(float64(s*sign(l)), of(child, n-k, m+l))
		})
		// The same theorem for the conjugates, for the local expansion
		// Σ (−1)^n conj(Υ_n^m(x)) F_n^m, x in edges, F in one over the edge.
		t.down[o] = t.matrix(func(k, l, n, m int) (plus, minus complex128) {
			if n < k {
				return 0, 0
			}
			s := float64(sign(n-k) * math.Ldexp(1, -k-1))
			return scaled(s, cmplx.Conj(of(child, n-k, m-l))), scaled(float64(s*sign(l)), of(child, n-k, m+l))
		})
	}
	for x := int32(-reach); x <= reach; x++ {
		for y := int32(-reach); y <= reach; y++ {
			for z := int32(-reach); z <= reach; z++ {
				if touch(x, y, z) {
					continue
				}
				theta := irregular(2*p, float64(x), float64(y), float64(z))
				// F_n^m = Σ conj(M_k^l) Θ_{n+k}^{m+l}
				t.far[slot(x, y, z)] = t.matrix(func(n, m, k, l int) (plus, minus complex128) {
					return scaled(sign(l), of(theta, n+k, m-l)), of(theta, n+k, m+l)
				})
			}
		}
	}
	return t
}

// touch reports whether cells of one size that are so many cells apart touch.
func touch(x, y, z int32) bool { return max(x, -x, y, -y, z, -z) <= 1 }

// matrix returns a linear map between expansions, by columns. Number k, l of the input,
// with l ≥ 0, adds plus times itself and minus times its conjugate to number n, m of the
// output. For l = 0 plus alone counts.
func (t *tables) matrix(of func(n, m, k, l int) (plus, minus complex128)) []float32 {
	a := make([]float32, t.n*t.stride)
	for k := 0; k <= t.p; k++ {
		for l := 0; l <= k; l++ {
			for n := 0; n <= t.p; n++ {
				for m := 0; m <= n; m++ {
					plus, minus := of(n, m, k, l)
					if l == 0 {
						minus = 0
					}
					put := func(column int, v complex128) {
						c := a[column*t.stride:]
						if m == 0 {
							c[n*n] = float32(real(v))
							return
						}
						c[n*n+2*m-1], c[n*n+2*m] = float32(real(v)), float32(imag(v))
					}
					if l == 0 {
						put(k*k, plus)
						continue
					}
					put(k*k+2*l-1, plus+minus)
					put(k*k+2*l, turned(plus-minus))
				}
			}
		}
	}
	return a
}

// derivatives sets x, y and z to the expansions of the derivatives of a local expansion f
// of order p, which have the order p−1, in one over the edge.
func derivatives(x, y, z, f []float64, p int) {
	for n := range p {
		for m := 0; m <= n; m++ {
			lo, hi := of(f, n+1, m-1), of(f, n+1, m+1)
			dx, dy, dz := scaled(0.5, lo-hi), turned(scaled(0.5, lo+hi)), -of(f, n+1, m)
			if m == 0 {
				x[n*n], y[n*n], z[n*n] = real(dx), real(dy), real(dz)
				continue
			}
			i := n*n + 2*m
			x[i-1], x[i] = real(dx), imag(dx)
			y[i-1], y[i] = real(dy), imag(dy)
			z[i-1], z[i] = real(dz), imag(dz)
		}
	}
}

// weigh turns a local expansion of order p into the factors of Υ whose sum is its value.
func weigh(f []float64, p int, scale float64) {
	for n := 0; n <= p; n++ {
		s := scale
		if n%2 != 0 {
			s = -s
		}
		f[n*n] *= s
		for i := n*n + 1; i < (n+1)*(n+1); i++ {
			f[i] *= 2 * s
		}
	}
}

// product returns a b. The compiler would fuse some of its products and sums.
func product(a, b complex128) complex128 {
	ar, ai, br, bi := real(a), imag(a), real(b), imag(b)
	return complex(float64(ar*br)-float64(ai*bi), float64(ar*bi)+float64(ai*br))
}

// scaled returns s v.
func scaled(s float64, v complex128) complex128 {
	return complex(float64(s*real(v)), float64(s*imag(v)))
}

// turned returns i v.
func turned(v complex128) complex128 { return complex(-imag(v), real(v)) }
