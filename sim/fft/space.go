package fft

import (
	"fmt"
	"sync"

	"breakwater/sim/par"
)

// Space solves Poisson's equation in free space for fields that are given at the nodes of a
// box and zero outside. The box is doubled, so that its images do not meet it (Hockney and
// Eastwood, Computer Simulation Using Particles, 1988, section 6-5-4). Derivatives are central
// differences of the order 10, so results within Border nodes of a side are wrong unless the
// fields are zero there.
type Space struct {
	n      [3]int
	plan   [3]*Plan[float32]
	green  []float32
	slope  [3][]float32 // −i times the transform of a derivative, by wave number
	inputs [4]spectrum
	pool   sync.Pool
}

// Border is how many nodes next to each side must be zero.
const Border = 5

// spectrum holds a number for each wave number along x, and each y and z: z fastest.
type spectrum struct{ re, im []float32 }

// Field is numbers at the nodes, x fastest: the one of node p is Data[p*Stride+Offset].
type Field struct {
	Data           []float32
	Offset, Stride int
}

// scratch is what a worker needs.
type scratch struct {
	line  [3]*Lines[float32]            // of each length
	deep  [4]*Lines[float32]            // along z, one for each input
	plane [4]struct{ re, im []float32 } // of a wave number along x: wave number along y, then z
}

// NewSpace returns the solver for a box of nx × ny × nz nodes. nz must be a multiple of
// Lanes, and ny of Lanes/2.
func NewSpace(nx, ny, nz int) *Space {
	if nz%Lanes != 0 || ny%(Lanes/2) != 0 {
		panic(fmt.Sprintf("fft: a box of %d × %d × %d nodes, want multiples of 1, %d and %d", nx, ny, nz, Lanes/2, Lanes))
	}
	s := &Space{n: [3]int{nx, ny, nz}, green: greens([3]int{nx, ny, nz})}
	for a, n := range s.n {
		s.plan[a] = New[float32](2 * n)
		s.slope[a] = slopes(2 * n)
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

// Size returns the number of nodes along each axis.
func (s *Space) Size() [3]int { return s.n }

// Curl sets u to ∇×A − ∇φ of ∇²A = −w and ∇²φ = −d, for a distance of 1 between nodes. u may
// be w. d is absent if its Data is nil.
func (s *Space) Curl(u, w [3]Field, d Field) {
	in := w[:]
	if d.Data != nil {
		in = append(in, d)
	}
	s.solve(u[:], in, func(x *scratch, k, j, from int, dx float32, green []float32) {
		dz := s.slope[2][k]
		for l := range Lanes {
			dy, g, i := s.slope[1][j+l], green[l], from+l
			a, b, c := x.deep[0], x.deep[1], x.deep[2]
			ar, ai, br, bi, cr, ci := a.Re[i], a.Im[i], b.Re[i], b.Im[i], c.Re[i], c.Im[i]
			ur, ui := float32(dy*cr)-float32(dz*br), float32(dy*ci)-float32(dz*bi)
			vr, vi := float32(dz*ar)-float32(dx*cr), float32(dz*ai)-float32(dx*ci)
			wr, wi := float32(dx*br)-float32(dy*ar), float32(dx*bi)-float32(dy*ai)
			if d.Data != nil {
				er, ei := x.deep[3].Re[i], x.deep[3].Im[i]
				ur, ui = ur-float32(dx*er), ui-float32(dx*ei)
				vr, vi = vr-float32(dy*er), vi-float32(dy*ei)
				wr, wi = wr-float32(dz*er), wi-float32(dz*ei)
			}
			a.Re[i], a.Im[i] = -(g * ui), g*ur
			b.Re[i], b.Im[i] = -(g * vi), g*vr
			c.Re[i], c.Im[i] = -(g * wi), g*wr
		}
	})
}

// Solve sets p to the solution of ∇²p = −d, for a distance of 1 between nodes. p may be d.
func (s *Space) Solve(p, d Field) {
	s.solve([]Field{p}, []Field{d}, func(x *scratch, _, _, from int, _ float32, green []float32) {
		a := x.deep[0]
		for l, g := range green {
			a.Re[from+l] *= g
			a.Im[from+l] *= g
		}
	})
}

// solve transforms the inputs, lets mix make the outputs of them, and transforms these back.
// mix works on Lanes wave numbers along y from j on, at the wave number k along z. Their
// numbers are in deep from an index on.
func (s *Space) solve(out, in []Field, mix func(x *scratch, k, j, from int, dx float32, green []float32)) {
	nx, ny, nz := s.n[0], s.n[1], s.n[2]
	for c := range in {
		s.inputs[c].re = par.Resize(s.inputs[c].re, (nx+1)*ny*nz)
		s.inputs[c].im = par.Resize(s.inputs[c].im, (nx+1)*ny*nz)
	}
	// Two rows are the real and the imaginary part of a line.
	blocks := (nz + 2*Lanes - 1) / (2 * Lanes)
	par.Each(ny*blocks, func(item int) {
		x := s.pool.Get().(*scratch)
		for c := range in {
			s.rows(&in[c], &s.inputs[c], x.line[0], item%ny, item/ny*2*Lanes)
		}
		s.pool.Put(x)
	})
	par.Each(nx+1, func(i int) {
		x := s.pool.Get().(*scratch)
		s.plane(x, i, len(out), len(in), mix)
		s.pool.Put(x)
	})
	par.Each(ny*blocks, func(item int) {
		x := s.pool.Get().(*scratch)
		for c := range out {
			s.rowsBack(&out[c], &s.inputs[c], x.line[0], item%ny, item/ny*2*Lanes)
		}
		s.pool.Put(x)
	})
}

// rows transforms the rows along x at j and at up to 2 × Lanes values of z from k on.
func (s *Space) rows(f *Field, to *spectrum, l *Lines[float32], j, k int) {
	nx, ny, nz := s.n[0], s.n[1], s.n[2]
	both := k+Lanes < nz
	for lane := range Lanes {
		p := (((k+lane)*ny+j)*nx)*f.Stride + f.Offset
		q := p + Lanes*ny*nx*f.Stride
		for i := range nx {
			at := i*Lanes + lane
			l.Re[at], l.Im[at] = f.Data[p+i*f.Stride], 0
			if both {
				l.Im[at] = f.Data[q+i*f.Stride]
			}
		}
	}
	clear(l.Re[nx*Lanes:])
	clear(l.Im[nx*Lanes:])
	s.plan[0].Forward(l)
	// A = (Z_i + conj Z_−i)/2 and B = (Z_i − conj Z_−i)/2i.
	for i := range nx + 1 {
		a, b := i*Lanes, (2*nx-i)%(2*nx)*Lanes
		zr, zi, yr, yi := l.Re[a:][:Lanes], l.Im[a:][:Lanes], l.Re[b:][:Lanes], l.Im[b:][:Lanes]
		at := (i*ny+j)*nz + k
		re, im := to.re[at:][:Lanes], to.im[at:][:Lanes]
		for c := range Lanes {
			re[c], im[c] = 0.5*(zr[c]+yr[c]), 0.5*(zi[c]-yi[c])
		}
		if both {
			re, im = to.re[at+Lanes:][:Lanes], to.im[at+Lanes:][:Lanes]
			for c := range Lanes {
				re[c], im[c] = 0.5*(zi[c]+yi[c]), 0.5*(yr[c]-zr[c])
			}
		}
	}
}

// rowsBack is the inverse of rows.
func (s *Space) rowsBack(f *Field, from *spectrum, l *Lines[float32], j, k int) {
	nx, ny, nz := s.n[0], s.n[1], s.n[2]
	both := k+Lanes < nz
	// Z = A + iB, and at −i the conjugates of A and B.
	for i := range nx + 1 {
		a, b := i*Lanes, (2*nx-i)%(2*nx)*Lanes
		at := (i*ny+j)*nz + k
		ar, ai := from.re[at:][:Lanes], from.im[at:][:Lanes]
		var none [Lanes]float32
		br, bi := none[:], none[:]
		if both {
			br, bi = from.re[at+Lanes:][:Lanes], from.im[at+Lanes:][:Lanes]
		}
		for c := range Lanes {
			l.Re[b+c], l.Im[b+c] = ar[c]+bi[c], br[c]-ai[c]
			l.Re[a+c], l.Im[a+c] = ar[c]-bi[c], ai[c]+br[c]
		}
	}
	s.plan[0].Backward(l)
	for lane := range Lanes {
		p := (((k+lane)*ny+j)*nx)*f.Stride + f.Offset
		q := p + Lanes*ny*nx*f.Stride
		for i := range nx {
			at := i*Lanes + lane
			f.Data[p+i*f.Stride] = l.Re[at]
			if both {
				f.Data[q+i*f.Stride] = l.Im[at]
			}
		}
	}
}

// plane transforms the plane of wave number i along x of all inputs, mixes them and
// transforms the outputs back.
func (s *Space) plane(x *scratch, i, out, in int, mix func(x *scratch, k, j, from int, dx float32, green []float32)) {
	ny, nz := s.n[1], s.n[2]
	l := x.line[1]
	for c := range in {
		if x.deep[c] == nil {
			x.deep[c] = s.plan[2].NewLines()
			x.plane[c].re, x.plane[c].im = make([]float32, 2*ny*nz), make([]float32, 2*ny*nz)
		}
		p, f := &x.plane[c], &s.inputs[c]
		for k := 0; k < nz; k += Lanes {
			for j := range ny {
				at := (i*ny+j)*nz + k
				copy(l.Re[j*Lanes:][:Lanes], f.re[at:])
				copy(l.Im[j*Lanes:][:Lanes], f.im[at:])
			}
			clear(l.Re[ny*Lanes:])
			clear(l.Im[ny*Lanes:])
			s.plan[1].Forward(l)
			for j := range 2 * ny {
				copy(p.re[j*nz+k:][:Lanes], l.Re[j*Lanes:])
				copy(p.im[j*nz+k:][:Lanes], l.Im[j*Lanes:])
			}
		}
	}
	for j := 0; j < 2*ny; j += Lanes {
		for c := range in {
			p, d := &x.plane[c], x.deep[c]
			turnIn(d.Re, p.re[j*nz:], nz)
			turnIn(d.Im, p.im[j*nz:], nz)
			clear(d.Re[nz*Lanes:])
			clear(d.Im[nz*Lanes:])
			s.plan[2].Forward(d)
		}
		for k := range 2 * nz {
			at := (i*(nz+1)+min(k, 2*nz-k))*2*ny + j
			mix(x, k, j, k*Lanes, s.slope[0][i], s.green[at:][:Lanes])
		}
		for c := range out {
			p, d := &x.plane[c], x.deep[c]
			s.plan[2].Backward(d)
			turnOut(p.re[j*nz:], d.Re, nz)
			turnOut(p.im[j*nz:], d.Im, nz)
		}
	}
	for c := range out {
		p, f := &x.plane[c], &s.inputs[c]
		for k := 0; k < nz; k += Lanes {
			for j := range 2 * ny {
				copy(l.Re[j*Lanes:][:Lanes], p.re[j*nz+k:])
				copy(l.Im[j*Lanes:][:Lanes], p.im[j*nz+k:])
			}
			s.plan[1].Backward(l)
			for j := range ny {
				at := (i*ny+j)*nz + k
				copy(f.re[at:][:Lanes], l.Re[j*Lanes:])
				copy(f.im[at:][:Lanes], l.Im[j*Lanes:])
			}
		}
	}
}

// turnIn copies Lanes rows of n numbers to lines, and turnOut copies them back.
func turnIn(to, from []float32, n int) {
	for lane := range Lanes {
		row := from[lane*n:][:n]
		for k, v := range row {
			to[k*Lanes+lane] = v
		}
	}
}

func turnOut(to, from []float32, n int) {
	for lane := range Lanes {
		row := to[lane*n:][:n]
		for k := range row {
			row[k] = from[k*Lanes+lane]
		}
	}
}
