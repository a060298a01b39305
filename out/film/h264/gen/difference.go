package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

// sad sums up the sizes of the differences of a row at a time.
func sad() {
	p := asm.Func("sadAVX2", "func(a *byte, aStride int, b *byte, bStride int) int", "a", "aStride", "b", "bStride")
	a, aStride, b, bStride := p[0], p[1], p[2], p[3]
	a3, b3 := thrice(aStride), thrice(bStride)
	var sum [4]reg.VecVirtual
	for i := range 16 {
		v := XMM()
		VMOVDQU(row(i%4, a, aStride, a3), v)
		VPSADBW(row(i%4, b, bStride, b3), v, v)
		if i < 4 {
			sum[i] = v
		} else {
			VPADDQ(v, sum[i%4], sum[i%4])
		}
		if i%4 == 3 && i < 15 {
			LEAQ(Mem{Base: a, Index: aStride, Scale: 4}, a)
			LEAQ(Mem{Base: b, Index: bStride, Scale: 4}, b)
		}
	}
	VPADDQ(sum[1], sum[0], sum[0])
	VPADDQ(sum[3], sum[2], sum[2])
	VPADDQ(sum[2], sum[0], sum[0])
	n := GP64()
	VPSHUFD(Imm(0x4e), sum[0], sum[1])
	VPADDQ(sum[1], sum[0], sum[0])
	VMOVQ(sum[0], n)
	Store(n, ReturnIndex(0))
	RET()
}

// ssd takes 16 differences at a time.
func ssd() {
	p := asm.Func("ssdAVX2", "func(a, b *byte, n int) int", "a", "b", "n")
	a, b, n := p[0], p[1], p[2]
	sum := YMM()
	VPXOR(sum, sum, sum)
	i := GP64()
	XORQ(i, i)
	Label("next")
	u, v := YMM(), YMM()
	VPMOVZXBW(Mem{Base: a, Index: i, Scale: 1}, u)
	VPMOVZXBW(Mem{Base: b, Index: i, Scale: 1}, v)
	VPSUBW(v, u, u)
	VPMADDWD(u, u, u)
	VPADDD(u, sum, sum)
	ADDQ(Imm(16), i)
	CMPQ(i, n)
	JL(LabelRef("next"))
	result(total(sum))
}

// satd16 takes four rows of 16 samples at a time, four blocks.
func satd16() {
	p := asm.Func("satd16AVX2", "func(a *byte, aStride int, b *byte, bStride, h int) int", "a", "aStride", "b", "bStride", "h")
	a, aStride, b, bStride, h := p[0], p[1], p[2], p[3], p[4]
	a3, b3 := thrice(aStride), thrice(bStride)
	sum := YMM()
	VPXOR(sum, sum, sum)
	Label("rows")
	var d [4]reg.VecVirtual
	for i := range d {
		u, v := YMM(), YMM()
		VPMOVZXBW(row(i, a, aStride, a3), u)
		VPMOVZXBW(row(i, b, bStride, b3), v)
		VPSUBW(v, u, u)
		d[i] = u
	}
	s := hadamards(d)
	VPADDD(s, sum, sum)
	LEAQ(Mem{Base: a, Index: aStride, Scale: 4}, a)
	LEAQ(Mem{Base: b, Index: bStride, Scale: 4}, b)
	SUBQ(Imm(4), h)
	JNE(LabelRef("rows"))
	result(total(sum))
}

// satd8 loads eight rows of 8 samples at a time, with rows i and i+4 in one vector.
func satd8() {
	p := asm.Func("satd8AVX2", "func(a *byte, aStride int, b *byte, bStride, h int) int", "a", "aStride", "b", "bStride", "h")
	a, aStride, b, bStride, h := p[0], p[1], p[2], p[3], p[4]
	a3, b3 := thrice(aStride), thrice(bStride)
	sum := YMM()
	VPXOR(sum, sum, sum)
	Label("rows")
	var d [4]reg.VecVirtual
	aLow, bLow := GP64(), GP64()
	LEAQ(Mem{Base: a, Index: aStride, Scale: 4}, aLow)
	LEAQ(Mem{Base: b, Index: bStride, Scale: 4}, bLow)
	for i := range d {
		u, v := YMM(), YMM()
		VMOVQ(row(i, a, aStride, a3), u.AsX())
		VMOVHPS(row(i, aLow, aStride, a3), u.AsX(), u.AsX())
		VMOVQ(row(i, b, bStride, b3), v.AsX())
		VMOVHPS(row(i, bLow, bStride, b3), v.AsX(), v.AsX())
		VPMOVZXBW(u.AsX(), u)
		VPMOVZXBW(v.AsX(), v)
		VPSUBW(v, u, u)
		d[i] = u
	}
	s := hadamards(d)
	VPADDD(s, sum, sum)
	LEAQ(Mem{Base: aLow, Index: aStride, Scale: 4}, a)
	LEAQ(Mem{Base: bLow, Index: bStride, Scale: 4}, b)
	SUBQ(Imm(8), h)
	JNE(LabelRef("rows"))
	result(total(sum))
}

// satd4 compares a block with four others of 16 bytes each, at a time.
func satd4() {
	p := asm.Func("satd4AVX2", "func(cost *int32, a *byte, aStride int, b *byte, n int)", "cost", "a", "aStride", "b", "n")
	cost, a, aStride, b, n := p[0], p[1], p[2], p[3], p[4]
	a3 := thrice(aStride)
	var own [4]reg.VecVirtual
	for i := range own {
		own[i] = YMM()
		VPBROADCASTD(row(i, a, aStride, a3), own[i].AsX())
		VPMOVZXBW(own[i].AsX(), own[i])
	}
	Label("next")
	var v, d [4]reg.VecVirtual
	for i := range v {
		v[i] = XMM()
		VMOVDQU(Mem{Base: b, Disp: 16 * i}, v[i])
	}
	v = transpose(v, XMM)
	for i := range d {
		d[i] = YMM()
		VPMOVZXBW(v[i], d[i])
		VPSUBW(d[i], own[i], d[i])
	}
	// Each half has parts of its left and of its right block by turns.
	s, t := hadamards(d), YMM()
	VPSHUFD(Imm(0x4e), s, t)
	VPADDD(t, s, s)
	VPERMQ(Imm(0x08), s, s)
	VMOVDQU(s.AsX(), Mem{Base: cost})
	ADDQ(Imm(16), cost)
	ADDQ(Imm(64), b)
	SUBQ(Imm(4), n)
	JG(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// transpose turns rows of four 32-bit numbers, or two such blocks side by
// side, into columns.
func transpose(v [4]reg.VecVirtual, vector func() reg.VecVirtual) (t [4]reg.VecVirtual) {
	a, b, c, d := vector(), vector(), vector(), vector()
	VPUNPCKLDQ(v[1], v[0], a)
	VPUNPCKHDQ(v[1], v[0], b)
	VPUNPCKLDQ(v[3], v[2], c)
	VPUNPCKHDQ(v[3], v[2], d)
	for i := range t {
		t[i] = vector()
	}
	VPUNPCKLQDQ(c, a, t[0])
	VPUNPCKHQDQ(c, a, t[1])
	VPUNPCKLQDQ(d, b, t[2])
	VPUNPCKHQDQ(d, b, t[3])
	return t
}

// hadamards returns half the sums of the absolute values of the Hadamard transforms of
// four blocks whose rows lie side by side. In each half of the vector, the sums of the
// left block are at even places and the sums of the right block at odd places.
func hadamards(d [4]reg.VecVirtual) reg.VecVirtual {
	d = butterflies(d)
	var sum reg.VecVirtual
	for i := 0; i < 4; i += 2 {
		for _, pair := range []func(a, b, to Op){VPHADDW, VPHSUBW} {
			v, w := YMM(), YMM()
			pair(d[i+1], d[i], v)
			// The last step is left out: |p + q| + |p − q| = 2 max(|p|, |q|).
			VPABSW(v, v)
			VPSRLD(Imm(16), v, w)
			VPMAXSW(w, v, v)
			if sum == nil {
				sum = v
			} else {
				VPADDW(v, sum, sum)
			}
		}
	}
	VPMADDWD(lowWord, sum, sum)
	return sum
}

// butterflies returns the sums and differences of four vectors.
func butterflies(d [4]reg.VecVirtual) [4]reg.VecVirtual {
	var s [4]reg.VecVirtual
	for i := range s {
		s[i] = YMM()
	}
	VPADDW(d[1], d[0], s[0])
	VPSUBW(d[1], d[0], s[1])
	VPADDW(d[3], d[2], s[2])
	VPSUBW(d[3], d[2], s[3])
	VPADDW(s[2], s[0], d[0])
	VPSUBW(s[2], s[0], d[1])
	VPADDW(s[3], s[1], d[2])
	VPSUBW(s[3], s[1], d[3])
	return d
}
