// Gen writes the assembly of the pair sums and its Go stubs, with avo. The
// plain Go twins in sweep.go and pass.go say what each function computes.
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

const (
	most   = 496 // neighbours of a particle: Most
	stride = 512 // items of each array in a buffer
)

// Offsets of the arrays in a buffer.
const (
	offX = iota * 4 * stride
	offY
	offZ
	offR
	offJ
)

func main() {
	ConstraintExpr("!noasm")
	tables()
	searchAVX2()
	searchAVX512()
	weigh()
	gradient()
	divergence()
	diffusion()
	average()
	Generate()
}

var compress, iota16 Mem

// tables writes compress, whose row m has the positions of the bits set in m,
// a byte each, and iota16, the numbers 0 to 15.
func tables() {
	compress = GLOBL("compress", RODATA|NOPTR)
	for m := range 256 {
		var v uint64
		n := 0
		for i := range 8 {
			if m>>i&1 == 1 {
				v |= uint64(i) << (8 * n)
				n++
			}
		}
		DATA(m*8, U64(v))
	}
	iota16 = GLOBL("iota16", RODATA|NOPTR)
	for i := range 16 {
		DATA(i*4, U32(i))
	}
}

// f32 fills a vector register with the 32 bits v.
func f32(v uint32, dst reg.Register) {
	t := GP32()
	MOVL(U32(v), t)
	x := dst.(reg.Vec).AsX()
	VMOVD(t, x)
	VBROADCASTSS(x, dst)
}

// searchAVX2 looks at eight candidates at a time.
func searchAVX2() {
	TEXT("searchAVX2", NOSPLIT, "func(b *float32, x, y, z *float32, runs *int32, self int) int")
	p := params("b", "x", "y", "z", "runs", "self")
	b, xs, ys, zs, runs, self := p[0], p[1], p[2], p[3], p[4], p[5]
	x, y, z := YMM(), YMM(), YMM()
	VBROADCASTSS(Mem{Base: xs, Index: self, Scale: 4}, x)
	VBROADCASTSS(Mem{Base: ys, Index: self, Scale: 4}, y)
	VBROADCASTSS(Mem{Base: zs, Index: self, Scale: 4}, z)
	one, iota, eight, vself := YMM(), YMM(), YMM(), YMM()
	f32(0x3f800000, one)
	VMOVDQU(iota16, iota)
	f32(8, eight)
	VMOVD(self.(reg.GP).As32(), vself.AsX())
	VPBROADCASTD(vself.AsX(), vself)
	n, left, j, hi, mask := GP64(), GP64(), GP64(), GP64(), GP64()
	lut := GP64()
	LEAQ(compress, lut)
	XORQ(n, n)
	MOVQ(U32(9), left)
	Label("run")
	MOVLQSX(Mem{Base: runs}, j)
	MOVLQSX(Mem{Base: runs, Disp: 4}, hi)
	ADDQ(Imm(8), runs)
	CMPQ(j, hi)
	JGE(LabelRef("next"))
	vhi, vj := YMM(), YMM()
	VMOVD(hi.As32(), vhi.AsX())
	VPBROADCASTD(vhi.AsX(), vhi)
	VMOVD(j.As32(), vj.AsX())
	VPBROADCASTD(vj.AsX(), vj)
	VPADDD(iota, vj, vj)
	Label("vector")
	dx, dy, dz, r2, t := YMM(), YMM(), YMM(), YMM(), YMM()
	VSUBPS(Mem{Base: xs, Index: j, Scale: 4}, x, dx)
	VSUBPS(Mem{Base: ys, Index: j, Scale: 4}, y, dy)
	VSUBPS(Mem{Base: zs, Index: j, Scale: 4}, z, dz)
	VMULPS(dx, dx, r2)
	VMULPS(dy, dy, t)
	VADDPS(t, r2, r2)
	VMULPS(dz, dz, t)
	VADDPS(t, r2, r2)
	VCMPPS(Imm(0x11), one, r2, t) // r2 < 1
	in := YMM()
	VPCMPGTD(vj, vhi, in) // hi > j
	VPAND(in, t, t)
	VPCMPEQD(vj, vself, in)
	VPANDN(t, in, t)
	VMOVMSKPS(t, mask.As32())
	TESTL(mask.As32(), mask.As32())
	JZ(LabelRef("skip"))
	perm := YMM()
	VPMOVZXBD(Mem{Base: lut, Index: mask, Scale: 8}, perm)
	for _, c := range []struct {
		v   reg.VecVirtual
		off int
	}{{dx, offX}, {dy, offY}, {dz, offZ}, {r2, offR}} {
		VPERMPS(c.v, perm, c.v)
		VMOVUPS(c.v, Mem{Base: b, Index: n, Scale: 4, Disp: c.off})
	}
	VPERMD(vj, perm, t)
	VMOVDQU(t, Mem{Base: b, Index: n, Scale: 4, Disp: offJ})
	POPCNTQ(mask, mask)
	ADDQ(mask, n)
	CMPQ(n, U32(most))
	JGT(LabelRef("full"))
	Label("skip")
	VPADDD(eight, vj, vj)
	ADDQ(Imm(8), j)
	CMPQ(j, hi)
	JLT(LabelRef("vector"))
	Label("next")
	DECQ(left)
	JNZ(LabelRef("run"))
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
	Label("full")
	MOVQ(I32(-1), n)
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
}

// searchAVX512 looks at sixteen candidates at a time.
func searchAVX512() {
	TEXT("searchAVX512", NOSPLIT, "func(b *float32, x, y, z *float32, runs *int32, self int) int")
	p := params("b", "x", "y", "z", "runs", "self")
	b, xs, ys, zs, runs, self := p[0], p[1], p[2], p[3], p[4], p[5]
	x, y, z := ZMM(), ZMM(), ZMM()
	VBROADCASTSS(Mem{Base: xs, Index: self, Scale: 4}, x)
	VBROADCASTSS(Mem{Base: ys, Index: self, Scale: 4}, y)
	VBROADCASTSS(Mem{Base: zs, Index: self, Scale: 4}, z)
	one, iota, step, vself := ZMM(), ZMM(), ZMM(), ZMM()
	f32(0x3f800000, one)
	VMOVDQU32(iota16, iota)
	f32(16, step)
	VPBROADCASTD(self.(reg.GP).As32(), vself)
	n, left, j, hi, mask := GP64(), GP64(), GP64(), GP64(), GP64()
	XORQ(n, n)
	MOVQ(U32(9), left)
	Label("run")
	MOVLQSX(Mem{Base: runs}, j)
	MOVLQSX(Mem{Base: runs, Disp: 4}, hi)
	ADDQ(Imm(8), runs)
	CMPQ(j, hi)
	JGE(LabelRef("next"))
	vhi, vj := ZMM(), ZMM()
	VPBROADCASTD(hi.As32(), vhi)
	VPBROADCASTD(j.As32(), vj)
	VPADDD(iota, vj, vj)
	Label("vector")
	dx, dy, dz, r2, t := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	VSUBPS(Mem{Base: xs, Index: j, Scale: 4}, x, dx)
	VSUBPS(Mem{Base: ys, Index: j, Scale: 4}, y, dy)
	VSUBPS(Mem{Base: zs, Index: j, Scale: 4}, z, dz)
	VMULPS(dx, dx, r2)
	VMULPS(dy, dy, t)
	VADDPS(t, r2, r2)
	VMULPS(dz, dz, t)
	VADDPS(t, r2, r2)
	k := K()
	VPCMPD(Imm(1), vhi, vj, k)       // j < hi
	VPCMPD(Imm(4), vself, vj, k, k)  // and j != self
	VCMPPS(Imm(0x11), one, r2, k, k) // and r2 < 1
	KMOVW(k, mask.As32())
	TESTL(mask.As32(), mask.As32())
	JZ(LabelRef("skip"))
	for _, c := range []struct {
		v   reg.VecVirtual
		off int
	}{{dx, offX}, {dy, offY}, {dz, offZ}, {r2, offR}} {
		VCOMPRESSPS_Z(c.v, k, c.v)
		VMOVUPS(c.v, Mem{Base: b, Index: n, Scale: 4, Disp: c.off})
	}
	VPCOMPRESSD_Z(vj, k, t)
	VMOVDQU32(t, Mem{Base: b, Index: n, Scale: 4, Disp: offJ})
	POPCNTQ(mask, mask)
	ADDQ(mask, n)
	CMPQ(n, U32(most))
	JGT(LabelRef("full"))
	Label("skip")
	VPADDD(step, vj, vj)
	ADDQ(Imm(16), j)
	CMPQ(j, hi)
	JLT(LabelRef("vector"))
	Label("next")
	DECQ(left)
	JNZ(LabelRef("run"))
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
	Label("full")
	MOVQ(I32(-1), n)
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
}

// weigh handles eight candidates at a time. It reads and writes up to seven
// past the end, for which grow and buffer have room; a candidate there gets
// r² = 1, whose weights are zero.
func weigh() {
	two, eight, m6 := constant("two", 2), constant("eight", 8), constant("minus6", -6)
	c18, c12 := constant("eighteen", 18), constant("twelve", 12)
	TEXT("weighAVX2", NOSPLIT, "func(j *int32, grad *uint16, w *uint16, b *float32, n int, scale float32, s *float32)")
	p := params("j", "grad", "w", "b", "n")
	jp, gp, wp, b, n := p[0], p[1], p[2], p[3], p[4]
	scale := YMM()
	sm, err := Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(sm.Addr, scale)
	one, half := YMM(), YMM()
	f32(0x3f800000, one)
	f32(0x3f000000, half)
	VMOVUPS(one, Mem{Base: b, Index: n, Scale: 4, Disp: offR})
	acc := [5]reg.VecVirtual{YMM(), YMM(), YMM(), YMM(), YMM()}
	for _, a := range acc {
		VXORPS(a, a, a)
	}
	k := GP64()
	XORQ(k, k)
	CMPQ(k, n)
	JGE(LabelRef("sum"))
	Label("loop")
	q, u2, w, f, t := YMM(), YMM(), YMM(), YMM(), YMM()
	{
		u, zero := YMM(), YMM()
		VSQRTPS(Mem{Base: b, Index: k, Scale: 4, Disp: offR}, q)
		VSUBPS(q, one, u)
		VSUBPS(q, half, t)
		VXORPS(zero, zero, zero)
		VMAXPS(zero, t, t)
		VMULPS(u, u, u2)
		VMULPS(u, u2, w)
		VMULPS(two, w, w)
		cube := YMM()
		VMULPS(t, t, cube)
		VMULPS(t, cube, cube)
		VMULPS(eight, cube, cube)
		VSUBPS(cube, w, w)
		VMULPS(scale, w, w)
	}
	{
		far, mask := YMM(), YMM()
		VMULPS(m6, u2, far)
		VDIVPS(q, far, far)
		VMULPS(c18, q, f)
		VSUBPS(c12, f, f)
		VCMPPS(Imm(0x1d), half, q, mask) // q >= ½
		VBLENDVPS(mask, far, f, f)
		VMULPS(scale, f, f)
	}
	x, y, z := YMM(), YMM(), YMM()
	VMULPS(Mem{Base: b, Index: k, Scale: 4, Disp: offX}, f, x)
	VMULPS(Mem{Base: b, Index: k, Scale: 4, Disp: offY}, f, y)
	VMULPS(Mem{Base: b, Index: k, Scale: 4, Disp: offZ}, f, z)
	VADDPS(w, acc[0], acc[0])
	VADDPS(x, acc[1], acc[1])
	VADDPS(y, acc[2], acc[2])
	VADDPS(z, acc[3], acc[3])
	VMULPS(x, x, t)
	VMULPS(y, y, u2)
	VADDPS(u2, t, t)
	VMULPS(z, z, u2)
	VADDPS(u2, t, t)
	VADDPS(t, acc[4], acc[4])
	VMOVDQU(Mem{Base: b, Index: k, Scale: 4, Disp: offJ}, t)
	VMOVDQU(t, Mem{Base: jp, Index: k, Scale: 4})
	hx, hy, hz, hf := XMM(), XMM(), XMM(), XMM()
	VCVTPS2PH(Imm(0), x, hx)
	VCVTPS2PH(Imm(0), y, hy)
	VCVTPS2PH(Imm(0), z, hz)
	VCVTPS2PH(Imm(0), f, hf)
	xy, zf, out := XMM(), XMM(), XMM()
	VPUNPCKLWD(hy, hx, xy)
	VPUNPCKLWD(hf, hz, zf)
	VPUNPCKLDQ(zf, xy, out)
	VMOVDQU(out, Mem{Base: gp, Index: k, Scale: 8})
	VPUNPCKHDQ(zf, xy, out)
	VMOVDQU(out, Mem{Base: gp, Index: k, Scale: 8, Disp: 16})
	VPUNPCKHWD(hy, hx, xy)
	VPUNPCKHWD(hf, hz, zf)
	VPUNPCKLDQ(zf, xy, out)
	VMOVDQU(out, Mem{Base: gp, Index: k, Scale: 8, Disp: 32})
	VPUNPCKHDQ(zf, xy, out)
	VMOVDQU(out, Mem{Base: gp, Index: k, Scale: 8, Disp: 48})
	TESTQ(wp, wp)
	JZ(LabelRef("next"))
	VCVTPS2PH(Imm(0), w, Mem{Base: wp, Index: k, Scale: 2})
	Label("next")
	ADDQ(Imm(8), k)
	CMPQ(k, n)
	JLT(LabelRef("loop"))
	Label("sum")
	s := Load(Param("s"), GP64())
	for i, a := range acc { // fold
		h, h2 := XMM(), XMM()
		VEXTRACTF128(Imm(1), a, h)
		VADDPS(h, a.AsX(), h)
		VMOVHLPS(h, h, h2)
		VADDPS(h2, h, h)
		VMOVSHDUP(h, h2)
		VADDSS(h2, h, h)
		VMOVSS(h, Mem{Base: s, Disp: 4 * i})
	}
	VZEROUPPER()
	RET()
}

// constant returns eight times v in memory: there are too few registers.
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

// pass writes the loop over particles [0, n) and their pairs.
func pass(start, n reg.Register, head func(i reg.Register), pair func(k reg.Register), tail func(i reg.Register)) {
	i, k, end := GP64(), GP64(), GP64()
	XORQ(i, i)
	XORQ(k, k)
	Label("particle")
	CMPQ(i, n)
	JGE(LabelRef("done"))
	MOVLQSX(Mem{Base: start, Index: i, Scale: 4, Disp: 4}, end)
	head(i)
	CMPQ(k, end)
	JGE(LabelRef("store"))
	Label("pair")
	pair(k)
	INCQ(k)
	CMPQ(k, end)
	JLT(LabelRef("pair"))
	Label("store")
	tail(i)
	INCQ(i)
	JMP(LabelRef("particle"))
	Label("done")
	RET()
}

func gradient() {
	TEXT("gradientAVX2", NOSPLIT, "func(out *float32, s *float32, self *float32, start *int32, j *int32, grad *uint16, n int)")
	p := params("out", "s", "self", "start", "j", "grad", "n")
	out, s, self, start, jp, gp, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	si, acc := XMM(), XMM()
	pass(start, n, func(i reg.Register) {
		VBROADCASTSS(Mem{Base: self, Index: i, Scale: 4}, si)
		VXORPS(acc, acc, acc)
	}, func(k reg.Register) {
		j, g, f := GP64(), XMM(), XMM()
		MOVLQSX(Mem{Base: jp, Index: k, Scale: 4}, j)
		VCVTPH2PS(Mem{Base: gp, Index: k, Scale: 8}, g)
		VBROADCASTSS(Mem{Base: s, Index: j, Scale: 4}, f)
		VADDPS(si, f, f)
		VMULPS(g, f, f)
		VADDPS(f, acc, acc)
	}, func(reg.Register) {
		VMOVUPS(acc, Mem{Base: out})
		ADDQ(Imm(16), out)
	})
}

func divergence() {
	TEXT("divergenceAVX2", NOSPLIT, "func(out *float32, v *float32, self *float32, start *int32, j *int32, grad *uint16, n int)")
	p := params("out", "v", "self", "start", "j", "grad", "n")
	out, v, self, start, jp, gp, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	vi, acc := XMM(), XMM()
	pass(start, n, func(reg.Register) {
		VMOVUPS(Mem{Base: self}, vi)
		ADDQ(Imm(16), self)
		VXORPS(acc, acc, acc)
	}, func(k reg.Register) {
		j, g, d := GP64(), XMM(), XMM()
		MOVLQSX(Mem{Base: jp, Index: k, Scale: 4}, j)
		SHLQ(Imm(4), j)
		VCVTPH2PS(Mem{Base: gp, Index: k, Scale: 8}, g)
		VSUBPS(Mem{Base: v, Index: j, Scale: 1}, vi, d)
		VMULPS(g, d, d)
		VADDPS(d, acc, acc)
	}, func(i reg.Register) {
		y, z := XMM(), XMM()
		VPERMILPS(Imm(1), acc, y)
		VPERMILPS(Imm(2), acc, z)
		VADDSS(y, acc, acc)
		VADDSS(z, acc, acc)
		VMOVSS(acc, Mem{Base: out, Index: i, Scale: 4})
	})
}

func diffusion() {
	TEXT("diffusionAVX2", NOSPLIT, "func(out *float32, v *float32, self *float32, start *int32, j *int32, grad *uint16, n int)")
	p := params("out", "v", "self", "start", "j", "grad", "n")
	out, v, self, start, jp, gp, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	vi, acc := XMM(), XMM()
	pass(start, n, func(reg.Register) {
		VMOVUPS(Mem{Base: self}, vi)
		ADDQ(Imm(16), self)
		VXORPS(acc, acc, acc)
	}, func(k reg.Register) {
		j, g, d := GP64(), XMM(), XMM()
		MOVLQSX(Mem{Base: jp, Index: k, Scale: 4}, j)
		SHLQ(Imm(4), j)
		VCVTPH2PS(Mem{Base: gp, Index: k, Scale: 8}, g)
		VPERMILPS(Imm(0xff), g, g)
		VSUBPS(Mem{Base: v, Index: j, Scale: 1}, vi, d)
		VMULPS(g, d, d)
		VADDPS(d, acc, acc)
	}, func(i reg.Register) {
		VMOVUPS(acc, Mem{Base: out})
		ADDQ(Imm(16), out)
	})
}

func average() {
	TEXT("averageAVX2", NOSPLIT, "func(out *float32, v *float32, self *float32, start *int32, j *int32, w *uint16, n int)")
	p := params("out", "v", "self", "start", "j", "w", "n")
	out, v, self, start, jp, wp, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	vi, acc := XMM(), XMM()
	pass(start, n, func(reg.Register) {
		VMOVUPS(Mem{Base: self}, vi)
		ADDQ(Imm(16), self)
		VXORPS(acc, acc, acc)
	}, func(k reg.Register) {
		j, f, d, half := GP64(), XMM(), XMM(), GP32()
		MOVLQSX(Mem{Base: jp, Index: k, Scale: 4}, j)
		SHLQ(Imm(4), j)
		MOVWLZX(Mem{Base: wp, Index: k, Scale: 2}, half)
		VMOVD(half, f)
		VCVTPH2PS(f, f)
		VBROADCASTSS(f, f)
		VMOVUPS(Mem{Base: v, Index: j, Scale: 1}, d)
		VSUBPS(vi, d, d)
		VMULPS(f, d, d)
		VADDPS(d, acc, acc)
	}, func(reg.Register) {
		VMOVUPS(acc, Mem{Base: out})
		ADDQ(Imm(16), out)
	})
}
