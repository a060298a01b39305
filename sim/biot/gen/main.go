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

// Offsets in a source, in a source with each number in all lanes, and in a group.
const (
	sizeof = 32
	vector = 32

	sourceX  = 0
	sourceS2 = 3 * vector
	sourceA  = 4 * vector
	sourceS3 = 7 * vector
	wide     = 8 * vector

	groupU = 3 * vector
	groupW = 6 * vector
	groupM = 9 * vector
)

var one, minus3 Mem

func main() {
	ConstraintExpr("!noasm")
	one, minus3 = asm.Floats("one", 1), asm.Floats("minus3", -3)
	spread()
	for _, k := range []struct {
		name    string
		factors factors
	}{{"Core", core}, {"Algebraic", algebraic}} {
		sums("velocity"+k.name+"AVX2", k.factors, false)
		sums("gradient"+k.name+"AVX2", k.factors, true)
	}
	Generate()
}

// spread writes each number of n sources to all lanes of a vector.
func spread() {
	p := asm.Func("spreadAVX2", "func(wide, tile *float32, n int)", "wide", "tile", "n")
	to, tile, n := p[0], p[1], p[2]
	Label("source")
	for i := range 8 {
		v := YMM()
		VBROADCASTSS(Mem{Base: tile, Disp: 4 * i}, v)
		VMOVUPS(v, Mem{Base: to, Disp: vector * i})
	}
	ADDQ(Imm(sizeof), tile)
	ADDQ(U32(wide), to)
	DECQ(n)
	JNZ(LabelRef("source"))
	VZEROUPPER()
	RET()
}

// factors writes g, and h if it is wanted, of the square of the distance d2, which it may
// overwrite. source is where a number of the source is in all lanes.
type factors func(d2 reg.VecVirtual, unit Op, source func(offset int) Mem, wantH bool) (g, h reg.VecVirtual)

// rsqrt writes 1/√s for a vector of ones.
func rsqrt(s reg.VecVirtual, unit Op) reg.VecVirtual {
	t := YMM()
	VSQRTPS(s, t)
	o, ok := unit.(reg.VecVirtual)
	if !ok {
		o = YMM()
		VMOVUPS(unit, o)
	}
	VDIVPS(t, o, t)
	return t
}

func core(d2 reg.VecVirtual, unit Op, source func(int) Mem, wantH bool) (g, h reg.VecVirtual) {
	s := YMM()
	VMAXPS(source(sourceS2), d2, s)
	t := rsqrt(s, unit)
	i2, g := YMM(), YMM()
	VMULPS(t, t, i2)
	VMULPS(t, i2, g)
	if wantH {
		h = YMM()
		VMULPS(i2, g, h)
		VMULPS(minus3, h, h)
		VCMPPS(Imm(30), source(sourceS2), d2, d2) // d2 > s2
		VANDPS(d2, h, h)
	}
	return g, h
}

func algebraic(d2 reg.VecVirtual, unit Op, source func(int) Mem, wantH bool) (g, h reg.VecVirtual) {
	s := d2
	VADDPS(source(sourceS2), d2, s)
	t := rsqrt(s, unit)
	p := s
	VADDPS(source(sourceS3), s, p)
	i2, t3, g := YMM(), YMM(), YMM()
	VMULPS(t, t, i2)
	VMULPS(t, i2, t3)
	VMULPS(i2, p, g)
	VMULPS(t3, g, g)
	if wantH {
		h = p
		VADDPS(source(sourceS2), h, h)
		VMULPS(i2, h, h)
		VMULPS(i2, t3, t3)
		VMULPS(t3, h, h)
		VMULPS(minus3, h, h)
	}
	return g, h
}

// sums adds the fields of n particles to the sums at eight points. With gradients sixteen
// registers are too few: those sums that are added to least often, and the points, are in
// memory.
func sums(name string, f factors, gradient bool) {
	TEXT(name, NOSPLIT, "func(group, wide *float32, n int)")
	Pragma("noescape")
	p := asm.Params("group", "wide", "n")
	group, from, n := p[0], p[1], p[2]
	vectorAt := func(offset, i int) Mem { return Mem{Base: group, Disp: offset + vector*i} }
	source := func(offset int) Mem { return Mem{Base: from, Disp: offset} }
	load := func(offset int, v []reg.VecVirtual) {
		for i := range v {
			v[i] = YMM()
			VMOVUPS(vectorAt(offset, i), v[i])
		}
	}
	var u, points [3]reg.VecVirtual
	var m [8]reg.VecVirtual
	unit := Op(one)
	if gradient {
		load(groupM, m[:])
	} else {
		load(groupU, u[:])
		load(0, points[:])
		o := YMM()
		VMOVUPS(one, o)
		unit = o
	}
	Label("source")
	var d [3]reg.VecVirtual
	d2 := YMM()
	for i := range d {
		d[i] = YMM()
		at := points[i]
		if gradient {
			at = d[i]
			VMOVUPS(vectorAt(0, i), at)
		}
		VSUBPS(source(sourceX+vector*i), at, d[i])
		if i == 0 {
			VMULPS(d[i], d[i], d2)
			continue
		}
		t := YMM()
		VMULPS(d[i], d[i], t)
		VADDPS(t, d2, d2)
	}
	g, h := f(d2, unit, source, gradient)
	a := func(i int) Mem { return source(sourceA + vector*i) }
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		c, t := YMM(), YMM()
		VMULPS(a(j), d[k], c)
		VMULPS(a(k), d[j], t)
		VSUBPS(t, c, c)
		VMULPS(g, c, t)
		if !gradient {
			VADDPS(t, u[i], u[i])
			continue
		}
		VADDPS(vectorAt(groupU, i), t, t)
		VMOVUPS(t, vectorAt(groupU, i))
		VMULPS(a(i), g, t)
		VADDPS(vectorAt(groupW, i), t, t)
		VMOVUPS(t, vectorAt(groupW, i))
		VMULPS(h, c, c)
		for j := range 3 {
			if s := 3*i + j; s < len(m) {
				VMULPS(d[j], c, t)
				VADDPS(t, m[s], m[s])
			}
		}
	}
	ADDQ(U32(wide), from)
	DECQ(n)
	JNZ(LabelRef("source"))
	if gradient {
		for i := range m {
			VMOVUPS(m[i], vectorAt(groupM, i))
		}
	} else {
		for i := range u {
			VMOVUPS(u[i], vectorAt(groupU, i))
		}
	}
	VZEROUPPER()
	RET()
}
