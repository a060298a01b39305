// Gen writes the assembly of the mean of the light at nodes and its Go stub, with avo. mixGo
// defines the function.
//
// Constraints on every line here: no fused multiply-add, and the order of operations of the
// twin, so that the bits are the same.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"breakwater/sim/asm"
)

func main() {
	ConstraintExpr("!noasm")
	one := asm.Floats("one", 1)
	p := asm.Func("mixAVX2", "func(to, of *float32, at *[8]int32, w *[8]float32)", "to", "of", "at", "w")
	to, of, at, w := p[0], p[1], p[2], p[3]
	low, high, all := YMM(), XMM(), XMM()
	VXORPS(low, low, low)
	VXORPS(high, high, high)
	VXORPS(all, all, all)
	skips := [8]string{"skip0", "skip1", "skip2", "skip3", "skip4", "skip5", "skip6", "skip7"}
	for k, skip := range skips {
		n, part, rest := GP64(), YMM(), XMM()
		MOVLQSX(Mem{Base: at, Disp: 4 * k}, n)
		TESTQ(n, n)
		JLT(LabelRef(skip))
		LEAQ(Mem{Base: n, Index: n, Scale: 2}, n)
		SHLQ(Imm(4), n) // 48 bytes for each node
		VBROADCASTSS(Mem{Base: w, Disp: 4 * k}, part)
		VADDSS(part.AsX(), all, all)
		VMULPS(Mem{Base: of, Index: n, Scale: 1, Disp: 32}, part.AsX(), rest)
		VADDPS(rest, high, high)
		VMULPS(Mem{Base: of, Index: n, Scale: 1}, part, part)
		VADDPS(part, low, low)
		Label(skip)
	}
	zero, share := XMM(), YMM()
	VXORPS(zero, zero, zero)
	VUCOMISS(zero, all)
	JLS(LabelRef("done"))
	VMOVSS(one, share.AsX())
	VDIVSS(all, share.AsX(), share.AsX())
	VBROADCASTSS(share.AsX(), share)
	VMULPS(share, low, low)
	VMULPS(share.AsX(), high, high)
	Label("done")
	VMOVUPS(low, Mem{Base: to})
	VMOVUPS(high, Mem{Base: to, Disp: 32})
	VZEROUPPER()
	RET()
	Generate()
}
