// Package asm holds the shared code of the assembly generators: constants in memory and
// the parameters of the function under construction.
package asm

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Floats returns a constant of eight times v.
func Floats(name string, v float32) Mem { return Dwords(name, int32(math.Float32bits(v))) }

// Dwords returns a constant of 32-bit values, repeated to 32 bytes.
func Dwords(name string, v ...int32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32(uint32(v[i%len(v)])))
	}
	return m
}

// Func starts a function that keeps nothing of its pointers, and loads the named
// parameters.
func Func(name, signature string, params ...string) []reg.Register {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	return Params(params...)
}

// Params loads the named parameters.
func Params(names ...string) []reg.Register {
	regs := make([]reg.Register, len(names))
	for i, name := range names {
		regs[i] = Load(Param(name), GP64())
	}
	return regs
}

// Address returns where the named parameter lies.
func Address(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// Fold adds the eight numbers of a in the order of num.Fold and leaves the sum in the
// lowest number of h. It uses h2 as scratch space.
func Fold(a, h, h2 reg.VecVirtual) {
	VEXTRACTF128(Imm(1), a, h)
	VADDPS(h, a.AsX(), h)
	VMOVHLPS(h, h, h2)
	VADDPS(h2, h, h)
	VMOVSHDUP(h, h2)
	VADDSS(h2, h, h)
}
