// Gen writes the assembly of the loops over nodes and its Go stubs, with avo. The functions
// whose names end in Go, in kernels.go, define each function.
//
// Constraints on every line here: no fused multiply-add, and the order of operations of the
// twin, so that the bits are the same.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
	"breakwater/sim/num"
)

const reach = 4

func main() {
	ConstraintExpr("!noasm")
	deposit()
	fetch()
	stretch()
	fineCurl()
	diffuse()
	diffuseMass()
	Generate()
}

// rows calls f for the rows of four nodes that a particle meets, with their weights. The
// pointer moves from plane to plane.
func rows(first, weights, row, plane reg.Register, f func(c int, at, weight Mem)) {
	SHLQ(Imm(2), row)
	SHLQ(Imm(2), plane)
	row3 := GP64()
	LEAQ(Mem{Base: row, Index: row, Scale: 2}, row3)
	for c := range reach {
		for b := range reach {
			at := Mem{Base: first, Index: row, Scale: uint8(max(1, b))}
			switch b {
			case 0:
				at = Mem{Base: first}
			case 3:
				at.Index, at.Scale = row3, 1
			}
			f(c, at, Mem{Base: weights, Disp: 4 * (reach + reach*c + b)})
		}
		if c < reach-1 {
			ADDQ(plane, first)
		}
	}
}

func deposit() {
	TEXT("depositAVX2", NOSPLIT, "func(to *float32, w *[20]float32, row, plane int, v float32)")
	Pragma("noescape")
	p := asm.Params("to", "w", "row", "plane")
	v, x := XMM(), XMM()
	VMOVSS(asm.Address("v"), v)
	VMOVUPS(Mem{Base: p[1]}, x)
	rows(p[0], p[1], p[2], p[3], func(_ int, at, weight Mem) {
		g := XMM()
		VMULSS(weight, v, g)
		VSHUFPS(Imm(0), g, g, g)
		VMULPS(x, g, g)
		VADDPS(at, g, g)
		VMOVUPS(g, at)
	})
	RET()
}

func fetch() {
	TEXT("fetchAVX2", NOSPLIT, "func(from *float32, w *[20]float32, row, plane int) float32")
	Pragma("noescape")
	p := asm.Params("from", "w", "row", "plane")
	var sum [reach]reg.VecVirtual
	rows(p[0], p[1], p[2], p[3], func(c int, at, weight Mem) {
		g := XMM()
		VBROADCASTSS(weight, g)
		VMULPS(at, g, g)
		if sum[c] == nil {
			sum[c] = g
			return
		}
		VADDPS(g, sum[c], sum[c])
	})
	VADDPS(sum[1], sum[0], sum[0])
	VADDPS(sum[3], sum[2], sum[2])
	VADDPS(sum[2], sum[0], sum[0])
	VMULPS(Mem{Base: p[1]}, sum[0], sum[0])
	VMOVHLPS(sum[0], sum[0], sum[1])
	VADDPS(sum[1], sum[0], sum[0])
	VMOVSHDUP(sum[0], sum[1])
	VADDSS(sum[1], sum[0], sum[0])
	Store(sum[0], ReturnIndex(0))
	RET()
}

// stretch writes stretchGo for whole vectors.
func stretch() {
	near, far := asm.Floats("near", 2./3), asm.Floats("far", 1./12)
	p := asm.Func("stretchAVX2", "func(rate, w, u *[3]*float32, steps *[3]int, n int, scale float32)", "steps", "n")
	steps, n := p[0], p[1]
	scale := YMM()
	VBROADCASTSS(asm.Address("scale"), scale)
	list := func(name string) (a [3]reg.Register) {
		base := Load(Param(name), GP64())
		for c := range a {
			a[c] = GP64()
			MOVQ(Mem{Base: base, Disp: 8 * c}, a[c])
		}
		return a
	}
	w, u := list("w"), list("u")
	i, d, e := GP64(), GP64(), GP64()
	XORQ(i, i)
	Label("vectors")
	var sum [3]reg.VecVirtual
	for c := range sum {
		sum[c] = YMM()
		VXORPS(sum[c], sum[c], sum[c])
	}
	for a := range 3 {
		MOVQ(Mem{Base: steps, Disp: 8 * a}, d)
		// The index e goes through the neighbours one and two steps after the node, then before it.
		var x [4]reg.VecVirtual
		for k := range x {
			x[k] = YMM()
		}
		neighbours := func(f func(k int, index reg.Register)) {
			MOVQ(d, e)
			ADDQ(i, e)
			f(0, e)
			ADDQ(d, e)
			f(1, e)
			MOVQ(i, e)
			SUBQ(d, e)
			f(2, e)
			SUBQ(d, e)
			f(3, e)
		}
		neighbours(func(k int, index reg.Register) {
			VMOVUPS(Mem{Base: w[a], Index: index, Scale: 4}, x[k])
		})
		for c := range 3 {
			var t [4]reg.VecVirtual
			neighbours(func(k int, index reg.Register) {
				t[k] = YMM()
				VMULPS(Mem{Base: u[c], Index: index, Scale: 4}, x[k], t[k])
			})
			VSUBPS(t[2], t[0], t[0])
			VSUBPS(t[3], t[1], t[1])
			VMULPS(near, t[0], t[0])
			VMULPS(far, t[1], t[1])
			VSUBPS(t[1], t[0], t[0])
			VADDPS(t[0], sum[c], sum[c])
		}
	}
	to := GP64()
	for c := range sum {
		MOVQ(asm.Address("rate"), to)
		MOVQ(Mem{Base: to, Disp: 8 * c}, to)
		VMULPS(scale, sum[c], sum[c])
		VMOVUPS(sum[c], Mem{Base: to, Index: i, Scale: 4})
	}
	ADDQ(Imm(8), i)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("vectors"))
	VZEROUPPER()
	RET()
}

// fineCurl writes fineCurlGo for whole vectors.
func fineCurl() {
	p := asm.Func("fineCurlAVX2", "func(to, a, b *float32, stepA, stepB, n int, scale float32)", "to", "a", "b", "stepA", "stepB", "n")
	n := p[5]
	var weights [len(num.Central10)]Mem
	for k, w := range num.Central10 {
		weights[k] = asm.Floats(fmt.Sprintf("fine%d", k+1), float32(w))
	}
	scale := YMM()
	VBROADCASTSS(asm.Address("scale"), scale)
	i, after, before := GP64(), GP64(), GP64()
	XORQ(i, i)
	Label("rows")
	var sum [2]reg.VecVirtual
	for f := range sum {
		from, step := p[1+f], p[3+f]
		sum[f] = YMM()
		VXORPS(sum[f], sum[f], sum[f])
		MOVQ(i, after)
		MOVQ(i, before)
		for _, w := range weights {
			ADDQ(step, after)
			SUBQ(step, before)
			t := YMM()
			VMOVUPS(Mem{Base: from, Index: after, Scale: 4}, t)
			VSUBPS(Mem{Base: from, Index: before, Scale: 4}, t, t)
			VMULPS(w, t, t)
			VADDPS(t, sum[f], sum[f])
		}
	}
	VSUBPS(sum[1], sum[0], sum[0])
	VMULPS(scale, sum[0], sum[0])
	VMOVUPS(sum[0], Mem{Base: p[0], Index: i, Scale: 4})
	ADDQ(Imm(8), i)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// neighbours calls f with the index of each neighbour along the three axes: those up to far steps after
// node i, then those before it. steps are the distances of the nearest.
func neighbours(i, steps reg.Register, far int, f func(axis, distance int, after bool, index reg.Register), done func(axis int)) {
	d, e := GP64(), GP64()
	for a := range 3 {
		MOVQ(Mem{Base: steps, Disp: 8 * a}, d)
		for _, after := range []bool{true, false} {
			MOVQ(i, e)
			for k := range far {
				if after {
					ADDQ(d, e)
				} else {
					SUBQ(d, e)
				}
				f(a, k, after, e)
			}
		}
		done(a)
	}
}

// accumulate adds a vector to the numbers of rate from i on, and returns after the last of n; else it jumps to the
// label of the next vector.
func accumulate(rate, i, n reg.Register, sum reg.VecVirtual, next string) {
	to := Mem{Base: rate, Index: i, Scale: 4}
	VADDPS(to, sum, sum)
	VMOVUPS(sum, to)
	ADDQ(Imm(8), i)
	SUBQ(Imm(8), n)
	JNZ(LabelRef(next))
	VZEROUPPER()
	RET()
}

// diffuse writes diffuseGo for whole vectors.
func diffuse() {
	here, near, far := asm.Floats("diffuseHere", -7.5), asm.Floats("diffuseNear", 4./3), asm.Floats("diffuseFar", 1./12)
	p := asm.Func("diffuseAVX2", "func(rate, f *float32, steps *[3]int, n int, scale float32)", "rate", "f", "steps", "n")
	rate, from, steps, n := p[0], p[1], p[2], p[3]
	scale, sum := YMM(), YMM()
	VBROADCASTSS(asm.Address("scale"), scale)
	i := GP64()
	XORQ(i, i)
	Label("nodes")
	VMOVUPS(Mem{Base: from, Index: i, Scale: 4}, sum)
	VMULPS(here, sum, sum)
	var x [2]reg.VecVirtual // sums of the neighbours one and two steps away
	neighbours(i, steps, 2, func(_, k int, after bool, index reg.Register) {
		at := Mem{Base: from, Index: index, Scale: 4}
		if after {
			x[k] = YMM()
			VMOVUPS(at, x[k])
		} else {
			VADDPS(at, x[k], x[k])
		}
	}, func(int) {
		VMULPS(near, x[0], x[0])
		VMULPS(far, x[1], x[1])
		VSUBPS(x[1], x[0], x[0])
		VADDPS(x[0], sum, sum)
	})
	VMULPS(scale, sum, sum)
	accumulate(rate, i, n, sum, "nodes")
}

// diffuseMass writes diffuseMassGo for whole vectors.
func diffuseMass() {
	p := asm.Func("diffuseMassAVX2", "func(rate, f, rho *float32, steps *[3]int, n int, scale float32)", "rate", "f", "rho", "steps", "n")
	rate, from, rho, steps, n := p[0], p[1], p[2], p[3], p[4]
	scale, sum, here, dense := YMM(), YMM(), YMM(), YMM()
	VBROADCASTSS(asm.Address("scale"), scale)
	i := GP64()
	XORQ(i, i)
	Label("massNodes")
	VMOVUPS(Mem{Base: from, Index: i, Scale: 4}, here)
	VMOVUPS(Mem{Base: rho, Index: i, Scale: 4}, dense)
	VXORPS(sum, sum, sum)
	var both reg.VecVirtual // the flows from the neighbours after and before
	neighbours(i, steps, 1, func(_, _ int, after bool, index reg.Register) {
		weight, flow := YMM(), YMM()
		VADDPS(Mem{Base: rho, Index: index, Scale: 4}, dense, weight)
		VMOVUPS(Mem{Base: from, Index: index, Scale: 4}, flow)
		VSUBPS(here, flow, flow)
		VMULPS(weight, flow, flow)
		if after {
			both = flow
		} else {
			VADDPS(flow, both, both)
		}
	}, func(int) { VADDPS(both, sum, sum) })
	VMULPS(scale, sum, sum)
	VDIVPS(dense, sum, sum)
	accumulate(rate, i, n, sum, "massNodes")
}
