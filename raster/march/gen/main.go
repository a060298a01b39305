// Gen writes the assembly of the loops over voxels and its Go stubs, with avo. The functions
// whose names end in Go, in kernels.go, define each function.
//
// Constraints on every line here: no fused multiply-add, and the order of operations of the
// twin, so that the bits are the same.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"breakwater/sim/asm"
)

func main() {
	ConstraintExpr("!noasm")
	addRow()
	samples()
	sweepRow()
	Generate()
}

// addRow writes addRowGo.
func addRow() {
	one := asm.Floats("one", 1)
	numbers := GLOBL("numbers", RODATA|NOPTR)
	for k := range 8 {
		DATA(4*k, U32(math.Float32bits(float32(k))))
	}
	p := asm.Func("addRowAVX2", "func(to *[8][4]float32, of *[4]float32, c, b, a, z, edge float32)", "to", "of")
	dz, w, x := YMM(), YMM(), YMM()
	VBROADCASTSS(asm.Address("edge"), dz)
	VMULPS(numbers, dz, dz)
	VBROADCASTSS(asm.Address("z"), x)
	VADDPS(x, dz, dz)
	VBROADCASTSS(asm.Address("a"), w)
	VMULPS(dz, w, w)
	VBROADCASTSS(asm.Address("b"), x)
	VADDPS(x, w, w)
	VMULPS(dz, w, w)
	VBROADCASTSS(asm.Address("c"), x)
	VADDPS(x, w, w)
	VMOVUPS(one, x)
	VSUBPS(w, x, w)
	VXORPS(x, x, x)
	VMAXPS(x, w, w)
	VMULPS(w, w, x)
	VMULPS(w, x, w)
	of := YMM()
	VBROADCASTF128(Mem{Base: p[1]}, of)
	for k := range 4 { // the numbers k and k + 4
		part, high := YMM(), XMM()
		VPERMILPS(Imm(uint64(0x55*k)), w, part)
		VMULPS(of, part, part)
		VEXTRACTF128(Imm(1), part, high)
		low := part.AsX()
		for n, half := range []Op{low, high} {
			at := Mem{Base: p[0], Disp: 16 * (k + 4*n)}
			VADDPS(at, half, half)
			VMOVUPS(half, at)
		}
	}
	VZEROUPPER()
	RET()
}

// samples writes samplesGo.
func samples() {
	const strideX, strideY = 81, 9
	fours := func(name string, v ...uint32) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i, x := range v {
			DATA(4*i, U32(x))
		}
		return m
	}
	strides, seven := fours("strides", strideX, strideY, 1, 0), fours("seven", 7, 7, 7, 7)
	eight, ones := fours("eight", 0x41000000, 0x41000000, 0x41000000, 0x41000000), fours("ones", 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000)
	p := asm.Func("samplesAVX2", "func(b *[729]float32, from, step *[4]float32, n int) float32", "b", "from", "step", "n")
	b, n := p[0], p[3]
	from, step, k, sum, zero := XMM(), XMM(), XMM(), XMM(), XMM()
	VMOVUPS(Mem{Base: p[1]}, from)
	VMOVUPS(Mem{Base: p[2]}, step)
	VXORPS(k, k, k)
	VXORPS(sum, sum, sum)
	VXORPS(zero, zero, zero)
	Label("next")
	f, i, x := XMM(), XMM(), XMM()
	VMULPS(step, k, f)
	VADDPS(from, f, f)
	VMAXPS(zero, f, f)
	VMINPS(eight, f, f)
	VCVTTPS2DQ(f, i)
	VPMINSD(seven, i, i)
	VCVTDQ2PS(i, x)
	VSUBPS(x, f, f)
	VPMULLD(strides, i, i)
	VPSHUFD(Imm(0x4e), i, x)
	VPADDD(x, i, i)
	VPSHUFD(Imm(0xb1), i, x)
	VPADDD(x, i, i)
	at := GP64()
	VMOVD(i, at.As32())
	near, far, w := XMM(), XMM(), XMM()
	VMOVSD(Mem{Base: b, Index: at, Scale: 4}, near)
	VMOVHPS(Mem{Base: b, Index: at, Scale: 4, Disp: 4 * strideY}, near, near)
	VMOVSD(Mem{Base: b, Index: at, Scale: 4, Disp: 4 * strideX}, far)
	VMOVHPS(Mem{Base: b, Index: at, Scale: 4, Disp: 4 * (strideX + strideY)}, far, far)
	VSUBPS(near, far, far)
	VSHUFPS(Imm(0), f, f, w)
	VMULPS(w, far, far)
	VADDPS(far, near, near)
	VMOVHLPS(near, near, far)
	VSUBPS(near, far, far)
	VSHUFPS(Imm(0x55), f, f, w)
	VMULPS(w, far, far)
	VADDPS(far, near, near)
	VMOVSHDUP(near, far)
	VSUBSS(near, far, far)
	VSHUFPS(Imm(0xaa), f, f, w)
	VMULSS(w, far, far)
	VADDSS(far, near, near)
	VADDSS(near, sum, sum)
	VADDPS(ones, k, k)
	DECQ(n)
	JNZ(LabelRef("next"))
	Store(sum, ReturnIndex(0))
	RET()
}

// sweepRow writes sweepRowGo.
func sweepRow() {
	p := asm.Func("sweepRowAVX2", "func(now, near, far, sum, sent *[4]float32, left, path *float32, n, step int, w *[4]float32, share float32)",
		"now", "near", "far", "sum", "sent", "left", "path", "n", "step", "w")
	now, near, far, sum, sent, left, path, n, step, w := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]
	share := XMM()
	VBROADCASTSS(asm.Address("share"), share)
	weights := [4]Op{XMM(), XMM(), XMM(), XMM()}
	for k, x := range weights {
		VBROADCASTSS(Mem{Base: w, Disp: 4 * k}, x)
	}
	SHLQ(Imm(2), step)
	wide := GP64()
	MOVQ(step, wide)
	SHLQ(Imm(2), wide)
	Label("cell")
	in, x, light, h := XMM(), XMM(), XMM(), XMM()
	VMULPS(Mem{Base: near}, weights[0], in)
	VMULPS(Mem{Base: near, Disp: 16}, weights[1], x)
	VADDPS(x, in, in)
	VMULPS(Mem{Base: far}, weights[2], x)
	VADDPS(x, in, in)
	VMULPS(Mem{Base: far, Disp: 16}, weights[3], x)
	VADDPS(x, in, in)
	VBROADCASTSS(Mem{Base: path}, light)
	VMULPS(Mem{Base: sent}, light, light)
	VBROADCASTSS(Mem{Base: left}, h)
	VMULPS(in, h, in)
	VADDPS(light, in, in)
	VMULPS(in, share, x)
	VADDPS(Mem{Base: sum}, x, x)
	VMOVUPS(x, Mem{Base: sum})
	VMULPS(in, h, in)
	VADDPS(light, in, in)
	VMOVUPS(in, Mem{Base: now})
	for _, at := range []Op{now, near, far} {
		ADDQ(Imm(16), at)
	}
	for _, at := range []Op{sum, sent} {
		ADDQ(wide, at)
	}
	for _, at := range []Op{left, path} {
		ADDQ(step, at)
	}
	DECQ(n)
	JNZ(LabelRef("cell"))
	RET()
}
