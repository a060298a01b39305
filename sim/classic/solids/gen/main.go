// Gen writes the assembly of the search for particles near solids and its Go stub, with avo.
// nearGo defines the function.
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
	p := asm.Func("nearAVX2", "func(list *int32, x, zones *float64, groups, n int) int", "list", "x", "zones", "groups", "n")
	list, x, zones, groups, n := p[0], p[1], p[2], p[3], p[4]
	i, found := GP64(), GP64()
	XORQ(i, i)
	XORQ(found, found)
	place := [3]Op{YMM(), YMM(), YMM()}

	Label("particle")
	for a := range place {
		VBROADCASTSD(Mem{Base: x, Disp: 8 * a}, place[a])
	}
	inside, group, left := YMM(), GP64(), GP64()
	VXORPD(inside, inside, inside)
	MOVQ(zones, group)
	MOVQ(groups, left)
	Label("group")
	square, d := YMM(), YMM()
	for a := range place {
		to := d
		if a == 0 {
			to = square
		}
		VSUBPD(Mem{Base: group, Disp: 32 * a}, place[a], to)
		VMULPD(to, to, to)
		if a > 0 {
			VADDPD(d, square, square)
		}
	}
	VXORPD(Mem{Base: group, Disp: 32 * 4}, square, square)
	VCMPPD(Imm(0x11), Mem{Base: group, Disp: 32 * 3}, square, square)
	VORPD(square, inside, inside)
	ADDQ(Imm(32*5), group)
	DECQ(left)
	JNZ(LabelRef("group"))

	holds := GP32()
	MOVL(i.As32(), Mem{Base: list, Index: found, Scale: 4})
	VMOVMSKPD(inside, holds)
	NEGL(holds) // the carry is set unless it is 0
	ADCQ(Imm(0), found)
	ADDQ(Imm(24), x)
	INCQ(i)
	CMPQ(i, n)
	JLT(LabelRef("particle"))
	VZEROUPPER()
	Store(found, ReturnIndex(0))
	RET()
	Generate()
}
