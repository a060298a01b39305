// Gen writes the assembly of the motion of tracers and its Go stub, with avo. driftGo defines
// the function.
//
// Constraints on every line here: no fused multiply-add, and the order of operations of the
// twin, so that the bits are the same.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

func main() {
	ConstraintExpr("!noasm")
	p := asm.Func("driftAVX2", "func(x, v, temperature, at, d *float64, n int)", "x", "v", "temperature", "at", "d", "n")
	x, v, temperature, at, d, n := p[0], p[1], p[2], p[3], p[4], p[5]
	setting := func(k int) Mem { return Mem{Base: d, Disp: 32 * k} }
	strides := XMM()
	VMOVUPS(setting(7), strides)
	row, slice := GP64(), GP64()
	for k, r := range []reg.GPVirtual{row, slice} {
		MOVLQSX(Mem{Base: d, Disp: 32*7 + 4*(k+1)}, r)
		SHLQ(Imm(5), r)
	}
	zero, one := YMM(), YMM()
	VXORPD(zero, zero, zero)
	VMOVUPD(setting(4), one)

	Label("tracer")
	place, high := YMM(), XMM()
	VMOVSD(Mem{Base: x, Disp: 16}, high)
	VMOVUPD(Mem{Base: x}, place.AsX())
	VINSERTF128(Imm(1), high, place, place)
	q, f, cell := YMM(), YMM(), XMM()
	VSUBPD(setting(0), place, q)
	VDIVPD(setting(1), q, q)
	VMAXPD(zero, q, f) // 0 where q is not a number
	VMINPD(setting(2), f, f)
	VCVTTPD2DQY(f, cell)
	VCVTDQ2PD(cell, f)
	VSUBPD(f, q, f)
	VMAXPD(zero, f, f)
	VMINPD(one, f, f)

	// The number of the first point around the tracer.
	part, first := XMM(), GP64()
	VPMULLD(strides, cell, cell)
	VPSHUFD(Imm(0x4e), cell, part)
	VPADDD(part, cell, cell)
	VPSHUFD(Imm(0xb1), cell, part)
	VPADDD(part, cell, cell)
	VMOVD(cell, first.As32())
	SHLQ(Imm(5), first)
	ADDQ(at, first)

	// The weights of four points in a slice, and of both slices.
	g, wx, wy, wz := YMM(), YMM(), YMM(), YMM()
	VSUBPD(f, one, g)
	VUNPCKLPD(f, g, wz) // 1−x, x, 1−z, z
	VUNPCKHPD(f, g, wy) // 1−y, y
	VPERMPD(Imm(0x44), wz, wx)
	VPERMPD(Imm(0x50), wy, wy)
	VMULPD(wy, wx, wx)
	u := YMM()
	VXORPD(u, u, u)
	for k := range 2 {
		w := YMM()
		VPERMPD(Imm(uint64(0xaa+0x55*k)), wz, w)
		VMULPD(w, wx, w)
		for c, point := range []Mem{{Base: first}, {Base: first, Disp: 32}, {Base: first, Index: row, Scale: 1}, {Base: first, Index: row, Scale: 1, Disp: 32}} {
			term := YMM()
			VPERMPD(Imm(uint64(0x55*c)), w, term)
			VMULPD(point, term, term)
			VADDPD(term, u, u)
		}
		if k == 0 {
			ADDQ(slice, first)
		}
	}
	VADDPD(setting(3), u, u) // the velocity with the wind, and the density
	density := XMM()
	VEXTRACTF128(Imm(1), u, density)
	VMOVUPD(u.AsX(), Mem{Base: v})
	VMOVSD(density, Mem{Base: v, Disp: 16})
	VMULPD(setting(5), u, u)
	VADDPD(u, place, place)
	VEXTRACTF128(Imm(1), place, high)
	VMOVUPD(place.AsX(), Mem{Base: x})
	VMOVSD(high, Mem{Base: x, Disp: 16})
	least, heat := XMM(), XMM()
	VPERMILPD(Imm(1), density, density)
	VMOVSD(Mem{Base: d, Disp: 32 * 6}, least)
	VMAXSD(density, least, density)
	VMOVSD(Mem{Base: d, Disp: 32*6 + 8}, heat)
	VDIVSD(density, heat, heat)
	VMOVSD(heat, Mem{Base: temperature})
	ADDQ(Imm(24), x)
	ADDQ(Imm(24), v)
	ADDQ(Imm(8), temperature)
	DECQ(n)
	JNZ(LabelRef("tracer"))
	VZEROUPPER()
	RET()
	Generate()
}
