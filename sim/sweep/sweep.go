// Package sweep computes the pair sums of the solvers: nearly all the time of
// a simulation goes into them.
//
// A step finds the pairs of particles closer than h once (Add) and then
// passes over them many times (Gradient, Divergence, Diffusion, Average).
// Particles are in cell order, so that those near one particle are a few runs
// of consecutive indices, and positions are in units of h from a corner of
// the grid, so that neighbours are closer than 1. A pair takes 12 bytes, the
// neighbour's index and four half-precision numbers, since a pass is bound by
// memory.
//
// The kernel is the cubic spline of Monaghan, Smoothed Particle
// Hydrodynamics, Annu. Rev. Astron. Astrophys. 30, 1992, with support radius
// h:
//
//	w(q) = 2(1−q)³ − 8(½−q)₊³,  W = 8/(πh³) w(q),  q = r/h.
//
// Plain Go is the definition. On amd64 with AVX2 and F16C, or AVX-512,
// assembly computes the same bits: it uses neither fused multiply-add nor
// estimates, and sums over neighbours run in lanes whose number and order of
// addition are part of the definition. The build tag noasm leaves it out.
package sweep

import (
	"math"
)

// lanes is how many pairs Add weighs side by side.
const lanes = 8

// Pad is how many items must follow the last particle in a Lane, so that
// vectors may read past the end. Their values do not matter.
const Pad = 16

// Most is the largest number of neighbours that a particle may have. At h = 2
// spacings about 30 are usual; one with more than Most lies in a heap that is
// many times too dense.
const Most = 496

// Vec4 is a vector and one number more, in 16 bytes that lie in one cache
// line: what a pass reads of a neighbour.
type Vec4 struct{ X, Y, Z, S float32 }

// Lane holds the positions of all particles in cell order, in units of h, and
// Pad items more.
type Lane struct{ X, Y, Z []float32 }

// Runs hold all particles that may be near one cell, in ascending order:
// first ≤ j < end for each of nine rows of three cells.
type Runs [9][2]int32

// Weight is h V ∇W_ij (x, y, z), with ∇ at particle i, and h² V (dW/dr)/r, all
// without dimension and in half precision (IEEE 754 binary16).
type Weight [4]uint16

// Sums are over the neighbours of one particle, itself left out: V W, h V ∇W
// and the square of the latter, without dimension.
type Sums struct{ W, GX, GY, GZ, Square float32 }

// Pairs are the neighbours of the consecutive particles First, First+1, …:
// those of particle First+i are J[Start[i]:Start[i+1]], ascending. The zero
// value is ready for Reset.
type Pairs struct {
	First int
	Start []int32
	J     []int32
	G     []Weight
	W     []uint16 // V W in half precision, if asked for
	keepW bool
}

// Scratch is the memory that Add works in, one for each goroutine.
type Scratch struct{ b buffer }

// buffer holds the candidates of one particle that are closer than h: their
// distance vectors, the squares of those, and indices. The assembly knows the
// layout.
type buffer struct {
	dx, dy, dz, r2 [Most + 2*lanes]float32
	j              [Most + 2*lanes]int32
}

// Reset empties p for the particles from first on. It keeps p.W only if keepW
// is set.
func (p *Pairs) Reset(first int, keepW bool) {
	p.First, p.keepW = first, keepW
	p.Start = append(p.Start[:0], 0)
	p.J, p.G, p.W = p.J[:0], p.G[:0], p.W[:0]
}

// Len returns the number of particles whose neighbours p holds.
func (p *Pairs) Len() int { return len(p.Start) - 1 }

// Of returns the neighbours of particle First+i and their weights.
func (p *Pairs) Of(i int) ([]int32, []Weight) {
	lo, hi := p.Start[i], p.Start[i+1]
	return p.J[lo:hi], p.G[lo:hi]
}

// Self returns V W(0), what a particle adds to its own density, where volume
// is V/h³.
func Self(volume float64) float32 { return float32(8 / math.Pi * volume) }

// Add appends the neighbours of the next particle, self, which are among
// runs. volume is V/h³. It reports whether they are at most Most.
func (p *Pairs) Add(self int, l *Lane, runs *Runs, volume float64, s *Scratch) (Sums, bool) {
	n := search(&s.b, l, runs, self)
	if n < 0 {
		return Sums{}, false
	}
	return p.weigh(n, volume, s), true
}

// AddList is Add with a list of candidates, ascending, in place of runs.
func (p *Pairs) AddList(self int, l *Lane, list []int32, volume float64, s *Scratch) (Sums, bool) {
	n := 0
	for _, j := range list {
		if n = s.b.take(n, l, self, j); n < 0 {
			return Sums{}, false
		}
	}
	return p.weigh(n, volume, s), true
}

// weigh appends the n candidates in s.
func (p *Pairs) weigh(n int, volume float64, s *Scratch) Sums {
	from := len(p.J)
	p.J = grow(p.J, from+n)
	p.G = grow(p.G, from+n)
	j, g := p.J[from:from+n], p.G[from:from+n]
	var w []uint16
	if p.keepW {
		p.W = grow(p.W, from+n)
		w = p.W[from : from+n]
	}
	p.Start = append(p.Start, int32(from+n))
	return weigh(j, g, w, &s.b, Self(volume))
}

// grow returns s with length n and room for a vector more. Pairs are most of
// the memory of a run, so it leaves little room to spare.
func grow[T any](s []T, n int) []T {
	if n+lanes > cap(s) {
		t := make([]T, len(s), n+n/8+4*lanes)
		copy(t, s)
		s = t
	}
	return s[:n]
}

// take puts particle j into b as candidate n if it is a neighbour of self. It
// returns the number of candidates, or −1 if they are too many.
func (b *buffer) take(n int, l *Lane, self int, j int32) int {
	dx, dy, dz := l.X[self]-l.X[j], l.Y[self]-l.Y[j], l.Z[self]-l.Z[j]
	r2 := float32(float32(dx*dx)+float32(dy*dy)) + float32(dz*dz)
	if !(r2 < 1) || int(j) == self {
		return n
	}
	if n >= Most {
		return -1
	}
	b.dx[n], b.dy[n], b.dz[n], b.r2[n], b.j[n] = dx, dy, dz, r2, j
	return n + 1
}

// searchGo puts the neighbours of particle self into b and returns how many
// they are, or −1 for more than Most.
func searchGo(b *buffer, l *Lane, runs *Runs, self int) int {
	n := 0
	for _, r := range runs {
		for j := r[0]; j < r[1]; j++ {
			if n = b.take(n, l, self, j); n < 0 {
				return -1
			}
		}
	}
	return n
}

// weighGo turns the candidates in b into pairs and sums over them. scale is
// 8/π V/h³; w is empty or as long as j.
func weighGo(j []int32, g []Weight, w []uint16, b *buffer, scale float32) Sums {
	var sw, sx, sy, sz, sq [lanes]float32
	for k := range j {
		q := float32(math.Sqrt(float64(b.r2[k])))
		u, t := 1-q, max(0.5-q, 0)
		u2 := u * u
		wk := scale * (float32(2*float32(u2*u)) - float32(8*float32(float32(t*t)*t)))
		// (dw/dq)/q, of the two pieces of the spline.
		f := float32(18*q) - 12
		if q >= 0.5 {
			f = float32(-6*u2) / q
		}
		f *= scale
		x, y, z := f*b.dx[k], f*b.dy[k], f*b.dz[k]
		i := k % lanes
		sw[i] += wk
		sx[i] += x
		sy[i] += y
		sz[i] += z
		sq[i] += float32(float32(x*x)+float32(y*y)) + float32(z*z)
		j[k] = b.j[k]
		g[k] = Weight{half(x), half(y), half(z), half(f)}
		if len(w) > 0 {
			w[k] = half(wk)
		}
	}
	return Sums{fold(&sw), fold(&sx), fold(&sy), fold(&sz), fold(&sq)}
}

// fold adds up lanes in the order in which halves of vectors fold.
func fold(v *[lanes]float32) float32 {
	a, b, c, d := v[0]+v[4], v[1]+v[5], v[2]+v[6], v[3]+v[7]
	return (a + c) + (b + d)
}
