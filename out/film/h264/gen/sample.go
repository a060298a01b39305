package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

// mean processes one row at a time, rows of 8 as if they had 16.
func mean() {
	for _, w := range []int{16, 8} {
		p := asm.Func(map[int]string{16: "mean16AVX2", 8: "mean8AVX2"}[w], "func(to, a, b *byte, stride, h int)", "to", "a", "b", "stride", "h")
		to, a, b, stride, h := p[0], p[1], p[2], p[3], p[4]
		Label("row")
		v := XMM()
		if w == 16 {
			VMOVDQU(Mem{Base: a}, v)
			VPAVGB(Mem{Base: b}, v, v)
			VMOVDQU(v, Mem{Base: to})
		} else {
			u := XMM()
			VMOVQ(Mem{Base: a}, v)
			VMOVQ(Mem{Base: b}, u)
			VPAVGB(u, v, v)
			VMOVQ(v, Mem{Base: to})
		}
		ADDQ(stride, a)
		ADDQ(stride, b)
		ADDQ(Imm(16), to)
		DECQ(h)
		JNE(LabelRef("row"))
		RET()
	}
}

// between makes 16 samples of b, and sums down the columns for h and j, at a
// time; then h and j from these.
func between() {
	round5 := words("round5", 16)
	round10 := asm.Dwords("round10", 512)
	outer, inner := words("taps01", 1, -5), words("taps23", 20, 20)
	last := words("taps45", -5, 1)
	five, twenty := words("five", 5), words("twenty", 20)

	// tap6 returns the filter of six vectors of 16 samples, in words.
	tap6 := func(at func(i int) Mem) reg.VecVirtual {
		var s [6]reg.VecVirtual
		for i := range s {
			s[i] = YMM()
			VPMOVZXBW(at(i), s[i])
		}
		VPADDW(s[5], s[0], s[0])
		VPADDW(s[4], s[1], s[1])
		VPADDW(s[3], s[2], s[2])
		VPMULLW(five, s[1], s[1])
		VPMULLW(twenty, s[2], s[2])
		VPSUBW(s[1], s[0], s[0])
		VPADDW(s[2], s[0], s[0])
		return s[0]
	}
	// store writes 16 words as bytes.
	store := func(v reg.VecVirtual, to Mem) {
		h := XMM()
		VEXTRACTI128(Imm(1), v, h)
		VPACKUSWB(h, v.AsX(), v.AsX())
		VMOVDQU(v.AsX(), to)
	}
	// rounded writes words of five more bits.
	rounded := func(v reg.VecVirtual, to Mem) {
		VPADDW(round5, v, v)
		VPSRAW(Imm(5), v, v)
		store(v, to)
	}

	p := asm.Func("acrossAVX2", "func(b, from *byte, n int)", "b", "from", "n")
	to, g, n := p[0], p[1], p[2]
	i := GP64()
	XORQ(i, i)
	Label("next")
	rounded(tap6(func(k int) Mem { return Mem{Base: g, Index: i, Scale: 1, Disp: k} }), Mem{Base: to, Index: i, Scale: 1})
	ADDQ(Imm(16), i)
	CMPQ(i, n)
	JL(LabelRef("next"))
	VZEROUPPER()
	RET()

	p = asm.Func("downAVX2", "func(sum *int16, from *byte, stride, n int)", "sum", "from", "stride", "n")
	sum, g, stride, n := p[0], p[1], p[2], p[3]
	stride3 := thrice(stride)
	low := GP64()
	LEAQ(Mem{Base: g, Index: stride3, Scale: 1}, low)
	Label("next")
	v := tap6(func(k int) Mem {
		if k < 3 {
			return row(k, g, stride, nil)
		}
		return row(k-3, low, stride, nil)
	})
	VMOVDQU(v, Mem{Base: sum})
	ADDQ(Imm(32), sum)
	ADDQ(Imm(16), g)
	ADDQ(Imm(16), low)
	SUBQ(Imm(16), n)
	JG(LabelRef("next"))
	VZEROUPPER()
	RET()

	p = asm.Func("bothAVX2", "func(h, j *byte, sum *int16, n int)", "h", "j", "sum", "n")
	h, j, sum, n := p[0], p[1], p[2], p[3]
	i = GP64()
	XORQ(i, i)
	Label("next")
	var s [6]reg.VecVirtual
	for k := range s {
		s[k] = YMM()
		VMOVDQU(Mem{Base: sum, Index: i, Scale: 2, Disp: 2 * k}, s[k])
	}
	var halves [2]reg.VecVirtual
	for k, unpack := range []func(ops ...Op){VPUNPCKLWD, VPUNPCKHWD} {
		a, b, c := YMM(), YMM(), YMM()
		unpack(s[1], s[0], a)
		unpack(s[3], s[2], b)
		unpack(s[5], s[4], c)
		VPMADDWD(outer, a, a)
		VPMADDWD(inner, b, b)
		VPMADDWD(last, c, c)
		VPADDD(b, a, a)
		VPADDD(c, a, a)
		VPADDD(round10, a, a)
		VPSRAD(Imm(10), a, a)
		halves[k] = a
	}
	VPACKSSDW(halves[1], halves[0], halves[0])
	store(halves[0], Mem{Base: j, Index: i, Scale: 1})
	rounded(s[2], Mem{Base: h, Index: i, Scale: 1})
	ADDQ(Imm(16), i)
	CMPQ(i, n)
	JL(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// chroma processes a row of 8 at a time.
func chroma() {
	half := words("round6", 32)
	for _, w := range []int{8, 4} {
		p := asm.Func(map[int]string{8: "chroma8AVX2", 4: "chroma4AVX2"}[w], "func(to, from *byte, stride, h int, upper, lower uint16)", "to", "from", "stride", "h")
		to, from, stride, h := p[0], p[1], p[2], p[3]
		upper, lower := weights("upper"), weights("lower")
		// pairs returns a row's samples, each beside the next.
		pairs := func() reg.VecVirtual {
			v, next := XMM(), XMM()
			VMOVQ(Mem{Base: from}, v)
			VMOVQ(Mem{Base: from, Disp: 1}, next)
			VPUNPCKLBW(next, v, v)
			ADDQ(stride, from)
			return v
		}
		above := pairs()
		Label("row")
		below := pairs()
		u, v := XMM(), XMM()
		VPMADDUBSW(upper, above, u)
		VPMADDUBSW(lower, below, v)
		VPADDW(v, u, u)
		VPADDW(half, u, u)
		VPSRLW(Imm(6), u, u)
		VPACKUSWB(u, u, u)
		if w == 8 {
			VMOVQ(u, Mem{Base: to})
		} else {
			VMOVD(u, Mem{Base: to})
		}
		VMOVDQA(below, above)
		ADDQ(Imm(8), to)
		DECQ(h)
		JNE(LabelRef("row"))
		RET()
	}
}

// weights fills a vector with a parameter of two bytes.
func weights(name string) reg.VecVirtual {
	m, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := XMM()
	VPBROADCASTW(m.Addr, v)
	return v
}
