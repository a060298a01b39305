// Gen writes the assembly of the Fourier transforms and its Go stubs, with avo. The methods
// of pass in plan.go and the functions in mix.go define each function.
//
// Constraints on every line here: no fused multiply-add, and the order of operations of the
// twin, so that the bits are the same.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

const vector = 32 // bytes

func main() {
	ConstraintExpr("!noasm")
	pass("two", 2, two)
	half, root := asm.Floats("half", 0.5), asm.Floats("root", float32(math.Sqrt(3)/2))
	pass("three", 3, func(x *numbers) { three(x, half, root) })
	pass("four", 4, four)
	var cos, sin [3]Mem
	for i := 1; i < 3; i++ {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 5)
		cos[i], sin[i] = asm.Floats(fmt.Sprint("cos", i), float32(c)), asm.Floats(fmt.Sprint("sin", i), float32(s))
	}
	pass("five", 5, func(x *numbers) { five(x, cos, sin) })
	transpose()
	split()
	join()
	curl("curlAVX2", false)
	curl("curlDivergenceAVX2", true)
	Generate()
}

// complexVector is eight complex numbers.
type complexVector struct{ re, im reg.VecVirtual }

func newVector() complexVector { return complexVector{YMM(), YMM()} }

func (a complexVector) add(b complexVector) complexVector {
	c := newVector()
	VADDPS(b.re, a.re, c.re)
	VADDPS(b.im, a.im, c.im)
	return c
}

func (a complexVector) sub(b complexVector) complexVector {
	c := newVector()
	VSUBPS(b.re, a.re, c.re)
	VSUBPS(b.im, a.im, c.im)
	return c
}

func (a complexVector) scale(m Op) complexVector {
	c := newVector()
	VMULPS(m, a.re, c.re)
	VMULPS(m, a.im, c.im)
	return c
}

// numbers are the numbers of a butterfly in memory.
type numbers struct {
	from, to [2]reg.GPVirtual // real and imaginary parts of the first
	in, out  [4]reg.GPVirtual // distances of the others by their number: 1, 3
	w        reg.GPVirtual
}

func at(base reg.GPVirtual, by [4]reg.GPVirtual, j int) Mem {
	switch j {
	case 0:
		return Mem{Base: base}
	case 1, 2, 4:
		return Mem{Base: base, Index: by[1], Scale: uint8(j)}
	default:
		return Mem{Base: base, Index: by[3], Scale: 1}
	}
}

func (x *numbers) load(j int) complexVector {
	v := newVector()
	VMOVUPS(at(x.from[0], x.in, j), v.re)
	VMOVUPS(at(x.from[1], x.in, j), v.im)
	return v
}

// store writes number j of the result.
func (x *numbers) store(j int, v complexVector) {
	VMOVUPS(v.re, at(x.to[0], x.out, j))
	VMOVUPS(v.im, at(x.to[1], x.out, j))
}

// turn writes number j of the result after its multiplication by a factor of the group.
func (x *numbers) turn(j int, v complexVector) {
	c, s := YMM(), YMM()
	VBROADCASTSS(Mem{Base: x.w, Disp: 8 * (j - 1)}, c)
	VBROADCASTSS(Mem{Base: x.w, Disp: 8*(j-1) + 4}, s)
	re, im, t := YMM(), YMM(), YMM()
	VMULPS(c, v.re, re)
	VMULPS(s, v.im, t)
	VSUBPS(t, re, re)
	VMULPS(s, v.re, im)
	VMULPS(c, v.im, t)
	VADDPS(t, im, im)
	x.store(j, complexVector{re, im})
}

// pass writes a pass of Stockham's algorithm: for each group, butterflies of vectors.
func pass(name string, radix int, butterfly func(x *numbers)) {
	TEXT(name+"AVX2", NOSPLIT, "func(re, im, toRe, toIm, w *float32, m, s int)")
	Pragma("noescape")
	gp := func(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
	x := &numbers{w: gp("w")}
	x.from[0], x.from[1], x.to[0], x.to[1] = gp("re"), gp("im"), gp("toRe"), gp("toIm")
	m := gp("m")
	x.out[1] = gp("s")
	SHLQ(Imm(2), x.out[1]) // bytes of a group
	x.in[1] = GP64()
	MOVQ(m, x.in[1])
	IMULQ(x.out[1], x.in[1])
	for _, by := range []*[4]reg.GPVirtual{&x.in, &x.out} {
		if radix > 3 {
			by[3] = GP64()
			LEAQ(Mem{Base: by[1], Index: by[1], Scale: 2}, by[3])
		}
	}
	k := GP64()
	Label("group")
	MOVQ(x.out[1], k)
	Label("vectors")
	butterfly(x)
	for _, p := range []reg.GPVirtual{x.from[0], x.from[1], x.to[0], x.to[1]} {
		ADDQ(Imm(vector), p)
	}
	SUBQ(Imm(vector), k)
	JNZ(LabelRef("vectors"))
	for range radix - 1 {
		ADDQ(x.out[1], x.to[0])
		ADDQ(x.out[1], x.to[1])
	}
	ADDQ(Imm(uint64(8*(radix-1))), x.w)
	DECQ(m)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

func two(x *numbers) {
	a, b := x.load(0), x.load(1)
	d := a.sub(b)
	x.store(0, a.add(b))
	x.turn(1, d)
}

func three(x *numbers, half, root Mem) {
	a, b, c := x.load(0), x.load(1), x.load(2)
	s, d := b.add(c), b.sub(c)
	e := d.scale(root)
	h := a.sub(s.scale(half))
	x.store(0, a.add(s))
	plus, minus := h.turns(e)
	x.turn(1, plus)
	x.turn(2, minus)
}

// turns returns a − ib and a + ib.
func (a complexVector) turns(b complexVector) (minus, plus complexVector) {
	minus, plus = newVector(), newVector()
	VADDPS(b.im, a.re, minus.re)
	VSUBPS(b.re, a.im, minus.im)
	VSUBPS(b.im, a.re, plus.re)
	VADDPS(b.re, a.im, plus.im)
	return minus, plus
}

func four(x *numbers) {
	a, c := x.load(0), x.load(2)
	e, f := a.add(c), a.sub(c)
	b, d := x.load(1), x.load(3)
	h, j := b.add(d), b.sub(d)
	x.store(0, e.add(h))
	x.turn(2, e.sub(h))
	minus, plus := f.turns(j)
	x.turn(1, minus)
	x.turn(3, plus)
}

func five(x *numbers, cos, sin [3]Mem) {
	b, e := x.load(1), x.load(4)
	s1, d1 := b.add(e), b.sub(e)
	c, d := x.load(2), x.load(3)
	s2, d2 := c.add(d), c.sub(d)
	a := x.load(0)
	x.store(0, a.add(s1).add(s2))
	m1, m2 := a.add(s1.scale(cos[1])).add(s2.scale(cos[2])), a.add(s1.scale(cos[2])).add(s2.scale(cos[1]))
	minus, plus := m1.turns(d1.scale(sin[1]).add(d2.scale(sin[2])))
	x.turn(1, minus)
	x.turn(4, plus)
	minus, plus = m2.turns(d1.scale(sin[2]).sub(d2.scale(sin[1])))
	x.turn(2, minus)
	x.turn(3, plus)
}

// transpose writes transposes of n blocks of eight rows of eight numbers. The last parameters
// are the distances between rows and between blocks.
func transpose() {
	p := asm.Func("transposeAVX2", "func(to, from *float32, n, toRow, toBlock, fromRow, fromBlock int)", "to", "from", "n", "toRow", "toBlock", "fromRow", "fromBlock")
	to, from, n := p[0], p[1], p[2]
	steps := p[3:]
	for _, s := range steps {
		SHLQ(Imm(2), s)
	}
	row := GP64()
	Label("block")
	var v, t [8]reg.VecVirtual
	MOVQ(from, row)
	for i := range v {
		v[i] = YMM()
		VMOVUPS(Mem{Base: row}, v[i])
		if i < 7 {
			ADDQ(steps[2], row)
		}
	}
	for i := 0; i < 8; i += 2 {
		t[i], t[i+1] = YMM(), YMM()
		VUNPCKLPS(v[i+1], v[i], t[i])
		VUNPCKHPS(v[i+1], v[i], t[i+1])
	}
	for i := 0; i < 8; i += 4 {
		for j := range 2 {
			v[i+2*j], v[i+2*j+1] = YMM(), YMM()
			VSHUFPS(Imm(0x44), t[i+2+j], t[i+j], v[i+2*j])
			VSHUFPS(Imm(0xee), t[i+2+j], t[i+j], v[i+2*j+1])
		}
	}
	MOVQ(to, row)
	for half := range 2 {
		for i := range 4 {
			r := YMM()
			VPERM2F128(Imm(uint64(0x20+0x11*half)), v[i+4], v[i], r)
			VMOVUPS(r, Mem{Base: row})
			if half == 0 || i < 3 {
				ADDQ(steps[0], row)
			}
		}
	}
	ADDQ(steps[3], from)
	ADDQ(steps[1], to)
	DECQ(n)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// split writes splitGo for two rows.
func split() {
	p := asm.Func("splitAVX2", "func(z, y *[2]*[8]float32, re, im *float32)", "z", "y", "re", "im")
	z, y := parts(p[0]), parts(p[1])
	half := YMM()
	VMOVUPS(asm.Floats("splitHalf", 0.5), half)
	minus, plus := z.sub(y), z.add(y)
	for i, v := range []reg.VecVirtual{plus.re, minus.im, plus.im} {
		VMULPS(half, v, v)
		VMOVUPS(v, Mem{Base: p[2+i%2], Disp: vector * (i / 2)})
	}
	VSUBPS(z.re, y.re, y.re)
	VMULPS(half, y.re, y.re)
	VMOVUPS(y.re, Mem{Base: p[3], Disp: vector})
	VZEROUPPER()
	RET()
}

// join writes joinGo for two rows.
func join() {
	p := asm.Func("joinAVX2", "func(z, y *[2]*[8]float32, re, im *float32)", "z", "y", "re", "im")
	var a, b complexVector
	for i, v := range []*complexVector{&a, &b} {
		*v = newVector()
		VMOVUPS(Mem{Base: p[2], Disp: vector * i}, v.re)
		VMOVUPS(Mem{Base: p[3], Disp: vector * i}, v.im)
	}
	plus, minus := newVector(), newVector()
	VADDPS(b.im, a.re, plus.re)
	VSUBPS(a.im, b.re, plus.im)
	VSUBPS(b.im, a.re, minus.re)
	VADDPS(b.re, a.im, minus.im)
	for i, v := range []complexVector{plus, minus} {
		at := p[1-i]
		base := GP64()
		MOVQ(Mem{Base: at}, base)
		VMOVUPS(v.re, Mem{Base: base})
		MOVQ(Mem{Base: at, Disp: 8}, base)
		VMOVUPS(v.im, Mem{Base: base})
	}
	VZEROUPPER()
	RET()
}

// parts loads the vectors of which the pointers are at p.
func parts(p reg.Register) complexVector {
	v := newVector()
	base := GP64()
	MOVQ(Mem{Base: p}, base)
	VMOVUPS(Mem{Base: base}, v.re)
	MOVQ(Mem{Base: p, Disp: 8}, base)
	VMOVUPS(Mem{Base: base}, v.im)
	return v
}

// curl writes curlGo for a vector of wave numbers, with or without a divergence.
func curl(name string, divergence bool) {
	TEXT(name, NOSPLIT, "func(x *[8]*[8]float32, dy, green *[8]float32, dx, dz float32)")
	Pragma("noescape")
	p := asm.Params("x", "dy", "green")
	part := func(i int) Mem {
		base := GP64()
		MOVQ(Mem{Base: p[0], Disp: 8 * i}, base)
		return Mem{Base: base}
	}
	d := [3]reg.VecVirtual{YMM(), YMM(), YMM()}
	VBROADCASTSS(asm.Address("dx"), d[0])
	VMOVUPS(Mem{Base: p[1]}, d[1])
	VBROADCASTSS(asm.Address("dz"), d[2])
	var out [2][3]reg.VecVirtual // real and imaginary parts
	for q := range out {
		var in [3]reg.VecVirtual
		for a := range in {
			in[a] = YMM()
			VMOVUPS(part(2*a+q), in[a])
		}
		for a := range in {
			b, c := (a+1)%3, (a+2)%3
			u, t := YMM(), YMM()
			VMULPS(in[c], d[b], u)
			VMULPS(in[b], d[c], t)
			VSUBPS(t, u, u)
			out[q][a] = u
		}
		if !divergence {
			continue
		}
		e := YMM()
		VMOVUPS(part(6+q), e)
		for a, u := range out[q] {
			t := YMM()
			VMULPS(e, d[a], t)
			VSUBPS(t, u, u)
		}
	}
	g, minusG := YMM(), YMM()
	VMOVUPS(Mem{Base: p[2]}, g)
	VXORPS(minusG, minusG, minusG)
	VSUBPS(g, minusG, minusG)
	for a := range 3 {
		VMULPS(out[1][a], minusG, out[1][a])
		VMOVUPS(out[1][a], part(2*a))
		VMULPS(out[0][a], g, out[0][a])
		VMOVUPS(out[0][a], part(2*a+1))
	}
	VZEROUPPER()
	RET()
}
