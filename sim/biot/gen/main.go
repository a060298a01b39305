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

// Offsets in a source, and in a group in vectors.
const (
	sourceX  = 0
	sourceS2 = 12
	sourceA  = 16
	sourceS3 = 28
	sizeof   = 32

	vector = 32
	groupU = 3 * vector
	groupW = 6 * vector
	groupM = 9 * vector
)

var one, minus3 Mem

func main() {
	ConstraintExpr("!noasm")
	one, minus3 = asm.Floats("one", 1), asm.Floats("minus3", -3)
	for _, k := range []struct {
		name    string
		factors factors
	}{{"Core", core}, {"Algebraic", algebraic}} {
		sums("velocity"+k.name+"AVX2", k.factors, false)
		sums("gradient"+k.name+"AVX2", k.factors, true)
	}
	Generate()
}

// factors writes g, and h if it is wanted, of the square of the distance d2, which it may
// overwrite. broadcast returns a number of the source.
type factors func(d2 reg.VecVirtual, broadcast func(offset int) reg.VecVirtual, wantH bool) (g, h reg.VecVirtual)

// rsqrt writes 1/√s.
func rsqrt(s reg.VecVirtual) reg.VecVirtual {
	t, o := YMM(), YMM()
	VSQRTPS(s, t)
	VMOVUPS(one, o)
	VDIVPS(t, o, t)
	return t
}

func core(d2 reg.VecVirtual, broadcast func(int) reg.VecVirtual, wantH bool) (g, h reg.VecVirtual) {
	s2, s := broadcast(sourceS2), YMM()
	VMAXPS(s2, d2, s)
	t := rsqrt(s)
	i2, g := YMM(), YMM()
	VMULPS(t, t, i2)
	VMULPS(t, i2, g)
	if wantH {
		h = YMM()
		VMULPS(i2, g, h)
		VMULPS(minus3, h, h)
		VCMPPS(Imm(17), d2, s2, s2) // s2 < d2
		VANDPS(s2, h, h)
	}
	return g, h
}

func algebraic(d2 reg.VecVirtual, broadcast func(int) reg.VecVirtual, wantH bool) (g, h reg.VecVirtual) {
	s2 := broadcast(sourceS2)
	s := d2
	VADDPS(s2, d2, s)
	t := rsqrt(s)
	p := broadcast(sourceS3)
	VADDPS(s, p, p)
	i2, t3, g := YMM(), YMM(), YMM()
	VMULPS(t, t, i2)
	VMULPS(t, i2, t3)
	VMULPS(i2, p, g)
	VMULPS(t3, g, g)
	if wantH {
		h = p
		VADDPS(s2, h, h)
		VMULPS(i2, h, h)
		VMULPS(i2, t3, t3)
		VMULPS(t3, h, h)
		VMULPS(minus3, h, h)
	}
	return g, h
}

// sums writes the sums over n particles at eight points. The points and the sums of h are
// in memory, because sixteen registers are too few.
func sums(name string, f factors, gradient bool) {
	TEXT(name, NOSPLIT, "func(group, tile *float32, n int)")
	Pragma("noescape")
	p := asm.Params("group", "tile", "n")
	group, tile, n := p[0], p[1], p[2]
	vectorAt := func(offset, i int) Mem { return Mem{Base: group, Disp: offset + vector*i} }
	broadcast := func(offset int) reg.VecVirtual {
		v := YMM()
		VBROADCASTSS(Mem{Base: tile, Disp: offset}, v)
		return v
	}
	var u, w [3]reg.VecVirtual
	for i := range u {
		u[i] = YMM()
		VXORPS(u[i], u[i], u[i])
		if gradient {
			w[i] = YMM()
			VXORPS(w[i], w[i], w[i])
		}
	}
	if gradient {
		for i := range 8 {
			VMOVUPS(u[0], vectorAt(groupM, i))
		}
	}
	Label("source")
	var d [3]reg.VecVirtual
	d2, t := YMM(), YMM()
	for i := range d {
		d[i] = YMM()
		VMOVUPS(vectorAt(0, i), d[i])
		VSUBPS(broadcast(sourceX+4*i), d[i], d[i])
		if i == 0 {
			VMULPS(d[i], d[i], d2)
			continue
		}
		VMULPS(d[i], d[i], t)
		VADDPS(t, d2, d2)
	}
	g, h := f(d2, broadcast, gradient)
	var a [3]reg.VecVirtual
	for i := range a {
		a[i] = broadcast(sourceA + 4*i)
	}
	for i := range a {
		j, k := (i+1)%3, (i+2)%3
		c, t := YMM(), YMM()
		VMULPS(d[k], a[j], c)
		VMULPS(d[j], a[k], t)
		VSUBPS(t, c, c)
		VMULPS(g, c, t)
		VADDPS(t, u[i], u[i])
		if !gradient {
			continue
		}
		VMULPS(g, a[i], t)
		VADDPS(t, w[i], w[i])
		VMULPS(h, c, c)
		for j := range 3 {
			if i == 2 && j == 2 {
				break
			}
			VMULPS(d[j], c, t)
			VADDPS(vectorAt(groupM, 3*i+j), t, t)
			VMOVUPS(t, vectorAt(groupM, 3*i+j))
		}
	}
	ADDQ(Imm(sizeof), tile)
	DECQ(n)
	JNZ(LabelRef("source"))
	for i := range u {
		VMOVUPS(u[i], vectorAt(groupU, i))
		if gradient {
			VMOVUPS(w[i], vectorAt(groupW, i))
		}
	}
	VZEROUPPER()
	RET()
}
