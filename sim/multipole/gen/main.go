// Gen writes the assembly of the maps between expansions and its Go stubs, with avo.
// applyGo in apply.go defines it.
//
// Constraints on every line here: no fused multiply-add, and the order of additions of the
// twin, so that the bits are the same.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

func main() {
	ConstraintExpr("!noasm")
	apply(2)
	apply(3)
	Generate()
}

// apply writes the map of so many vectors of rows, for the three components. All sums stay
// in registers, which is why there are no more rows.
func apply(rows int) {
	TEXT(fmt.Sprintf("apply%dAVX2", rows), NOSPLIT, "func(into, from, m *float32, n, stride int)")
	Pragma("noescape")
	p := asm.Params("into", "from", "m", "n", "stride")
	into, from, m, n, stride := p[0], p[1], p[2], p[3], p[4]
	SHLQ(Imm(2), stride)
	at := func(base reg.Register, c, r int) Mem {
		a := Mem{Base: base, Disp: 32 * r}
		if c > 0 {
			a.Index, a.Scale = stride, uint8(c)
		}
		return a
	}
	var sum [3][3]reg.VecVirtual
	for c := range 3 {
		for r := range rows {
			sum[c][r] = YMM()
			VMOVUPS(at(into, c, r), sum[c][r])
		}
	}
	Label("column")
	var x [3]reg.VecVirtual
	for c := range x {
		x[c] = YMM()
		VBROADCASTSS(at(from, c, 0), x[c])
	}
	for r := range rows {
		v, t := YMM(), YMM()
		VMOVUPS(at(m, 0, r), v)
		for c := range x {
			VMULPS(v, x[c], t)
			VADDPS(t, sum[c][r], sum[c][r])
		}
	}
	ADDQ(Imm(4), from)
	ADDQ(stride, m)
	DECQ(n)
	JNZ(LabelRef("column"))
	for c := range 3 {
		for r := range rows {
			VMOVUPS(sum[c][r], at(into, c, r))
		}
	}
	VZEROUPPER()
	RET()
}
