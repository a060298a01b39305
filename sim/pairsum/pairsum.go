// Package pairsum computes the pair sums of the solvers, in which a simulation spends
// nearly all of its time.
//
// A step finds the pairs of particles closer than h once (Gather, Add) and then passes
// over them many times (Gradient, Divergence, Diffusion, Average). Particles are in cell
// order, so the neighbours of a particle are a few runs of consecutive indices. Positions
// are in units of h from a corner of the grid, so neighbours are closer than 1. Passes
// over many particles are bound by memory, so a pair takes 4 bytes: the weight in half
// precision, and the increment from the previous neighbour's index. The distance vector
// is computed again from the positions each time.
//
// The kernel is the cubic spline of Monaghan, Smoothed Particle
// Hydrodynamics, Annu. Rev. Astron. Astrophys. 30, 1992, with support radius
// h:
//
//	w(q) = 2(1−q)³ − 8(½−q)₊³,  W = 8/(πh³) w(q),  q = r/h.
//
// Plain Go is the definition. On amd64 with AVX2 and F16C, or AVX-512, assembly computes
// the same bits. It uses neither fused multiply-add nor estimates. The number of lanes of
// a sum and the order of addition are part of its definition. The build tag noasm leaves
// it out.
package pairsum

import (
	"iter"
	"math"
	"slices"

	"breakwater/sim/num"
)

// lanes is how many pairs Add weighs side by side.
const lanes = 8

// Pad is how many items must follow the last particle of Positions, so that
// vectors may read past the end. Their values do not matter.
const Pad = 16

// Most is the largest number of neighbours that a particle may have. At h = 2 spacings
// about 30 are usual; one with more than Most is in a region that is many times too
// dense.
const Most = 496

// Vec4 is a vector and one number more, in 16 bytes that lie in one cache
// line: what a pass reads of a neighbour.
type Vec4 struct{ X, Y, Z, S float32 }

// Positions holds the positions of all particles in cell order, in units of h, and
// Pad items more.
type Positions struct{ X, Y, Z []float32 }

// Runs hold all particles that may be near one cell, in ascending order:
// first ≤ j < end for each of nine rows of three cells.
type Runs [9][2]int32

// Group is four neighbours: their weights −h² V (dW/dr)/r, dimensionless and in half
// precision (IEEE 754 binary16), and the differences of their indices from the previous
// neighbour's index. A zero weight fills up a group, or steps towards a neighbour whose
// index is more than 65535 further.
type Group struct{ F, Step [4]uint16 }

// Sums are over the neighbours of one particle, itself left out: V W, h V ∇W
// with ∇ at the particle, and the square of the latter, without dimension.
type Sums struct{ W, GX, GY, GZ, Square float32 }

// Pairs are the neighbours of the consecutive particles First, First+1, …. The neighbours
// of particle First+i are List[Start[i]:Start[i+1]], ascending, from the index Base[i]
// on. The zero value is ready for Reset.
type Pairs struct {
	First int
	Start []int32
	Base  []int32
	List  []Group
	W     [][4]uint16 // V W in half precision, for each group, if asked for
	keepW bool
	count int
}

// Scratch is the memory that Gather and Add work in, one for each goroutine.
type Scratch struct {
	near Positions // the candidates
	j    []int32   // and their indices
	b    buffer
}

// buffer holds the candidates of one particle that are closer than h: their
// distance vectors and, one item on, their indices. The assembly knows the
// layout.
type buffer struct {
	dx, dy, dz [Most + 2*lanes]float32
	j          [Most + 3*lanes]int32
}

// Reset empties p for count particles from first on. It keeps p.W only if
// keepW is set.
func (p *Pairs) Reset(first, count int, keepW bool) {
	p.First, p.count, p.keepW = first, count, keepW
	p.Start = append(p.Start[:0], 0)
	p.Base, p.List, p.W = p.Base[:0], p.List[:0], p.W[:0]
}

// Len returns the number of particles whose neighbours p holds.
func (p *Pairs) Len() int { return len(p.Base) }

// Of yields the neighbours of particle First+i and their weights, but for
// those at the very edge, whose weight rounds to nothing.
func (p *Pairs) Of(i int) iter.Seq2[int32, float32] {
	return func(yield func(int32, float32) bool) {
		j := p.Base[i]
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k, f := range c.F {
				j += int32(c.Step[k])
				if f != 0 && !yield(j, single[f]) {
					return
				}
			}
		}
	}
}

// Weight returns the weight whose bits in a Group are f.
func Weight(f uint16) float32 {
	return float32(math.Float32frombits(uint32(f)<<13) * 0x1p112) // moves the exponent's bias
}

// Self returns V W(0), what a particle adds to its own density, where volume
// is V/h³.
func Self(volume float64) float32 { return float32(8 / math.Pi * volume) }

// Gather readies s for Add of particles whose neighbours are all among runs.
func (s *Scratch) Gather(l *Positions, runs *Runs) {
	n := 0
	for _, r := range runs {
		n += int(r[1] - r[0])
	}
	s.grow(n)
	gather(s, l, runs)
	s.end(n)
}

// GatherList is Gather with a list of candidates, ascending, in place of runs.
func (s *Scratch) GatherList(l *Positions, list []int32) {
	s.grow(len(list))
	for i, j := range list {
		s.near.X[i], s.near.Y[i], s.near.Z[i], s.j[i] = l.X[j], l.Y[j], l.Z[j], j
	}
	s.end(len(list))
}

// grow makes room for n candidates, and a vector to write past them.
func (s *Scratch) grow(n int) {
	n += Pad
	s.near.X = slices.Grow(s.near.X[:0], n)[:n]
	s.near.Y = slices.Grow(s.near.Y[:0], n)[:n]
	s.near.Z = slices.Grow(s.near.Z[:0], n)[:n]
	s.j = slices.Grow(s.j[:0], n)[:n]
}

// end ends the n candidates with some that are near nothing.
func (s *Scratch) end(n int) {
	for i := n; i < n+Pad; i++ {
		s.near.X[i] = 1e9
	}
	s.j = s.j[:n]
}

func gatherGo(s *Scratch, l *Positions, runs *Runs) {
	n := 0
	for _, r := range runs {
		copy(s.near.X[n:], l.X[r[0]:r[1]])
		copy(s.near.Y[n:], l.Y[r[0]:r[1]])
		copy(s.near.Z[n:], l.Z[r[0]:r[1]])
		for j := r[0]; j < r[1]; j++ {
			s.j[n] = j
			n++
		}
	}
}

// Add appends the neighbours of the next particle, self, which are among
// those gathered in s. volume is V/h³. It reports whether they are at most
// Most.
func (p *Pairs) Add(self int, l *Positions, volume float64, s *Scratch) (Sums, bool) {
	n := search(s, l, self)
	if n < 0 {
		return Sums{}, false
	}
	if n == 0 {
		p.end(0)
		return Sums{}, true
	}
	from := len(p.List)
	to := from + (n+3)/4
	// If memory is short, assume that the next particles have as many neighbours.
	room := to * p.count / (p.Len() + 1)
	p.List = grow(p.List, to, room)
	var w [][4]uint16
	if p.keepW {
		p.W = grow(p.W, to, room)
		w = p.W[from:]
	}
	sums, fit := weigh(p.List[from:], w, &s.b, n, Self(volume))
	if !fit {
		p.spread(from, n, &s.b)
	}
	p.end(s.b.j[1])
	return sums, true
}

// end ends the list of a particle whose first neighbour is base.
func (p *Pairs) end(base int32) {
	p.Base = append(p.Base, base)
	p.Start = append(p.Start, int32(len(p.List)))
}

// spread puts steps of no weight between the n neighbours in b that are at
// most 65535 apart, which weigh has put into the groups from the given one on.
func (p *Pairs) spread(from, n int, b *buffer) {
	var f, w, step []uint16
	for k := range n {
		d := int(b.j[1+k] - b.j[max(1, k)])
		for ; d > math.MaxUint16; d -= math.MaxUint16 {
			f, w, step = append(f, 0), append(w, 0), append(step, math.MaxUint16)
		}
		f, step = append(f, p.List[from+k/4].F[k%4]), append(step, uint16(d))
		if p.keepW {
			w = append(w, p.W[from+k/4][k%4])
		}
	}
	for len(f)%4 > 0 {
		f, w, step = append(f, 0), append(w, 0), append(step, 0)
	}
	p.List = grow(p.List, from+len(f)/4, 0)
	if p.keepW {
		p.W = grow(p.W, from+len(f)/4, 0)
	}
	for k := range f {
		c := &p.List[from+k/4]
		c.F[k%4], c.Step[k%4] = f[k], step[k]
		if p.keepW {
			p.W[from+k/4][k%4] = w[k]
		}
	}
}

// grow returns s with length n and room for a vector more; and for room items
// where it has to make more. Pairs are much of the memory of a run, so it leaves
// little to spare.
func grow[T any](s []T, n, room int) []T {
	if n+lanes > cap(s) {
		t := make([]T, len(s), max(n, room)+max(n, room)/32+2*lanes)
		copy(t, s)
		s = t
	}
	return s[:n]
}

// searchGo puts the neighbours of particle self into s.b and returns how many
// they are, or −1 for more than Most.
func searchGo(s *Scratch, l *Positions, self int) int {
	n, b := 0, &s.b
	for i, j := range s.j {
		dx, dy, dz := l.X[self]-s.near.X[i], l.Y[self]-s.near.Y[i], l.Z[self]-s.near.Z[i]
		if r2 := square(dx, dy, dz); !(r2 < 1) || int(j) == self {
			continue
		}
		if n >= Most {
			return -1
		}
		b.dx[n], b.dy[n], b.dz[n], b.j[1+n] = dx, dy, dz, j
		n++
	}
	return n
}

func square(x, y, z float32) float32 { return float32(float32(x*x)+float32(y*y)) + float32(z*z) }

// weighGo turns the n > 0 candidates in b into groups and sums over them. It
// reports whether all steps fit. scale is 8/π V/h³; w is nil or as long as the
// groups.
func weighGo(list []Group, w [][4]uint16, b *buffer, n int, scale float32) (s Sums, fit bool) {
	var sw, sx, sy, sz, sq [lanes]float32
	b.j[0] = b.j[1]
	fit = true
	for k := range n {
		q := float32(math.Sqrt(float64(square(b.dx[k], b.dy[k], b.dz[k]))))
		u, t := 1-q, max(0.5-q, 0)
		u2 := float32(u * u)
		wk := float32(scale * (float32(2*float32(u2*u)) - float32(8*float32(float32(t*t)*t))))
		// −(dw/dq)/q, of the two pieces of the spline.
		f := 12 - float32(18*q)
		if q >= 0.5 {
			f = float32(6*u2) / q
		}
		f *= scale
		x, y, z := float32(f*b.dx[k]), float32(f*b.dy[k]), float32(f*b.dz[k])
		i := k % lanes
		sw[i] += wk
		sx[i] += x
		sy[i] += y
		sz[i] += z
		sq[i] += square(x, y, z)
		step := b.j[k+1] - b.j[k]
		fit = fit && step <= math.MaxUint16
		list[k/4].F[k%4], list[k/4].Step[k%4] = half(f), uint16(step)
		if len(w) > 0 {
			w[k/4][k%4] = half(wk)
		}
	}
	for k := n; k%4 > 0; k++ {
		list[k/4].F[k%4], list[k/4].Step[k%4] = 0, 0
		if len(w) > 0 {
			w[k/4][k%4] = 0
		}
	}
	return Sums{num.Fold(&sw), -num.Fold(&sx), -num.Fold(&sy), -num.Fold(&sz), num.Fold(&sq)}, fit
}
