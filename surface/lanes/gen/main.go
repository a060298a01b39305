// Gen writes the assembly of the surface's loops and its Go stubs, with avo.
// The plain Go twins in splat.go, above.go, field.go and rings.go say what each function
// computes.
//
// Constraints on every line here: no fused multiply-add, no estimates, and
// the order of additions of the twin, so that the bits are the same.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	iota16 = GLOBL("iota16", RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32(math.Float32bits(float32(i))))
	}
	splat()
	splatWide()
	above()
	fieldAt()
	fieldMean()
	relax()
	turn()
	Generate()
}

// iota16 has the numbers 0 to 15.
var iota16 Mem

// constant returns eight times v in memory.
func constant(name string, v float32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32(math.Float32bits(v)))
	}
	return m
}

// params loads the named parameters.
func params(names ...string) []reg.Register {
	regs := make([]reg.Register, len(names))
	for i, name := range names {
		regs[i] = Load(Param(name), GP64())
	}
	return regs
}

// number returns where a parameter lies.
func number(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// splat adds particles to the half of a block that begins at f, which is node
// half of each row.
func splat() {
	one, half, four, seven := constant("one", 1), constant("half", 0.5), constant("four", 4), constant("seven", 7)
	TEXT("splatAVX2", NOSPLIT, "func(f *float32, p *float32, n int, edge float32, half float32)")
	splatRows(YMM, number("half"), seven, one, func(q, u, t reg.VecVirtual, zero reg.Register) {
		VSQRTPS(q, q)
		VMOVUPS(one, u)
		VSUBPS(q, u, u)
		VMAXPS(zero, u, u)
		VMOVUPS(half, t)
		VSUBPS(q, t, t)
		VMAXPS(zero, t, t)
	}, func(t reg.VecVirtual) { VMULPS(four, t, t) })
}

// splatWide adds particles to a block, whole rows at a time.
func splatWide() {
	nought, fifteen := constant("nought", 0), constant("fifteen", 15)
	one, half, four := constant("wideOne", 1), constant("wideHalf", 0.5), constant("wideFour", 4)
	TEXT("splatAVX512", NOSPLIT, "func(f *float32, p *float32, n int, edge float32)")
	ones, halves, fours := ZMM(), ZMM(), ZMM()
	VBROADCASTSS(one, ones)
	VBROADCASTSS(half, halves)
	VBROADCASTSS(four, fours)
	splatRows(ZMM, nought, fifteen, one, func(q, u, t reg.VecVirtual, zero reg.Register) {
		VSQRTPS(q, q)
		VSUBPS(q, ones, u)
		VMAXPS(zero, u, u)
		VSUBPS(q, halves, t)
		VMAXPS(zero, t, t)
	}, func(t reg.VecVirtual) { VMULPS(fours, t, t) })
}

// splatRows writes the loop over particles and rows, for vectors of one kind.
// They begin at node from of each row and reach span nodes further. kernel
// leaves (1−q)₊ in u and (½−q)₊ in t for the square of q in q.
func splatRows(vector func() reg.VecVirtual, from, span, one Mem, kernel func(q, u, t reg.VecVirtual, zero reg.Register), four func(t reg.VecVirtual)) {
	r := params("f", "p", "n")
	f, p, n := r[0], r[1], r[2]
	edge, lane, zero := vector(), vector(), vector()
	VBROADCASTSS(number("edge"), edge)
	first, last, inv := XMM(), XMM(), XMM()
	{
		start := vector()
		VBROADCASTSS(from, start)
		VADDPS(iota16, start, lane)
		VMULPS(edge, lane, lane)
		VMULSS(edge.AsX(), start.AsX(), first)
		VADDSS(span, start.AsX(), last)
		VMULSS(edge.AsX(), last, last)
	}
	VMOVSS(one, inv)
	VDIVSS(edge.AsX(), inv, inv)
	VXORPS(zero.AsX(), zero.AsX(), zero.AsX()) // and what is above
	fifteen, none := GP64(), GP64()
	MOVQ(U32(15), fifteen)
	XORQ(none, none)
	// nodes leaves in from and to the nodes no farther than r from x.
	nodes := func(x, r reg.VecVirtual, from, to reg.GPVirtual) {
		t := XMM()
		VSUBSS(r, x, t)
		VMULSS(inv, t, t)
		VROUNDSS(Imm(2), t, t, t)
		VCVTTSS2SIQ(t, from)
		CMPQ(from, none)
		CMOVQLT(none, from)
		VADDSS(r, x, t)
		VMULSS(inv, t, t)
		VROUNDSS(Imm(1), t, t, t)
		VCVTTSS2SIQ(t, to)
		CMPQ(to, fifteen)
		CMOVQGT(fifteen, to)
	}

	Label("particle")
	x := XMM()
	VMOVSS(Mem{Base: p}, x)
	{
		t := XMM()
		VSUBSS(one, x, t)
		VUCOMISS(last, t)
		JAE(LabelRef("next"))
		VADDSS(one, x, t)
		VUCOMISS(first, t)
		JBE(LabelRef("next"))
	}
	dx2, s := vector(), vector()
	VBROADCASTSS(Mem{Base: p}, dx2)
	VSUBPS(dx2, lane, dx2)
	VMULPS(dx2, dx2, dx2)
	VBROADCASTSS(Mem{Base: p, Disp: 12}, s)
	yy, zz := XMM(), XMM()
	VMOVSS(Mem{Base: p, Disp: 4}, yy)
	VMOVSS(Mem{Base: p, Disp: 8}, zz)
	z, endZ := GP64(), GP64()
	{
		r := XMM()
		VMOVSS(one, r)
		nodes(zz, r, z, endZ)
	}
	CMPQ(z, endZ)
	JGT(LabelRef("next"))
	Label("plane")
	dz2 := XMM()
	VXORPS(dz2, dz2, dz2)
	VCVTSI2SSQ(z, dz2, dz2)
	VMULSS(edge.AsX(), dz2, dz2)
	VSUBSS(zz, dz2, dz2)
	VMULSS(dz2, dz2, dz2)
	y, endY := GP64(), GP64()
	{
		r := XMM()
		VMOVSS(one, r)
		VSUBSS(dz2, r, r)
		VMAXSS(zero.AsX(), r, r)
		VSQRTSS(r, r, r)
		nodes(yy, r, y, endY)
	}
	CMPQ(y, endY)
	JGT(LabelRef("nextPlane"))
	row := GP64()
	MOVQ(z, row)
	SHLQ(Imm(4), row)
	ADDQ(y, row)
	SHLQ(Imm(6), row)
	ADDQ(f, row)
	Label("row")
	{
		q, u, t, v := vector(), vector(), vector(), vector()
		VXORPS(q.AsX(), q.AsX(), q.AsX())
		VCVTSI2SSQ(y, q.AsX(), q.AsX())
		VMULSS(edge.AsX(), q.AsX(), q.AsX())
		VSUBSS(yy, q.AsX(), q.AsX())
		VMULSS(q.AsX(), q.AsX(), q.AsX())
		VADDSS(dz2, q.AsX(), q.AsX())
		VBROADCASTSS(q.AsX(), q)
		VADDPS(dx2, q, q)
		kernel(q, u, t, zero)
		VMULPS(u, u, v)
		VMULPS(u, v, u)
		VMULPS(t, t, v)
		VMULPS(t, v, t)
		four(t)
		VSUBPS(t, u, u)
		VMULPS(s, u, u)
		VADDPS(Mem{Base: row}, u, u)
		VMOVUPS(u, Mem{Base: row})
	}
	ADDQ(Imm(64), row)
	INCQ(y)
	CMPQ(y, endY)
	JLE(LabelRef("row"))
	Label("nextPlane")
	INCQ(z)
	CMPQ(z, endZ)
	JLE(LabelRef("plane"))
	Label("next")
	ADDQ(Imm(16), p)
	DECQ(n)
	JNZ(LabelRef("particle"))
	VZEROUPPER()
	RET()
}

func above() {
	TEXT("aboveAVX2", NOSPLIT, "func(rows *uint16, f *float32, t float32)")
	p := params("rows", "f")
	rows, f := p[0], p[1]
	t := YMM()
	VBROADCASTSS(number("t"), t)
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
	three, twelve, least := constant("three", 3), constant("twelve", 12), constant("least", 1e-6)
	TEXT("fieldAtAVX2", NOSPLIT, "func(px, py, pz, ps, pf *float32, runs *int32, x, y, z float32, sum *float32)")
	p := params("px", "py", "pz", "ps", "pf", "runs")
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
	TEXT("fieldMeanAVX2", NOSPLIT, "func(px, py, pz, ps, vx, vy, vz *float32, runs *int32, x, y, z float32, sum *float32)")
	p := params("px", "py", "pz", "ps", "vx", "vy", "vz", "runs")
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
		known = &kernels{constant("fieldOne", 1), constant("fieldHalf", 0.5), constant("fieldFour", 4), GLOBL("in", RODATA|NOPTR)}
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

// sum writes the loop over the particles in runs, eight at a time, calls add
// for what is to be done with them, and stores what acc has come to. It reads up
// to seven past the end of a run, whose S it takes for 0.
func (c *kernels) sum(xs, ys, zs, ss, runs reg.Register, acc []reg.VecVirtual, add func(j reg.Register, v *pairs)) {
	x, y, z := YMM(), YMM(), YMM()
	VBROADCASTSS(number("x"), x)
	VBROADCASTSS(number("y"), y)
	VBROADCASTSS(number("z"), z)
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
		VEXTRACTF128(Imm(1), a, h)
		VADDPS(h, a.AsX(), h)
		VMOVHLPS(h, h, h2)
		VADDPS(h2, h, h)
		VMOVSHDUP(h, h2)
		VADDSS(h2, h, h)
		VMOVSS(h, Mem{Base: sum, Disp: 4 * i})
	}
	VZEROUPPER()
	RET()
}

// ring writes the loop over n vertices, whose numbers lie at weight and stay
// where they are if that is 0, and leaves in s the sum over the neighbours of
// each for tail.
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
	TEXT("relaxAVX2", NOSPLIT, "func(next, x, self, pull, a *float32, start, of *int32, n int)")
	p := params("next", "x", "self", "pull", "a", "start", "of", "n")
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
	one, least := constant("turnOne", 1), constant("leastTurn", 0.01)
	TEXT("turnAVX2", NOSPLIT, "func(next, x, self, a *float32, start, of *int32, n int)")
	p := params("next", "x", "self", "a", "start", "of", "n")
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
