// Gen writes the assembly of the sums over vortex particles and its Go stubs, with avo.
// velocityGo and gradientGo in sums.go define each function.
//
// Constraints on every line here: no fused multiply-add, no estimates, and the order of
// operations of the twin, so that the bits are the same.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

// Offsets in a source, in numbers, and in a group, in vectors.
const (
	sourceX  = 0
	sourceS2 = 3
	sourceA  = 4
	sourceS3 = 7
	source   = 8

	groupU = 3
	groupW = 6
	groupM = 9
	group  = 17

	vector = 64 // bytes of a vector of a group
)

const greater = 30 // of VCMPPS

var one, minus3 Mem

func main() {
	ConstraintExpr("!noasm")
	one, minus3 = asm.Floats("one", 1), asm.Floats("minus3", -3)
	for _, t := range []tier{{"AVX2", YMM, false}, {"AVX512", ZMM, true}} {
		for _, k := range []kernel{{"Core", core}, {"Algebraic", algebraic}} {
			write("velocity"+k.name+t.name, t, k, false)
			write("gradient"+k.name+t.name, t, k, true)
		}
	}
	Generate()
}

// tier is a set of instructions.
type tier struct {
	name   string
	vec    func() reg.VecVirtual
	avx512 bool // 32 registers, masks, and operands that are one number for all lanes
}

// with writes an operation on a number in memory, the same for all lanes, and x.
func (t tier) with(op, broadcast func(...Op), number Mem, x, to reg.VecVirtual) {
	if t.avx512 {
		broadcast(number, x, to)
		return
	}
	v := t.vec()
	VBROADCASTSS(number, v)
	op(v, x, to)
}

func (t tier) add(number Mem, x, to reg.VecVirtual) { t.with(VADDPS, VADDPS_BCST, number, x, to) }
func (t tier) sub(number Mem, x, to reg.VecVirtual) { t.with(VSUBPS, VSUBPS_BCST, number, x, to) }
func (t tier) mul(number Mem, x, to reg.VecVirtual) { t.with(VMULPS, VMULPS_BCST, number, x, to) }
func (t tier) max(number Mem, x, to reg.VecVirtual) { t.with(VMAXPS, VMAXPS_BCST, number, x, to) }

// kernel writes g, and h if it is wanted, of the square of the distance d2, which it may
// overwrite. at is where a number of the source is.
type kernel struct {
	name    string
	factors func(t tier, d2, unit reg.VecVirtual, at func(int) Mem, wantH bool) (g, h reg.VecVirtual)
}

// rsqrt writes 1/√s. unit is a vector of ones, if a register holds it.
func (t tier) rsqrt(s, unit reg.VecVirtual) reg.VecVirtual {
	r := t.vec()
	VSQRTPS(s, r)
	if unit == nil {
		unit = t.vec()
		VBROADCASTSS(one, unit)
	}
	VDIVPS(r, unit, r)
	return r
}

func core(t tier, d2, unit reg.VecVirtual, at func(int) Mem, wantH bool) (g, h reg.VecVirtual) {
	s := t.vec()
	t.max(at(sourceS2), d2, s)
	r := t.rsqrt(s, unit)
	i2, g := t.vec(), t.vec()
	VMULPS(r, r, i2)
	VMULPS(r, i2, g)
	if wantH {
		h = t.vec()
		VMULPS(i2, g, h)
		if t.avx512 {
			far := K()
			VCMPPS_BCST(Imm(greater), at(sourceS2), d2, far)
			VMULPS_BCST_Z(minus3, h, far, h)
		} else {
			VBROADCASTSS(at(sourceS2), s)
			VCMPPS(Imm(greater), s, d2, d2)
			t.mul(minus3, h, h)
			VANDPS(d2, h, h)
		}
	}
	return g, h
}

func algebraic(t tier, d2, unit reg.VecVirtual, at func(int) Mem, wantH bool) (g, h reg.VecVirtual) {
	s := d2
	t.add(at(sourceS2), d2, s)
	r := t.rsqrt(s, unit)
	p := s
	t.add(at(sourceS3), s, p)
	i2, r3, g := t.vec(), t.vec(), t.vec()
	VMULPS(r, r, i2)
	VMULPS(r, i2, r3)
	VMULPS(i2, p, g)
	VMULPS(r3, g, g)
	if wantH {
		h = p
		t.add(at(sourceS2), h, h)
		VMULPS(i2, h, h)
		VMULPS(i2, r3, r3)
		VMULPS(r3, h, h)
		t.mul(minus3, h, h)
	}
	return g, h
}

// write writes the function that adds the fields of n particles to the sums at as many
// points as a register has lanes. Sixteen registers are too few for the gradient: the
// points and some of the sums are in memory.
func write(name string, t tier, k kernel, gradient bool) {
	TEXT(name, NOSPLIT, "func(points, tile *float32, n int)")
	Pragma("noescape")
	p := asm.Params("points", "tile", "n")
	to, from, n := p[0], p[1], p[2]
	vectorAt := func(i int) Mem { return Mem{Base: to, Disp: vector * i} }
	at := func(i int) Mem { return Mem{Base: from, Disp: 4 * i} }
	lo, hi := 0, groupW // vectors of the group in registers
	if gradient {
		hi = group
		if !t.avx512 {
			lo = groupM
		}
	}
	held := map[int]reg.VecVirtual{}
	for i := lo; i < hi; i++ {
		held[i] = t.vec()
		VMOVUPS(vectorAt(i), held[i])
	}
	var unit reg.VecVirtual
	if lo == 0 {
		unit = t.vec()
		VBROADCASTSS(one, unit)
	}
	add := func(i int, v reg.VecVirtual) {
		if held[i] != nil {
			VADDPS(v, held[i], held[i])
			return
		}
		VADDPS(vectorAt(i), v, v)
		VMOVUPS(v, vectorAt(i))
	}
	Label("source")
	var d [3]reg.VecVirtual
	d2 := t.vec()
	for i := range d {
		d[i] = t.vec()
		x := held[i]
		if x == nil {
			x = d[i]
			VMOVUPS(vectorAt(i), x)
		}
		t.sub(at(sourceX+i), x, d[i])
		if i == 0 {
			VMULPS(d[i], d[i], d2)
			continue
		}
		v := t.vec()
		VMULPS(d[i], d[i], v)
		VADDPS(v, d2, d2)
	}
	g, h := k.factors(t, d2, unit, at, gradient)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		c, v := t.vec(), t.vec()
		t.mul(at(sourceA+j), d[k], c)
		t.mul(at(sourceA+k), d[j], v)
		VSUBPS(v, c, c)
		VMULPS(g, c, v)
		add(groupU+i, v)
		if !gradient {
			continue
		}
		t.mul(at(sourceA+i), g, v)
		add(groupW+i, v)
		VMULPS(h, c, c)
		for j := range 3 {
			if s := groupM + 3*i + j; s < group {
				VMULPS(d[j], c, v)
				add(s, v)
			}
		}
	}
	ADDQ(Imm(4*source), from)
	DECQ(n)
	JNZ(LabelRef("source"))
	for i := max(lo, groupU); i < hi; i++ {
		VMOVUPS(held[i], vectorAt(i))
	}
	VZEROUPPER()
	RET()
}
