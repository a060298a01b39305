// Gen writes the assembly of package h264 and its Go stubs, with avo. The plain Go
// twins, whose names end in Go, define what each function computes; the bits are the
// same.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	lowWord = words("lowWord", 1, 0)
	sad()
	ssd()
	satd16()
	satd8()
	satd4()
	mean()
	between()
	chroma()
	transform()
	rebuild()
	Generate()
}

// lowWord keeps the lower half of 32 bits.
var lowWord Mem

// row returns the address of row 0 … 3 of a block, given its first sample, the stride and
// three times the stride.
func row(i int, p, stride, stride3 reg.Register) Mem {
	switch i {
	case 0:
		return Mem{Base: p}
	case 3:
		return Mem{Base: p, Index: stride3, Scale: 1}
	}
	return Mem{Base: p, Index: stride, Scale: uint8(i)}
}

// thrice returns three times a stride.
func thrice(stride reg.Register) reg.Register {
	t := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, t)
	return t
}

// words fills a constant with 16-bit values, repeated to 32 bytes.
func words(name string, v ...int16) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 16 {
		DATA(2*i, U16(uint16(v[i%len(v)])))
	}
	return m
}

// bytes fills a constant with bytes, repeated to 32 of them.
func bytes(name string, v ...uint8) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 32 {
		DATA(i, U8(v[i%len(v)]))
	}
	return m
}

// total returns the sum of the 32-bit numbers of v.
func total(v reg.VecVirtual) reg.Register {
	h, sum := XMM(), GP64()
	VEXTRACTI128(Imm(1), v, h)
	VPADDD(v.AsX(), h, h)
	VPSHUFD(Imm(0x4e), h, v.AsX())
	VPADDD(v.AsX(), h, h)
	VPSHUFD(Imm(0xb1), h, v.AsX())
	VPADDD(v.AsX(), h, h)
	VMOVD(h, sum.As32()) // and clears the rest
	return sum
}

// result ends a function that returns v.
func result(v reg.Register) {
	VZEROUPPER()
	Store(v, ReturnIndex(0))
	RET()
}
