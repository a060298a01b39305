// Gen writes the assembly of the pair sums and its Go stubs, with avo. The plain Go
// twins in pairsum.go and pass.go define each function.
//
// Constraints on every line here: no fused multiply-add, no estimates, and
// the order of additions of the twin, so that the bits are the same.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
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
	offJ
)

func main() {
	ConstraintExpr("!noasm")
	tables()
	gather("AVX2", 8, YMM)
	gather("AVX512", 16, ZMM)
	search("AVX2", 8, YMM)
	search("AVX512", 16, ZMM)
	weigh()
	gradient()
	divergence()
	strain()
	spread()
	pull("diffusionAVX2", false)
	pull("averageAVX2", true)
	differences()
	moments()
	squaredMoments(false)
	squaredMoments(true)
	correctedGradient()
	pressureGradients()
	correctedDivergence()
	addBySlot()
	Generate()
}

var compress, iota16, picks, sign, one, zero Mem

// tables writes compress, whose row m has the positions of the bits set in m,
// a byte each; iota16, the numbers 0 to 15; picks, which takes each of four
// numbers four times; sign, which turns the sign of S; and constants.
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
	picks = GLOBL("picks", RODATA|NOPTR)
	for i := range 16 {
		DATA(i*4, U32(i/4))
	}
	sign = GLOBL("signS", RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32([4]uint32{3: 1 << 31}[i%4]))
	}
	one, zero = asm.Floats("one", 1), asm.Floats("zero", 0)
}

// f32 fills a vector register with the 32 bits v.
func f32(v uint32, dst reg.Register) {
	t := GP32()
	MOVL(U32(v), t)
	x := dst.(reg.Vec).AsX()
	VMOVD(t, x)
	VBROADCASTSS(x, dst)
}

// gather copies the runs of x, y and z one after the other, and writes their
// indices, a vector of the given width at a time. What a vector copies past
// the end of a run, the next run overwrites.
func gather(set string, width int, vector func() reg.VecVirtual) {
	p := asm.Func("gather"+set, "func(x, y, z *float32, j *int32, fromX, fromY, fromZ *float32, runs *int32)", "x", "y", "z", "j", "fromX", "fromY", "fromZ", "runs")
	runs := p[7]
	iota, step := vector(), vector()
	f32(uint32(width), step)
	if width == 16 {
		VMOVDQU32(iota16, iota)
	} else {
		VMOVDQU(iota16, iota)
	}
	left, n, j, hi, t := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(U32(9), left)
	XORQ(n, n)
	Label("run")
	MOVLQSX(Mem{Base: runs}, j)
	MOVLQSX(Mem{Base: runs, Disp: 4}, hi)
	ADDQ(Imm(8), runs)
	MOVQ(hi, t)
	SUBQ(j, t)
	JLE(LabelRef("next"))
	at, vj := GP64(), vector()
	MOVQ(n, at)
	ADDQ(t, n)
	VMOVD(j.As32(), vj.AsX())
	VPBROADCASTD(vj.AsX(), vj)
	VPADDD(iota, vj, vj)
	Label("vector")
	for i := range 3 {
		v := vector()
		VMOVUPS(Mem{Base: p[4+i], Index: j, Scale: 4}, v)
		VMOVUPS(v, Mem{Base: p[i], Index: at, Scale: 4})
	}
	VMOVUPS(vj, Mem{Base: p[3], Index: at, Scale: 4})
	VPADDD(step, vj, vj)
	ADDQ(Imm(uint64(width)), at)
	ADDQ(Imm(uint64(width)), j)
	CMPQ(j, hi)
	JLT(LabelRef("vector"))
	Label("next")
	DECQ(left)
	JNZ(LabelRef("run"))
	VZEROUPPER()
	RET()
}

// search looks at a vector of candidates of the given width at a time, and returns the
// number n of those that were kept, or -1 if there are too many.
func search(set string, width int, vector func() reg.VecVirtual) {
	p := asm.Func("search"+set, "func(b *float32, x, y, z *float32, j *int32, n int, selfX, selfY, selfZ float32, self int) int",
		"b", "x", "y", "z", "j", "n", "self")
	b, xs, ys, zs, js, end, self := p[0], p[1], p[2], p[3], p[4], p[5], p[6].(reg.GP).As32()
	x, y, z, one, vself := vector(), vector(), vector(), vector(), vector()
	scalar("selfX", x)
	scalar("selfY", y)
	scalar("selfZ", z)
	f32(0x3f800000, one)
	var lut reg.GPVirtual
	if width == 8 {
		VMOVD(self, vself.AsX())
		VPBROADCASTD(vself.AsX(), vself)
		lut = GP64()
	} else {
		VPBROADCASTD(self, vself)
	}
	i, n, mask := GP64(), GP64(), GP64()
	if width == 8 {
		LEAQ(compress, lut)
	}
	XORQ(i, i)
	XORQ(n, n)
	Label("vector")
	dx, dy, dz, j, r2, t := vector(), vector(), vector(), vector(), vector(), vector()
	if width == 8 {
		VMOVDQU(Mem{Base: js, Index: i, Scale: 4}, j)
	} else {
		VMOVDQU32(Mem{Base: js, Index: i, Scale: 4}, j)
	}
	VSUBPS(Mem{Base: xs, Index: i, Scale: 4}, x, dx)
	VSUBPS(Mem{Base: ys, Index: i, Scale: 4}, y, dy)
	VSUBPS(Mem{Base: zs, Index: i, Scale: 4}, z, dz)
	VMULPS(dx, dx, r2)
	VMULPS(dy, dy, t)
	VADDPS(t, r2, r2)
	VMULPS(dz, dz, t)
	VADDPS(t, r2, r2)
	var keep func(v, to Op)
	if width == 8 {
		perm := YMM()
		VCMPPS(Imm(0x11), one, r2, t) // r2 < 1
		VPCMPEQD(j, vself, r2)
		VPANDN(t, r2, t)
		VMOVMSKPS(t, mask.As32())
		VPMOVZXBD(Mem{Base: lut, Index: mask, Scale: 8}, perm)
		keep = func(v, to Op) { VPERMPS(v, perm, to) }
	} else {
		k := K()
		VPCMPD(Imm(4), vself, j, k)      // j != self
		VCMPPS(Imm(0x11), one, r2, k, k) // and r2 < 1
		KMOVW(k, mask.As32())
		keep = func(v, to Op) { VCOMPRESSPS_Z(v, k, to) }
	}
	for m, v := range []reg.VecVirtual{dx, dy, dz, j} {
		keep(v, v)
		VMOVUPS(v, Mem{Base: b, Index: n, Scale: 4, Disp: [4]int{offX, offY, offZ, offJ + 4}[m]})
	}
	POPCNTQ(mask, mask)
	ADDQ(mask, n)
	CMPQ(n, U32(most))
	JGT(LabelRef("full"))
	ADDQ(Imm(uint64(width)), i)
	CMPQ(i, end)
	JLT(LabelRef("vector"))
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
// the distance 1, whose weights are zero, and the index of the last. It
// returns all steps between indices or-ed together.
func weigh() {
	two, eight, six := asm.Floats("two", 2), asm.Floats("eight", 8), asm.Floats("six", 6)
	c18, c12 := asm.Floats("eighteen", 18), asm.Floats("twelve", 12)
	half := asm.Floats("half", 0.5)
	p := asm.Func("weighAVX2", "func(list, w *uint16, b *float32, n int, scale float32, s *float32) uint32", "list", "w", "b", "n")
	list, wp, b, n := p[0], p[1], p[2], p[3]
	scale, steps := YMM(), YMM()
	scalar("scale", scale)
	{ // The ends of the buffer.
		t, first := YMM(), GP32()
		VMOVUPS(one, t)
		VMOVUPS(t, Mem{Base: b, Index: n, Scale: 4, Disp: offX})
		VXORPS(t, t, t)
		VMOVUPS(t, Mem{Base: b, Index: n, Scale: 4, Disp: offY})
		VMOVUPS(t, Mem{Base: b, Index: n, Scale: 4, Disp: offZ})
		VPBROADCASTD(Mem{Base: b, Index: n, Scale: 4, Disp: offJ}, t)
		VMOVDQU(t, Mem{Base: b, Index: n, Scale: 4, Disp: offJ + 4})
		MOVL(Mem{Base: b, Disp: offJ + 4}, first)
		MOVL(first, Mem{Base: b, Disp: offJ})
	}
	VPXOR(steps, steps, steps)
	acc := [5]reg.VecVirtual{YMM(), YMM(), YMM(), YMM(), YMM()}
	for _, a := range acc {
		VXORPS(a, a, a)
	}
	k := GP64()
	XORQ(k, k)
	Label("loop")
	w, f := YMM(), YMM()
	{
		q, u2 := YMM(), YMM()
		{
			t := YMM()
			VMOVUPS(Mem{Base: b, Index: k, Scale: 4, Disp: offX}, q)
			VMULPS(q, q, q)
			for _, off := range []int{offY, offZ} {
				VMOVUPS(Mem{Base: b, Index: k, Scale: 4, Disp: off}, t)
				VMULPS(t, t, t)
				VADDPS(t, q, q)
			}
			VSQRTPS(q, q)
		}
		{
			u, t, cube := YMM(), YMM(), YMM()
			VMOVUPS(one, u)
			VSUBPS(q, u, u)
			VMOVUPS(half, t)
			VSUBPS(q, t, t)
			VXORPS(cube, cube, cube)
			VMAXPS(cube, t, t)
			VMULPS(u, u, u2)
			VMULPS(u, u2, w)
			VMULPS(two, w, w)
			VMULPS(t, t, cube)
			VMULPS(t, cube, cube)
			VMULPS(eight, cube, cube)
			VSUBPS(cube, w, w)
			VMULPS(scale, w, w)
		}
		{
			mask, t := YMM(), YMM()
			VMULPS(six, u2, u2)
			VDIVPS(q, u2, u2)
			VMULPS(c18, q, t)
			VMOVUPS(c12, f)
			VSUBPS(t, f, f)
			VCMPPS(Imm(0x1d), half, q, mask) // q >= ½
			VBLENDVPS(mask, u2, f, f)
			VMULPS(scale, f, f)
		}
	}
	{
		sq, t := YMM(), YMM()
		VADDPS(w, acc[0], acc[0])
		for i, off := range []int{offX, offY, offZ} {
			VMULPS(Mem{Base: b, Index: k, Scale: 4, Disp: off}, f, t)
			VADDPS(t, acc[1+i], acc[1+i])
			if i == 0 {
				VMULPS(t, t, sq)
			} else {
				VMULPS(t, t, t)
				VADDPS(t, sq, sq)
			}
		}
		VADDPS(sq, acc[4], acc[4])
	}
	{
		step := YMM()
		VMOVDQU(Mem{Base: b, Index: k, Scale: 4, Disp: offJ + 4}, step)
		VPSUBD(Mem{Base: b, Index: k, Scale: 4, Disp: offJ}, step, step)
		VPOR(step, steps, steps)
		high, hf, out := XMM(), XMM(), XMM()
		VEXTRACTI128(Imm(1), step, high)
		VPACKUSDW(high, step.AsX(), high)
		VCVTPS2PH(Imm(0), f, hf)
		VPUNPCKLQDQ(high, hf, out)
		VMOVDQU(out, Mem{Base: list, Index: k, Scale: 4})
		VPUNPCKHQDQ(high, hf, out)
		VMOVDQU(out, Mem{Base: list, Index: k, Scale: 4, Disp: 16})
	}
	TESTQ(wp, wp)
	JZ(LabelRef("next"))
	VCVTPS2PH(Imm(0), w, Mem{Base: wp, Index: k, Scale: 2})
	Label("next")
	ADDQ(Imm(8), k)
	CMPQ(k, n)
	JLT(LabelRef("loop"))
	s := Load(Param("s"), GP64())
	for i, a := range acc { // fold
		h, h2 := XMM(), XMM()
		asm.Fold(a, h, h2)
		if 1 <= i && i <= 3 { // −
			VXORPS(h2, h2, h2)
			VSUBSS(h, h2, h)
		}
		VMOVSS(h, Mem{Base: s, Disp: 4 * i})
	}
	high, all := XMM(), GP32()
	VEXTRACTI128(Imm(1), steps, high)
	VPOR(steps.AsX(), high, high)
	VPSHUFD(Imm(0x0e), high, steps.AsX())
	VPOR(steps.AsX(), high, high)
	VPSHUFD(Imm(0x01), high, steps.AsX())
	VPOR(steps.AsX(), high, high)
	VMOVD(high, all)
	VZEROUPPER()
	Store(all, ReturnIndex(0))
	RET()
}

// scalar fills a vector with a parameter.
func scalar(name string, dst reg.Register) { VBROADCASTSS(asm.Address(name), dst) }

// ahead is how many bytes before their use a pass asks for groups.
const ahead = 2048

// weights is the source of the two halves of a group's numbers.
type weights struct {
	all  reg.VecVirtual    // four numbers
	pick [2]reg.VecVirtual // for each half: the first number four times, the second four times
}

// half returns the numbers of half h, four of each.
func (w *weights) half(h int) reg.VecVirtual {
	f := YMM()
	VPERMPS(w.all, w.pick[h], f)
	return f
}

// pass writes the loop over particles [0, n) and their groups, whose indices come from
// numbers, and whose weights come from list if numbers is nil. pair is written for the
// two halves of a group: it calls load for the vectors of the two neighbours from one
// array, gets their indices, and adds to acc.
func pass(start, base, list, numbers, n reg.Register, head func(), pair func(load loader, f, acc reg.VecVirtual), tail func(i, sum reg.Register)) {
	passes(1, start, base, list, numbers, n, head, func(load loader, f reg.VecVirtual, acc []reg.VecVirtual) {
		pair(load, f, acc[0])
	}, func(i reg.Register, sums []reg.Register) { tail(i, sums[0]) })
}

// passes is pass with several sums.
func passes(count int, start, base, list, numbers, n reg.Register, head func(), pair func(load loader, f reg.VecVirtual, acc []reg.VecVirtual), tail func(i reg.Register, sums []reg.Register)) {
	i, c, end, j := GP64(), GP64(), GP64(), GP64()
	var acc [2][]reg.VecVirtual
	for h := range acc {
		for range count {
			acc[h] = append(acc[h], YMM())
		}
	}
	w := weights{pick: [2]reg.VecVirtual{YMM(), YMM()}}
	VMOVDQU(picks.Offset(0), w.pick[0])
	VMOVDQU(picks.Offset(32), w.pick[1])
	XORQ(i, i)
	XORQ(c, c) // twice the group, and an address has it times 8
	Label("particle")
	CMPQ(i, n)
	JGE(LabelRef("done"))
	MOVLQSX(Mem{Base: start, Index: i, Scale: 4, Disp: 4}, end)
	ADDQ(end, end)
	MOVLQSX(Mem{Base: base, Index: i, Scale: 4}, j)
	ADDQ(j, j) // times 2, and an address has it times 8
	head()
	for _, half := range acc {
		for _, a := range half {
			VXORPS(a, a, a)
		}
	}
	for line := range 3 {
		PREFETCHT0(Mem{Base: list, Index: c, Scale: 8, Disp: ahead + 64*line})
	}
	CMPQ(c, end)
	JGE(LabelRef("store"))
	Label("group")
	w.all = YMM()
	if numbers == nil {
		VCVTPH2PS(Mem{Base: list, Index: c, Scale: 8}, w.all.AsX())
	} else {
		VCVTPH2PS(Mem{Base: numbers, Index: c, Scale: 4}, w.all.AsX())
	}
	for h := range 2 {
		pair(func(from ...reg.Register) []reg.VecVirtual {
			var vs []reg.VecVirtual
			for k := range 2 {
				step := GP64()
				MOVWLZX(Mem{Base: list, Index: c, Scale: 8, Disp: 8 + 4*h + 2*k}, step.As32())
				LEAQ(Mem{Base: j, Index: step, Scale: 2}, j)
				next := 0
				take := func(at Mem) {
					if k == 0 {
						vs = append(vs, YMM())
						VBROADCASTF128(at, vs[next]) // the whole register, or old values would remain
					} else {
						VINSERTF128(Imm(1), at, vs[next], vs[next])
					}
					next++
				}
				for _, f := range from {
					m, ok := f.(matrices)
					if !ok {
						take(Mem{Base: f, Index: j, Scale: 8})
						continue
					}
					j3 := GP64() // a matrix is three vectors long
					LEAQ(Mem{Base: j, Index: j, Scale: 2}, j3)
					for column := range 3 {
						take(Mem{Base: m.Register, Index: j3, Scale: 8, Disp: 16 * column})
					}
				}
			}
			return vs
		}, w.half(h), acc[h])
	}
	ADDQ(Imm(2), c)
	CMPQ(c, end)
	JLT(LabelRef("group"))
	Label("store")
	var sums []reg.Register
	for m, a := range acc[0] {
		sum := XMM()
		VADDPS(acc[1][m], a, a)
		VEXTRACTF128(Imm(1), a, sum)
		VADDPS(sum, a.AsX(), sum)
		sums = append(sums, sum)
	}
	tail(i, sums)
	INCQ(i)
	JMP(LabelRef("particle"))
	Label("done")
	VZEROUPPER()
	RET()
}

type loader = func(...reg.Register) []reg.VecVirtual

// matrices is an array of matrices, of which load takes the three columns.
type matrices struct{ reg.Register }

// following fills v with the four numbers of the next particle, twice.
func following(self reg.Register, v reg.VecVirtual) func() {
	return func() {
		VBROADCASTF128(Mem{Base: self}, v)
		ADDQ(Imm(16), self)
	}
}

// wide stores the four numbers of each sum.
func wide(out reg.Register) func(i, sum reg.Register) {
	return func(_, sum reg.Register) {
		VMOVUPS(sum, Mem{Base: out})
		ADDQ(Imm(16), out)
	}
}

// ofThree stores the sum of the first three numbers of each sum.
func ofThree(out reg.Register) func(i, sum reg.Register) {
	return func(i, sum reg.Register) {
		y, z := XMM(), XMM()
		VPERMILPS(Imm(1), sum, y)
		VPERMILPS(Imm(2), sum, z)
		VADDSS(y, sum, sum)
		VADDSS(z, sum, sum)
		VMOVSS(sum, Mem{Base: out, Index: i, Scale: 4})
	}
}

func gradient() {
	p := asm.Func("gradientAVX2", "func(out, at, self *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "start", "base", "list", "n")
	out, at, self, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	xi := YMM()
	pass(start, base, list, nil, n, func() {
		VBROADCASTF128(Mem{Base: self}, xi)
		VXORPS(sign, xi, xi) // x, y, z and −s
		ADDQ(Imm(16), self)
	}, func(load loader, f, acc reg.VecVirtual) {
		d, s := load(at)[0], YMM()
		VSUBPS(xi, d, d)
		VPERMILPS(Imm(0xff), d, s)
		VMULPS(f, s, s)
		VMULPS(s, d, d)
		VADDPS(d, acc, acc)
	}, wide(out))
}

func divergence() {
	p := asm.Func("divergenceAVX2", "func(out, at, self, v, selfV *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "v", "selfV", "start", "base", "list", "n")
	out, at, self, v, selfV, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]
	xi, vi := YMM(), YMM()
	pass(start, base, list, nil, n, func() {
		VBROADCASTF128(Mem{Base: self}, xi)
		VBROADCASTF128(Mem{Base: selfV}, vi)
		ADDQ(Imm(16), self)
		ADDQ(Imm(16), selfV)
	}, func(load loader, f, acc reg.VecVirtual) {
		xv := load(at, v)
		d, e := xv[0], xv[1]
		VSUBPS(xi, d, d)
		VSUBPS(e, vi, e)
		VMULPS(d, e, e)
		VMULPS(f, e, e)
		VADDPS(e, acc, acc)
	}, ofThree(out))
}

// across returns the sum of the first three of each four of v, in all of them.
func across(v reg.VecVirtual) reg.VecVirtual {
	sum, t := YMM(), YMM()
	VPERMILPS(Imm(0x00), v, sum)
	VPERMILPS(Imm(0x55), v, t)
	VADDPS(t, sum, sum)
	VPERMILPS(Imm(0xaa), v, t)
	VADDPS(t, sum, sum)
	return sum
}

// cubed returns max(1−d2, 0)³, and nothing for neighbours of no weight in f.
func cubed(d2, f reg.VecVirtual) reg.VecVirtual {
	u, cube := YMM(), YMM()
	VMOVUPS(one, u)
	VSUBPS(d2, u, u)
	VMAXPS(zero, u, u)
	VMULPS(u, u, cube)
	VMULPS(u, cube, cube)
	VCMPPS(Imm(0x0c), zero, f, f) // ≠ 0
	VANDPS(f, cube, cube)
	return cube
}

func strain() {
	p := asm.Func("strainAVX2", "func(out, at, self, v, selfV *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "v", "selfV", "start", "base", "list", "n")
	out, at, self, v, selfV, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]
	xi, vi := YMM(), YMM()
	pass(start, base, list, nil, n, func() {
		VBROADCASTF128(Mem{Base: self}, xi)
		VXORPS(sign, xi, xi) // x, y, z and −s
		VBROADCASTF128(Mem{Base: selfV}, vi)
		ADDQ(Imm(16), self)
		ADDQ(Imm(16), selfV)
	}, func(load loader, f, acc reg.VecVirtual) {
		xv := load(at, v)
		d, e, t := xv[0], xv[1], YMM()
		VSUBPS(xi, d, d)
		VSUBPS(vi, e, e)
		VMULPS(d, d, t)
		cube := cubed(across(t), f)
		VPERMILPS(Imm(0xff), d, t)
		VMULPS(cube, t, t)
		VMULPS(d, e, e)
		VMULPS(across(e), t, t)
		VMULPS(t, d, d)
		VADDPS(d, acc, acc)
	}, wide(out))
}

func spread() {
	p := asm.Func("spreadAVX2", "func(out, at, self *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "start", "base", "list", "n")
	out, at, self, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	xi := YMM()
	pass(start, base, list, nil, n, following(self, xi), func(load loader, f, acc reg.VecVirtual) {
		d := load(at)[0]
		VSUBPS(xi, d, d)
		VMULPS(d, d, d)
		d2 := across(d)
		cube := cubed(d2, f)
		VMULPS(d2, d2, d2)
		VMULPS(cube, d2, d2)
		VADDPS(d2, acc, acc)
	}, func(i, sum reg.Register) {
		VMOVSS(sum, Mem{Base: out, Index: i, Scale: 4})
	})
}

// pull writes the sum of weights times the difference in velocity. The weights are from
// the list, or numbers of their own, w.
func pull(name string, own bool) {
	args, names := "list *uint16", []string{"out", "v", "self", "start", "base", "list", "n"}
	if own {
		args, names = "list, w *uint16", append(names, "w")
	}
	p := asm.Func(name, "func(out, v, self *float32, start, base *int32, "+args+", n int)", names...)
	out, v, self, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	var numbers reg.Register
	if own {
		numbers = p[7]
	}
	vi := YMM()
	pass(start, base, list, numbers, n, following(self, vi), func(load loader, f, acc reg.VecVirtual) {
		d := load(v)[0]
		VSUBPS(vi, d, d)
		VMULPS(f, d, d)
		VADDPS(d, acc, acc)
	}, wide(out))
}

// columns stores the four numbers of each of three sums as the columns of a matrix.
func columns(out reg.Register) func(i reg.Register, sums []reg.Register) {
	return func(_ reg.Register, sums []reg.Register) {
		for m, sum := range sums {
			VMOVUPS(sum, Mem{Base: out, Disp: 16 * m})
		}
		ADDQ(Imm(48), out)
	}
}

func moments() {
	p := asm.Func("momentsAVX2", "func(out, at, self *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "start", "base", "list", "n")
	out, at, self, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	xi := YMM()
	passes(3, start, base, list, nil, n, following(self, xi), func(load loader, f reg.VecVirtual, acc []reg.VecVirtual) {
		d, t, u := load(at)[0], YMM(), YMM()
		VSUBPS(xi, d, d)
		VBLENDPS(Imm(0x88), one, d, t) // x, y, z and 1
		VMULPS(t, f, t)
		VADDPS(t, acc[0], acc[0])
		VMULPS(d, t, u)
		VADDPS(u, acc[1], acc[1])
		VPERMILPS(Imm(0xc9), d, d) // y, z, x
		VMULPS(d, t, t)
		VADDPS(t, acc[2], acc[2])
	}, columns(out))
}

func squaredMoments(turned bool) {
	name := "squaresOf2"
	if turned {
		name = "productsOf2"
	}
	p := asm.Func(name+"AVX2", "func(out, at, self *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "start", "base", "list", "n")
	out, at, self, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	xi := YMM()
	pass(start, base, list, nil, n, following(self, xi), func(load loader, f, acc reg.VecVirtual) {
		d, t := load(at)[0], YMM()
		VSUBPS(xi, d, d)
		VMULPS(f, f, f)
		VMULPS(d, f, t)
		if turned {
			VPERMILPS(Imm(0xc9), d, d) // y, z, x
		}
		VMULPS(d, t, t)
		VADDPS(t, acc, acc)
	}, wide(out))
}

// product returns the matrix of the columns mx, my and mz times d.
func product(mx, my, mz, d reg.VecVirtual) reg.VecVirtual {
	y, t := YMM(), YMM()
	VPERMILPS(Imm(0x00), d, y)
	VMULPS(mx, y, y)
	VPERMILPS(Imm(0x55), d, t)
	VMULPS(my, t, t)
	VADDPS(t, y, y)
	VPERMILPS(Imm(0xaa), d, t)
	VMULPS(mz, t, t)
	VADDPS(t, y, y)
	return y
}

func correctedGradient() {
	p := asm.Func("correctedGradientAVX2", "func(out, at, self, m *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "m", "start", "base", "list", "n")
	out, at, self, m, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	xi := YMM()
	pass(start, base, list, nil, n, following(self, xi), func(load loader, f, acc reg.VecVirtual) {
		v := load(at, matrices{m})
		VSUBPS(xi, v[0], v[0])
		y := product(v[1], v[2], v[3], v[0])
		VMULPS(f, y, y)
		VADDPS(y, acc, acc)
	}, wide(out))
}

func pressureGradients() {
	p := asm.Func("pressureGradientsAVX2", "func(out, at, self, m *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "m", "start", "base", "list", "n")
	out, at, self, m, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	xi := YMM()
	passes(3, start, base, list, nil, n, func() {
		VBROADCASTF128(Mem{Base: self}, xi)
		VXORPS(sign, xi, xi) // x, y, z and −s
		ADDQ(Imm(16), self)
	}, func(load loader, f reg.VecVirtual, acc []reg.VecVirtual) {
		v := load(at, matrices{m})
		d, s, q := v[0], YMM(), YMM()
		VSUBPS(xi, d, d)
		VPERMILPS(Imm(0xff), v[1], q)
		VMULPS(f, q, q)
		VMULPS(d, q, q)
		VADDPS(q, acc[2], acc[2])
		VPERMILPS(Imm(0xff), d, s)
		VMULPS(f, s, s)
		VMULPS(d, s, s)
		VADDPS(s, acc[1], acc[1])
		y := product(v[1], v[2], v[3], d)
		VMULPS(f, y, y)
		VADDPS(y, acc[0], acc[0])
	}, columns(out))
}

func correctedDivergence() {
	p := asm.Func("correctedDivergenceAVX2", "func(out, at, self, v, selfV, m *float32, start, base *int32, list *uint16, n int)", "out", "at", "self", "v", "selfV", "m", "start", "base", "list", "n")
	out, at, self, v, selfV, m, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]
	xi, vi, mx, my, mz := YMM(), YMM(), YMM(), YMM(), YMM()
	pass(start, base, list, nil, n, func() {
		VBROADCASTF128(Mem{Base: self}, xi)
		VBROADCASTF128(Mem{Base: selfV}, vi)
		for k, c := range []reg.VecVirtual{mx, my, mz} {
			VBROADCASTF128(Mem{Base: m, Disp: 16 * k}, c)
		}
		ADDQ(Imm(16), self)
		ADDQ(Imm(16), selfV)
		ADDQ(Imm(48), m)
	}, func(load loader, f, acc reg.VecVirtual) {
		xv := load(at, v)
		d, e := xv[0], xv[1]
		VSUBPS(xi, d, d)
		VSUBPS(e, vi, e)
		VMULPS(product(mx, my, mz, d), e, e)
		VMULPS(f, e, e)
		VADDPS(e, acc, acc)
	}, ofThree(out))
}

// differences takes the four neighbours of a group at once, since a neighbour has only one
// number.
func differences() {
	p := asm.Func("differencesAVX2", "func(out, k, self *float32, start, base *int32, list *uint16, n int)", "out", "k", "self", "start", "base", "list", "n")
	out, k, self, start, base, list, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	i, c, end, j := GP64(), GP64(), GP64(), GP64()
	ki, acc := XMM(), XMM()
	XORQ(i, i)
	XORQ(c, c) // twice the group, and an address has it times 8
	Label("particle")
	CMPQ(i, n)
	JGE(LabelRef("done"))
	MOVLQSX(Mem{Base: start, Index: i, Scale: 4, Disp: 4}, end)
	ADDQ(end, end)
	MOVLQSX(Mem{Base: base, Index: i, Scale: 4}, j)
	VBROADCASTSS(Mem{Base: self, Index: i, Scale: 4}, ki)
	VXORPS(acc, acc, acc)
	for line := range 3 {
		PREFETCHT0(Mem{Base: list, Index: c, Scale: 8, Disp: ahead + 64*line})
	}
	CMPQ(c, end)
	JGE(LabelRef("store"))
	Label("group")
	f, d := XMM(), XMM()
	VCVTPH2PS(Mem{Base: list, Index: c, Scale: 8}, f)
	for m := range 4 {
		step := GP64()
		MOVWLZX(Mem{Base: list, Index: c, Scale: 8, Disp: 8 + 2*m}, step.As32())
		ADDQ(step, j)
		at := Mem{Base: k, Index: j, Scale: 4}
		if m == 0 {
			VMOVSS(at, d)
		} else {
			VINSERTPS(Imm(uint64(m<<4)), at, d, d)
		}
	}
	VSUBPS(ki, d, d)
	VMULPS(f, d, d)
	VADDPS(d, acc, acc)
	ADDQ(Imm(2), c)
	CMPQ(c, end)
	JLT(LabelRef("group"))
	Label("store")
	high := XMM()
	VMOVHLPS(acc, acc, high)
	VADDPS(high, acc, acc)
	VMOVSHDUP(acc, high)
	VADDSS(high, acc, acc)
	VMOVSS(acc, Mem{Base: out, Index: i, Scale: 4})
	INCQ(i)
	JMP(LabelRef("particle"))
	Label("done")
	VZEROUPPER()
	RET()
}

// addBySlot keeps the four sums of a slot in four tables, so that a group's additions do not
// wait for each other.
func addBySlot() {
	p := asm.Func("addBySlotAVX2", "func(sums *float32, slot *uint8, cell *int32, list *uint16, n int, j int) (done, at int)", "sums", "slot", "cell", "list", "n", "j")
	sums, slot, cell, list, n, j := p[0], p[1], p[2], p[3], p[4], p[5]
	c, end := GP64(), GP64()
	XORQ(c, c) // twice the group, and an address has it times 8
	LEAQ(Mem{Base: n, Index: n, Scale: 1}, end)
	Label("group")
	CMPQ(c, end)
	JGE(LabelRef("done"))
	var slots [4]reg.GPVirtual
	next := GP64()
	MOVQ(j, next)
	for m := range slots {
		at := GP64()
		MOVWLZX(Mem{Base: list, Index: c, Scale: 8, Disp: 8 + 2*m}, at.As32())
		ADDQ(at, next)
		MOVLQSX(Mem{Base: cell, Index: next, Scale: 4}, at)
		slots[m] = GP64()
		MOVBLZX(Mem{Base: slot, Index: at, Scale: 1}, slots[m].As32())
		TESTL(slots[m].As32(), slots[m].As32())
		JZ(LabelRef("done"))
	}
	MOVQ(next, j)
	f, lane := XMM(), XMM()
	VCVTPH2PS(Mem{Base: list, Index: c, Scale: 8}, f)
	for m, s := range slots {
		at := Mem{Base: sums, Index: s, Scale: 4, Disp: 4 * 256 * m}
		if m == 0 {
			VADDSS(at, f, lane)
		} else {
			VPERMILPS(Imm(uint64(m)), f, lane)
			VADDSS(at, lane, lane)
		}
		VMOVSS(lane, at)
	}
	ADDQ(Imm(2), c)
	JMP(LabelRef("group"))
	Label("done")
	SHRQ(Imm(1), c)
	Store(c, ReturnIndex(0))
	Store(j, ReturnIndex(1))
	RET()
}
