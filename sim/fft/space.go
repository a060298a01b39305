package fft

import (
	"fmt"
	"sync"

	"breakwater/sim/num"
	"breakwater/sim/par"
)

// Space solves Poisson's equation in free space for fields that are given at the nodes of a
// box and zero outside. The box is doubled, so that its images do not meet it (Hockney and
// Eastwood, Computer Simulation Using Particles, 1988, section 6-5-4). Derivatives are central
// differences of the order 10, so results within Border nodes of a side are wrong unless the
// fields are zero there.
//
// Along some axes the fields may repeat themselves. There, the box is not doubled, and derivatives
// are exact for all waves that the nodes have. If all axes repeat, the mean of a result is 0.
type Space struct {
	n      [3]int // nodes that are not copies
	m      [3]int // numbers of a line that is transformed
	size   [3]int // nodes of a field
	skip   int    // nodes of a field before the first that is not a copy
	plan   [3]*Plan[float32]
	green  []float32
	slope  [3][]float32 // −i times the transform of a derivative, by wave number
	inputs [4]spectrum
	pool   sync.Pool
}

// Border is how many nodes next to each side must be zero. Along an axis that repeats, they are
// copies.
const Border = len(num.Central10)

// spectrum holds a number for each wave number along x, and each y and z: z fastest.
type spectrum struct{ re, im []float32 }

// Field is numbers at the nodes, x fastest.
type Field []float32

// mixer works on the numbers of Lanes wave numbers along y from j on, at the wave number k
// along z. They are in deep from an index on.
type mixer func(x *scratch, k, j, from int, dx float32, green *[Lanes]float32)

// scratch is what a worker needs.
type scratch struct {
	line  [3]*Lines[float32]            // of each length
	deep  [4]*Lines[float32]            // along z, one for each input
	plane [4]struct{ re, im []float32 } // of a wave number along x: wave number along y, then z
}

// NewSpace returns the solver for a box of nx × ny × nz nodes. nz must be a multiple of
// Lanes, and ny of Lanes/2.
func NewSpace(nx, ny, nz int) *Space { return NewPeriodicSpace([3]int{nx, ny, nz}, [3]bool{}) }

// NewPeriodicSpace returns the solver for fields of size nodes that repeat themselves along
// some axes. There, the first and the last Border nodes are copies of others, which are neither
// read nor written, and the others must be a multiple of Lanes.
func NewPeriodicSpace(size [3]int, repeats [3]bool) *Space {
	s := &Space{n: size, m: size, size: size}
	step := 1
	for a, on := range repeats {
		if on {
			s.n[a] -= 2 * Border
			s.m[a] = s.n[a]
			s.skip += Border * step
		} else {
			s.m[a] = 2 * size[a]
		}
		step *= size[a]
		if least := [3]int{2, Lanes, 2 * Lanes}[a]; s.m[a]%least != 0 && !on || on && s.m[a]%Lanes != 0 {
			panic(fmt.Sprintf("fft: a box of %v nodes, want multiples of 1, %d and %d, and of %d where it repeats", s.n, Lanes/2, Lanes, Lanes))
		}
	}
	s.green = greens(s.m, repeats)
	for a, m := range s.m {
		s.plan[a] = New[float32](m)
		s.slope[a] = slopes(m)
		if repeats[a] {
			s.slope[a] = waves(m)
		}
	}
	s.pool.New = func() any {
		x := &scratch{}
		for a, p := range s.plan {
			x.line[a] = p.NewLines()
		}
		return x
	}
	return s
}

// Size returns the number of nodes of a field along each axis.
func (s *Space) Size() [3]int { return s.size }

// Curl sets u to ∇×A − ∇φ of ∇²A = −w and ∇²φ = −d, for a distance of 1 between nodes. u may
// be w. d is absent if it is nil.
func (s *Space) Curl(u, w [3]Field, d Field) {
	in := w[:]
	if d != nil {
		in = append(in, d)
	}
	s.solve(u[:], in, func(x *scratch, k, j, from int, dx float32, green *[Lanes]float32) {
		var at numbers
		for c := range in {
			at[2*c], at[2*c+1] = vector(x.deep[c].Re[from:]), vector(x.deep[c].Im[from:])
		}
		curl(&at, vector(s.slope[1][j:]), green, dx, s.slope[2][k])
	})
}

// Solve sets p to the solution of ∇²p = −d, for a distance of 1 between nodes. p may be d.
func (s *Space) Solve(p, d Field) {
	s.solve([]Field{p}, []Field{d}, func(x *scratch, _, _, from int, _ float32, green *[Lanes]float32) {
		re, im := vector(x.deep[0].Re[from:]), vector(x.deep[0].Im[from:])
		for l, g := range green {
			re[l] *= g
			im[l] *= g
		}
	})
}

// solve transforms the inputs, lets mix make the outputs of them, and transforms these back.
func (s *Space) solve(out, in []Field, mix mixer) {
	waves, ny, nz := s.m[0]/2+1, s.n[1], s.n[2]
	for c := range in {
		s.inputs[c].re = par.Resize(s.inputs[c].re, waves*ny*nz)
		s.inputs[c].im = par.Resize(s.inputs[c].im, waves*ny*nz)
	}
	// Two rows are the real and the imaginary part of a line.
	blocks := (nz + 2*Lanes - 1) / (2 * Lanes)
	par.Each(ny*blocks, func(item int) {
		x := s.pool.Get().(*scratch)
		for c := range in {
			s.rows(in[c], &s.inputs[c], x.line[0], item%ny, item/ny*2*Lanes)
		}
		s.pool.Put(x)
	})
	par.Each(waves, func(i int) {
		x := s.pool.Get().(*scratch)
		s.plane(x, i, len(out), len(in), mix)
		s.pool.Put(x)
	})
	par.Each(ny*blocks, func(item int) {
		x := s.pool.Get().(*scratch)
		for c := range out {
			s.rowsBack(out[c], &s.inputs[c], x.line[0], item%ny, item/ny*2*Lanes)
		}
		s.pool.Put(x)
	})
}

// at returns where row (j, k) of the nodes that are not copies begins in a field.
func (s *Space) at(j, k int) int { return s.skip + (k*s.size[1]+j)*s.size[0] }

// rows transforms the rows along x at j and at up to 2 × Lanes values of z from k on.
func (s *Space) rows(f Field, to *spectrum, l *Lines[float32], j, k int) {
	nx, ny, nz, mx := s.n[0], s.n[1], s.n[2], s.m[0]
	rows := min(2*Lanes, nz-k)
	for half, lines := range [][]float32{l.Re, l.Im} {
		filled := 0
		if half*Lanes < rows {
			turnIn(lines, f[s.at(j, k+half*Lanes):], nx, s.size[0]*s.size[1])
			filled = nx * Lanes
		}
		clear(lines[filled:])
	}
	s.plan[0].Forward(l)
	for i := range mx/2 + 1 {
		a, b := i*Lanes, (mx-i)%mx*Lanes
		at := (i*ny+j)*nz + k
		split(&complexLanes{vector(l.Re[a:]), vector(l.Im[a:])}, &complexLanes{vector(l.Re[b:]), vector(l.Im[b:])}, to.re[at:][:rows], to.im[at:][:rows])
	}
}

// rowsBack is the inverse of rows.
func (s *Space) rowsBack(f Field, from *spectrum, l *Lines[float32], j, k int) {
	nx, ny, nz, mx := s.n[0], s.n[1], s.n[2], s.m[0]
	rows := min(2*Lanes, nz-k)
	for i := range mx/2 + 1 {
		a, b := i*Lanes, (mx-i)%mx*Lanes
		at := (i*ny+j)*nz + k
		join(&complexLanes{vector(l.Re[a:]), vector(l.Im[a:])}, &complexLanes{vector(l.Re[b:]), vector(l.Im[b:])}, from.re[at:][:rows], from.im[at:][:rows])
	}
	s.plan[0].Backward(l)
	for half, lines := range [][]float32{l.Re, l.Im} {
		if half*Lanes < rows {
			turnOut(f[s.at(j, k+half*Lanes):], lines, nx, s.size[0]*s.size[1])
		}
	}
}

// plane transforms the plane of wave number i along x of all inputs, mixes them and
// transforms the outputs back.
func (s *Space) plane(x *scratch, i, out, in int, mix mixer) {
	ny, nz, my, mz := s.n[1], s.n[2], s.m[1], s.m[2]
	l := x.line[1]
	for c := range in {
		if x.deep[c] == nil {
			x.deep[c] = s.plan[2].NewLines()
			x.plane[c].re, x.plane[c].im = make([]float32, my*nz), make([]float32, my*nz)
		}
		p, f := &x.plane[c], &s.inputs[c]
		for k := 0; k < nz; k += Lanes {
			for j := range ny {
				at := (i*ny+j)*nz + k
				move(l.Re[j*Lanes:], f.re[at:])
				move(l.Im[j*Lanes:], f.im[at:])
			}
			clear(l.Re[ny*Lanes:])
			clear(l.Im[ny*Lanes:])
			s.plan[1].Forward(l)
			for j := range my {
				move(p.re[j*nz+k:], l.Re[j*Lanes:])
				move(p.im[j*nz+k:], l.Im[j*Lanes:])
			}
		}
	}
	for j := 0; j < my; j += Lanes {
		for c := range in {
			p, d := &x.plane[c], x.deep[c]
			turnIn(d.Re, p.re[j*nz:], nz, nz)
			turnIn(d.Im, p.im[j*nz:], nz, nz)
			clear(d.Re[nz*Lanes:])
			clear(d.Im[nz*Lanes:])
			s.plan[2].Forward(d)
		}
		for k := range mz {
			at := (i*(mz/2+1)+min(k, mz-k))*my + j
			mix(x, k, j, k*Lanes, s.slope[0][i], vector(s.green[at:]))
		}
		for c := range out {
			p, d := &x.plane[c], x.deep[c]
			s.plan[2].Backward(d)
			turnOut(p.re[j*nz:], d.Re, nz, nz)
			turnOut(p.im[j*nz:], d.Im, nz, nz)
		}
	}
	for c := range out {
		p, f := &x.plane[c], &s.inputs[c]
		for k := 0; k < nz; k += Lanes {
			for j := range my {
				move(l.Re[j*Lanes:], p.re[j*nz+k:])
				move(l.Im[j*Lanes:], p.im[j*nz+k:])
			}
			s.plan[1].Backward(l)
			for j := range ny {
				at := (i*ny+j)*nz + k
				move(f.re[at:], l.Re[j*Lanes:])
				move(f.im[at:], l.Im[j*Lanes:])
			}
		}
	}
}
