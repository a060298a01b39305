// Gen writes the assembly of the surface's loops and its Go stubs, with avo. The plain
// Go twins in splat.go, above.go, field.go and rings.go define each function.
//
// Constraints on every line here: no fused multiply-add, no estimates, and
// the order of additions of the twin, so that the bits are the same.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

func main() {
	ConstraintExpr("!noasm")
	splat()
	unpack()
	above()
	fieldAt()
	fieldMean()
	relax()
	turn()
	Generate()
}

// Where simd.Bricks has its parts, in bytes.
const (
	bricksX     = 4 * 16 * 16 * 16
	bricksY     = bricksX + 256
	bricksZ     = bricksY + 256
	bricksLow   = bricksZ + 256
	bricksHigh  = bricksLow + 32
	bricksDX2   = bricksHigh + 32
	bricksRest  = bricksDX2 + 256
	bricksFirst = bricksRest + 32
	bricksLast  = bricksFirst + 32
)

// splat sums particles over the bricks of a block: cubes of two nodes an edge,
// a vector each.
func splat() {
	one, half, four := asm.Floats("one", 1), asm.Floats("half", 0.5), asm.Floats("four", 4)
	wide, seven := asm.Floats("wide", 1.0001), GLOBL("sevens", RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32(7))
	}
	r := asm.Func("splatAVX2", "func(b *float32, p *float32, n int, inv float32)", "b", "p", "n")
	b, p, n := r[0], r[1], r[2]
	ones, halves, fours, zero := YMM(), YMM(), YMM(), YMM()
	VMOVUPS(one, ones)
	VMOVUPS(half, halves)
	VMOVUPS(four, fours)
	VXORPS(zero, zero, zero)
	at := func(disp int) Mem { return Mem{Base: b, Disp: disp} }
	// beyond leaves in d the squares of how far the eight slabs of bricks lie
	// from x along an axis.
	beyond := func(x, d reg.VecVirtual) {
		t := YMM()
		VMOVUPS(at(bricksLow), d)
		VSUBPS(x, d, d)
		VSUBPS(at(bricksHigh), x, t)
		VMAXPS(t, d, d)
		VMAXPS(zero, d, d)
		VMULPS(d, d, d)
	}

	Label("particle")
	x, y, z, s := YMM(), YMM(), YMM(), YMM()
	VBROADCASTSS(Mem{Base: p}, x)
	VBROADCASTSS(Mem{Base: p, Disp: 4}, y)
	VBROADCASTSS(Mem{Base: p, Disp: 8}, z)
	VBROADCASTSS(Mem{Base: p, Disp: 12}, s)
	for k := range 8 {
		d := YMM()
		VMOVUPS(at(bricksX+32*k), d)
		VSUBPS(x, d, d)
		VMULPS(d, d, d)
		VMOVUPS(d, at(bricksDX2+32*k))
	}
	besideY := YMM()
	{
		rest := YMM()
		beyond(y, besideY)
		beyond(z, rest)
		t := YMM()
		VMOVUPS(wide, t)
		VSUBPS(rest, t, rest)
		VMOVUPS(rest, at(bricksRest))
	}
	slab, row, k, last := GP64(), GP64(), GP64(), GP64()
	cell, stop := GP64(), GP64()
	XORQ(slab, slab)
	Label("slab")
	CMPL(Mem{Base: b, Index: slab, Scale: 4, Disp: bricksRest}, Imm(0)) // the sign
	JLT(LabelRef("nextSlab"))
	{
		// The first and the last brick of each row of the slab.
		c, inv, t, m := YMM(), YMM(), YMM(), YMM()
		VBROADCASTSS(Mem{Base: b, Index: slab, Scale: 4, Disp: bricksRest}, c)
		VSUBPS(besideY, c, c)
		VCMPPS(Imm(1), zero, c, m) // c < 0
		VMAXPS(zero, c, c)
		VSQRTPS(c, c)
		VBROADCASTSS(asm.Address("inv"), inv)
		VSUBPS(c, x, t)
		VMULPS(inv, t, t)
		VSUBPS(ones, t, t)
		VMULPS(halves, t, t)
		VROUNDPS(Imm(2), t, t)
		VCVTTPS2DQ(t, t)
		VPMAXSD(zero, t, t)
		VMOVUPS(t, at(bricksFirst))
		VADDPS(c, x, t)
		VMULPS(inv, t, t)
		VMULPS(halves, t, t)
		VROUNDPS(Imm(1), t, t)
		VCVTTPS2DQ(t, t)
		VPMINSD(seven, t, t)
		VPOR(m, t, t) // −1 for a row out of reach
		VMOVUPS(t, at(bricksLast))
	}
	dz2 := YMM()
	{
		i := GP64()
		MOVQ(slab, i)
		SHLQ(Imm(5), i)
		VMOVUPS(Mem{Base: b, Index: i, Scale: 1, Disp: bricksZ}, dz2)
		VSUBPS(z, dz2, dz2)
		VMULPS(dz2, dz2, dz2)
	}
	XORQ(row, row)
	Label("row")
	MOVLQSX(Mem{Base: b, Index: row, Scale: 4, Disp: bricksFirst}, k)
	MOVLQSX(Mem{Base: b, Index: row, Scale: 4, Disp: bricksLast}, last)
	CMPQ(k, last)
	JGT(LabelRef("nextRow"))
	rest := YMM()
	{
		i := GP64()
		MOVQ(row, i)
		SHLQ(Imm(5), i)
		VMOVUPS(Mem{Base: b, Index: i, Scale: 1, Disp: bricksY}, rest)
		VSUBPS(y, rest, rest)
		VMULPS(rest, rest, rest)
		VADDPS(rest, dz2, rest)
	}
	LEAQ(Mem{Base: row, Index: slab, Scale: 8}, cell)
	SHLQ(Imm(8), cell)
	ADDQ(b, cell)
	SHLQ(Imm(5), k)
	MOVQ(last, stop)
	SHLQ(Imm(5), stop)
	Label("brick")
	{
		q, u, t, v := YMM(), YMM(), YMM(), YMM()
		VADDPS(Mem{Base: b, Index: k, Scale: 1, Disp: bricksDX2}, rest, q)
		VSQRTPS(q, q)
		VSUBPS(q, ones, u)
		VMAXPS(zero, u, u)
		VSUBPS(q, halves, t)
		VMAXPS(zero, t, t)
		VMULPS(u, u, v)
		VMULPS(u, v, u)
		VMULPS(t, t, v)
		VMULPS(t, v, t)
		VMULPS(fours, t, t)
		VSUBPS(t, u, u)
		VMULPS(s, u, u)
		VADDPS(Mem{Base: cell, Index: k, Scale: 1}, u, u)
		VMOVUPS(u, Mem{Base: cell, Index: k, Scale: 1})
	}
	ADDQ(Imm(32), k)
	CMPQ(k, stop)
	JLE(LabelRef("brick"))
	Label("nextRow")
	INCQ(row)
	CMPQ(row, Imm(8))
	JLT(LabelRef("row"))
	Label("nextSlab")
	INCQ(slab)
	CMPQ(slab, Imm(8))
	JLT(LabelRef("slab"))
	ADDQ(Imm(16), p)
	DECQ(n)
	JNZ(LabelRef("particle"))
	VZEROUPPER()
	RET()
}

// unpack writes bricks as the rows of a block.
func unpack() {
	p := asm.Func("unpackAVX2", "func(f *float32, b *float32)", "f", "b")
	f, b := p[0], p[1]
	slab, row := GP64(), GP64()
	MOVQ(U32(8), slab)
	Label("slab")
	MOVQ(U32(8), row)
	Label("row")
	for half := range 2 {
		// Four bricks, each with the pairs of nodes of four rows.
		var v, t [4]reg.VecVirtual
		for k := range v {
			v[k], t[k] = YMM(), YMM()
			VMOVUPS(Mem{Base: b, Disp: 32 * (4*half + k)}, v[k])
		}
		VUNPCKLPD(v[1], v[0], t[0]) // pairs 0 of bricks 0 and 1, pairs 2
		VUNPCKHPD(v[1], v[0], t[1]) // pairs 1 and 3
		VUNPCKLPD(v[3], v[2], t[2])
		VUNPCKHPD(v[3], v[2], t[3])
		// Row y + 16 z of the block is 64 bytes.
		for k, from := range [4]struct{ a, b, halves int }{{0, 2, 0x20}, {1, 3, 0x20}, {0, 2, 0x31}, {1, 3, 0x31}} {
			r := YMM()
			VPERM2F128(Imm(uint64(from.halves)), t[from.b], t[from.a], r)
			VMOVUPS(r, Mem{Base: f, Disp: k%2*64 + k/2*16*64 + 32*half})
		}
	}
	ADDQ(U32(256), b)
	ADDQ(U32(128), f)
	DECQ(row)
	JNZ(LabelRef("row"))
	ADDQ(U32(1024), f)
	DECQ(slab)
	JNZ(LabelRef("slab"))
	VZEROUPPER()
	RET()
}

func above() {
	p := asm.Func("aboveAVX2", "func(rows *uint16, f *float32, t float32)", "rows", "f")
	rows, f := p[0], p[1]
	t := YMM()
	VBROADCASTSS(asm.Address("t"), t)
	n := GP64()
	MOVQ(U32(16*16), n)
	Label("row")
	a, b := YMM(), YMM()
	VCMPPS(Imm(0x11), Mem{Base: f}, t, a) // t < f
	VCMPPS(Imm(0x11), Mem{Base: f, Disp: 32}, t, b)
	lo, hi := GP32(), GP32()
	VMOVMSKPS(a, lo)
	VMOVMSKPS(b, hi)
	SHLL(Imm(8), hi)
	ORL(hi, lo)
	MOVW(lo.As16(), Mem{Base: rows})
	ADDQ(Imm(2), rows)
	ADDQ(Imm(64), f)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// fieldAt sums kernels and slopes at a point.
func fieldAt() {
	k := newKernels()
	three, twelve, least := asm.Floats("three", 3), asm.Floats("twelve", 12), asm.Floats("least", 1e-6)
	p := asm.Func("fieldAtAVX2", "func(px, py, pz, ps, pf *float32, runs *int32, x, y, z float32, sum *float32)", "px", "py", "pz", "ps", "pf", "runs")
	fs := p[4]
	acc := []reg.VecVirtual{YMM(), YMM(), YMM(), YMM(), YMM()}
	k.sum(p[0], p[1], p[2], p[3], p[5], acc, func(j reg.Register, v *pairs) {
		VADDPS(v.w, acc[0], acc[0])
		VMULPS(Mem{Base: fs, Index: j, Scale: 4}, v.w, v.w)
		VADDPS(v.w, acc[4], acc[4])
		VMULPS(twelve, v.t2, v.t2)
		VMULPS(three, v.u2, v.u2)
		VSUBPS(v.u2, v.t2, v.t2)
		VMULPS(v.s, v.t2, v.t2)
		VMAXPS(least, v.q, v.q)
		VDIVPS(v.q, v.t2, v.t2)
		for i, d := range v.d {
			VMULPS(v.t2, d, d)
			VADDPS(d, acc[1+i], acc[1+i])
		}
	})
}

// fieldMean sums kernels times a vector of each particle.
func fieldMean() {
	k := newKernels()
	p := asm.Func("fieldMeanAVX2", "func(px, py, pz, ps, vx, vy, vz *float32, runs *int32, x, y, z float32, sum *float32)", "px", "py", "pz", "ps", "vx", "vy", "vz", "runs")
	acc := []reg.VecVirtual{YMM(), YMM(), YMM(), YMM()}
	k.sum(p[0], p[1], p[2], p[3], p[7], acc, func(j reg.Register, v *pairs) {
		VADDPS(v.w, acc[3], acc[3])
		for i, d := range v.d {
			VMULPS(Mem{Base: p[4+i], Index: j, Scale: 4}, v.w, d)
			VADDPS(d, acc[i], acc[i])
		}
	})
}

// kernels are the constants of loops over the particles near a point.
type kernels struct{ one, half, four, in Mem }

var known *kernels

func newKernels() *kernels {
	if known == nil {
		known = &kernels{asm.Floats("fieldOne", 1), asm.Floats("fieldHalf", 0.5), asm.Floats("fieldFour", 4), GLOBL("in", RODATA|NOPTR)}
		for i := range 16 { // 8 times all bits, 8 times none
			if i < 8 {
				DATA(4*i, U32(math.MaxUint32))
			} else {
				DATA(4*i, U32(0))
			}
		}
	}
	return known
}

// pairs are eight particles and a point: the way from each, its distance q,
// (1−q)₊², (½−q)₊², S, and S w(q).
type pairs struct {
	d               [3]reg.VecVirtual
	q, u2, t2, s, w reg.VecVirtual
}

// sum writes the loop over the particles in runs, eight at a time, calls add for each
// eight, and stores the final acc. It reads up to seven particles past the end of a run,
// and takes their S as 0.
func (c *kernels) sum(xs, ys, zs, ss, runs reg.Register, acc []reg.VecVirtual, add func(j reg.Register, v *pairs)) {
	x, y, z := YMM(), YMM(), YMM()
	VBROADCASTSS(asm.Address("x"), x)
	VBROADCASTSS(asm.Address("y"), y)
	VBROADCASTSS(asm.Address("z"), z)
	for _, a := range acc {
		VXORPS(a, a, a)
	}
	left, j, hi, rest, mask, eight := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(U32(9), left)
	MOVQ(U32(8), eight)
	Label("run")
	MOVLQSX(Mem{Base: runs}, j)
	MOVLQSX(Mem{Base: runs, Disp: 4}, hi)
	ADDQ(Imm(8), runs)
	CMPQ(j, hi)
	JGE(LabelRef("next"))
	Label("vector")
	MOVQ(hi, rest)
	SUBQ(j, rest)
	CMPQ(rest, eight)
	CMOVQGT(eight, rest)
	NEGQ(rest)
	LEAQ(c.in, mask)
	dx, dy, dz, q, u, t, u2, t2 := YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VSUBPS(Mem{Base: xs, Index: j, Scale: 4}, x, dx)
	VSUBPS(Mem{Base: ys, Index: j, Scale: 4}, y, dy)
	VSUBPS(Mem{Base: zs, Index: j, Scale: 4}, z, dz)
	VMULPS(dx, dx, q)
	VMULPS(dy, dy, u)
	VADDPS(u, q, q)
	VMULPS(dz, dz, u)
	VADDPS(u, q, q)
	VSQRTPS(q, q)
	VXORPS(t2, t2, t2)
	VMOVUPS(c.one, u)
	VSUBPS(q, u, u)
	VMAXPS(t2, u, u)
	VMOVUPS(c.half, t)
	VSUBPS(q, t, t)
	VMAXPS(t2, t, t)
	VMULPS(u, u, u2)
	VMULPS(t, t, t2)
	VMULPS(u, u2, u)
	VMULPS(t, t2, t)
	VMULPS(c.four, t, t)
	VSUBPS(t, u, u)
	VMOVUPS(Mem{Base: mask, Index: rest, Scale: 4, Disp: 32}, t)
	VANDPS(Mem{Base: ss, Index: j, Scale: 4}, t, t)
	VMULPS(t, u, u)
	add(j, &pairs{[3]reg.VecVirtual{dx, dy, dz}, q, u2, t2, t, u})
	ADDQ(Imm(8), j)
	CMPQ(j, hi)
	JLT(LabelRef("vector"))
	Label("next")
	DECQ(left)
	JNZ(LabelRef("run"))
	sum := Load(Param("sum"), GP64())
	for i, a := range acc { // fold
		h, h2 := XMM(), XMM()
		asm.Fold(a, h, h2)
		VMOVSS(h, Mem{Base: sum, Disp: 4 * i})
	}
	VZEROUPPER()
	RET()
}

// ring writes the loop over n vertices. A vertex with weight 0 stays where it is. The sum
// over the neighbours of each vertex is left in s for tail.
func ring(next, x, self, start, of, n reg.Register, weight func(v reg.Register) Mem, s reg.VecVirtual, tail func(v reg.Register)) {
	v, k, end, w := GP64(), GP64(), GP64(), GP32()
	XORQ(v, v)
	Label("vertex")
	MOVL(weight(v), w)
	TESTL(w, w)
	JZ(LabelRef("stay"))
	MOVLQSX(Mem{Base: start, Index: v, Scale: 4}, k)
	MOVLQSX(Mem{Base: start, Index: v, Scale: 4, Disp: 4}, end)
	VXORPS(s, s, s)
	CMPQ(k, end)
	JGE(LabelRef("store"))
	Label("four")
	for i := range 4 {
		j := GP64()
		MOVLQSX(Mem{Base: of, Index: k, Scale: 4, Disp: 4 * i}, j)
		SHLQ(Imm(4), j)
		VADDPS(Mem{Base: x, Index: j, Scale: 1}, s, s)
	}
	ADDQ(Imm(4), k)
	CMPQ(k, end)
	JLT(LabelRef("four"))
	Label("store")
	tail(v)
	Label("on")
	ADDQ(Imm(16), self)
	ADDQ(Imm(16), next)
	INCQ(v)
	CMPQ(v, n)
	JLT(LabelRef("vertex"))
	RET()
	Label("stay")
	same := XMM()
	VMOVUPS(Mem{Base: self}, same)
	VMOVUPS(same, Mem{Base: next})
	JMP(LabelRef("on"))
}

func relax() {
	p := asm.Func("relaxAVX2", "func(next, x, self, pull, a *float32, start, of *int32, n int)", "next", "x", "self", "pull", "a", "start", "of", "n")
	next, x, self, pull, a, start, of, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	s := XMM()
	ring(next, x, self, start, of, n, func(reg.Register) Mem {
		ADDQ(Imm(16), pull)
		return Mem{Base: pull, Disp: 12 - 16}
	}, s, func(v reg.Register) {
		stay, share := XMM(), XMM()
		VBROADCASTSS(Mem{Base: a, Index: v, Scale: 4}, stay)
		VMULPS(Mem{Base: self}, stay, stay)
		VBROADCASTSS(Mem{Base: pull, Disp: 12 - 16}, share)
		VMULPS(s, share, share)
		VADDPS(share, stay, stay)
		VADDPS(Mem{Base: pull, Disp: -16}, stay, stay)
		VXORPS(share, share, share)
		VBLENDPS(Imm(8), share, stay, stay)
		VMOVUPS(stay, Mem{Base: next})
	})
}

func turn() {
	one, least := asm.Floats("turnOne", 1), asm.Floats("leastTurn", 0.01)
	p := asm.Func("turnAVX2", "func(next, x, self, a *float32, start, of *int32, n int)", "next", "x", "self", "a", "start", "of", "n")
	next, x, self, a, start, of, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	s := XMM()
	// square leaves the square of v in the lowest number of dst.
	square := func(v, dst reg.VecVirtual) {
		sq, c := XMM(), XMM()
		VMULPS(v, v, sq)
		VMOVSHDUP(sq, c)
		VADDSS(c, sq, dst)
		VMOVHLPS(sq, sq, c)
		VADDSS(c, dst, dst)
	}
	ring(next, x, self, start, of, n, func(v reg.Register) Mem {
		return Mem{Base: a, Index: v, Scale: 4}
	}, s, func(v reg.Register) {
		s2, b, m, share := XMM(), XMM(), XMM(), XMM()
		square(s, s2)
		VMOVSS(one, b)
		VBROADCASTSS(Mem{Base: a, Index: v, Scale: 4}, share)
		VSUBSS(share, b, b)
		VSQRTSS(s2, s2, m)
		VMULSS(m, b, b)
		VBROADCASTSS(b, b)
		VMULPS(Mem{Base: self}, b, m)
		VMULPS(s, share, share)
		VADDPS(share, m, m)
		m2 := XMM()
		square(m, m2)
		VMULSS(least, s2, s2)
		VUCOMISS(s2, m2)
		JBE(LabelRef("stay"))
		VSQRTSS(m2, m2, m2)
		VBROADCASTSS(m2, m2)
		VDIVPS(m2, m, m)
		VMOVUPS(m, Mem{Base: next})
	})
}
