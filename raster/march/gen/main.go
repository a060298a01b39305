// Gen writes the assembly of the loops over voxels and its Go stubs, with avo. The functions
// whose names end in Go, in kernels.go, define each function.
//
// Constraints on every line here: no fused multiply-add, and the order of operations of the
// twin, so that the bits are the same.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

func main() {
	ConstraintExpr("!noasm")
	addRow()
	c := constants()
	in := asm.Func("samplesAVX2", "func(b *[729]float32, from, step *[4]float32, n int) float32", "b", "from", "step", "n")
	samples(c.start(in[1], in[2]), in[0], in[3])
	in = asm.Func("lightsAVX2", "func(to *[5]float32, lit *[729][4]float32, sigma *[729]float32, from, step *[4]float32, n int)", "to", "lit", "sigma", "from", "step", "n")
	lights(c.start(in[3], in[4]), in[0], in[1], in[2], in[5])
	sweepRow()
	Generate()
}

// addRow writes addRowGo.
func addRow() {
	one := asm.Floats("one", 1)
	numbers := GLOBL("numbers", RODATA|NOPTR)
	for k := range 8 {
		DATA(4*k, U32(math.Float32bits(float32(k))))
	}
	p := asm.Func("addRowAVX2", "func(to *[8][4]float32, of *[4]float32, c, b, a, z, edge float32)", "to", "of")
	dz, w, x := YMM(), YMM(), YMM()
	VBROADCASTSS(asm.Address("edge"), dz)
	VMULPS(numbers, dz, dz)
	VBROADCASTSS(asm.Address("z"), x)
	VADDPS(x, dz, dz)
	VBROADCASTSS(asm.Address("a"), w)
	VMULPS(dz, w, w)
	VBROADCASTSS(asm.Address("b"), x)
	VADDPS(x, w, w)
	VMULPS(dz, w, w)
	VBROADCASTSS(asm.Address("c"), x)
	VADDPS(x, w, w)
	VMOVUPS(one, x)
	VSUBPS(w, x, w)
	VXORPS(x, x, x)
	VMAXPS(x, w, w)
	VMULPS(w, w, x)
	VMULPS(w, x, w)
	of := YMM()
	VBROADCASTF128(Mem{Base: p[1]}, of)
	for k := range 4 { // the numbers k and k + 4
		part, high := YMM(), XMM()
		VPERMILPS(Imm(uint64(0x55*k)), w, part)
		VMULPS(of, part, part)
		VEXTRACTF128(Imm(1), part, high)
		low := part.AsX()
		for n, half := range []Op{low, high} {
			at := Mem{Base: p[0], Disp: 16 * (k + 4*n)}
			VADDPS(at, half, half)
			VMOVUPS(half, at)
		}
	}
	VZEROUPPER()
	RET()
}

const strideX, strideY = 81, 9

// points has what finds the nodes around points along a ray.
type points struct {
	from, step, k, zero         reg.VecVirtual
	strides, seven, eight, ones Mem
}

// constants writes the numbers that points share.
func constants() points {
	fours := func(name string, v ...uint32) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i, x := range v {
			DATA(4*i, U32(x))
		}
		return m
	}
	all := func(name string, v float32) Mem {
		bits := math.Float32bits(v)
		return fours(name, bits, bits, bits, bits)
	}
	return points{strides: fours("strides", strideX, strideY, 1, 0), seven: fours("seven", 7, 7, 7, 7), eight: all("eight", 8), ones: all("ones", 1)}
}

// start loads the first point and the step.
func (p points) start(from, step reg.Register) *points {
	p.from, p.step, p.k, p.zero = XMM(), XMM(), XMM(), XMM()
	VMOVUPS(Mem{Base: from}, p.from)
	VMOVUPS(Mem{Base: step}, p.step)
	VXORPS(p.k, p.k, p.k)
	VXORPS(p.zero, p.zero, p.zero)
	return &p
}

// next returns the weights of the next point along each axis and the number of its first node.
func (p *points) next() (f [3]reg.VecVirtual, at reg.GPVirtual) {
	x, i, w := XMM(), XMM(), XMM()
	VMULPS(p.step, p.k, x)
	VADDPS(p.from, x, x)
	VADDPS(p.ones, p.k, p.k)
	VMAXPS(p.zero, x, x)
	VMINPS(p.eight, x, x)
	VCVTTPS2DQ(x, i)
	VPMINSD(p.seven, i, i)
	VCVTDQ2PS(i, w)
	VSUBPS(w, x, x)
	VPMULLD(p.strides, i, i)
	VPSHUFD(Imm(0x4e), i, w)
	VPADDD(w, i, i)
	VPSHUFD(Imm(0xb1), i, w)
	VPADDD(w, i, i)
	at = GP64()
	VMOVD(i, at.As32())
	for a := range f {
		f[a] = XMM()
		VSHUFPS(Imm(uint64(0x55*a)), x, x, f[a])
	}
	return f, at
}

// value returns the number of b between the nodes from at on, with the weights f.
func value(b reg.Register, at reg.GPVirtual, f [3]reg.VecVirtual) reg.VecVirtual {
	near, far := XMM(), XMM()
	VMOVSD(Mem{Base: b, Index: at, Scale: 4}, near)
	VMOVHPS(Mem{Base: b, Index: at, Scale: 4, Disp: 4 * strideY}, near, near)
	VMOVSD(Mem{Base: b, Index: at, Scale: 4, Disp: 4 * strideX}, far)
	VMOVHPS(Mem{Base: b, Index: at, Scale: 4, Disp: 4 * (strideX + strideY)}, far, far)
	VSUBPS(near, far, far)
	VMULPS(f[0], far, far)
	VADDPS(far, near, near)
	VMOVHLPS(near, near, far)
	VSUBPS(near, far, far)
	VMULPS(f[1], far, far)
	VADDPS(far, near, near)
	VMOVSHDUP(near, far)
	VSUBSS(near, far, far)
	VMULSS(f[2], far, far)
	VADDSS(far, near, near)
	return near
}

// samples writes samplesGo.
func samples(p *points, b, n reg.Register) {
	sum := XMM()
	VXORPS(sum, sum, sum)
	Label("next")
	f, at := p.next()
	x := value(b, at, f)
	VADDSS(x, sum, sum)
	DECQ(n)
	JNZ(LabelRef("next"))
	Store(sum, ReturnIndex(0))
	RET()
}

// lights writes lightsGo.
func lights(p *points, to, lit, sigma, n reg.Register) {
	Label("nextLight")
	f, at := p.next()
	x := value(sigma, at, f)
	VMOVSS(x, Mem{Base: to, Disp: 16})
	SHLQ(Imm(4), at)
	node := func(number int) Mem { return Mem{Base: lit, Index: at, Scale: 1, Disp: 16 * number} }
	var rows [4]reg.VecVirtual
	for k := range rows {
		first := strideY*(k&1) + k>>1 // rows at y and y + 1, then the same at z + 1
		near, far := XMM(), XMM()
		VMOVUPS(node(first), near)
		VMOVUPS(node(first+strideX), far)
		VSUBPS(near, far, far)
		VMULPS(f[0], far, far)
		VADDPS(far, near, near)
		rows[k] = near
	}
	mix := func(near, far, w reg.VecVirtual) {
		VSUBPS(near, far, far)
		VMULPS(w, far, far)
		VADDPS(far, near, near)
	}
	mix(rows[0], rows[1], f[1])
	mix(rows[2], rows[3], f[1])
	mix(rows[0], rows[2], f[2])
	VMOVUPS(rows[0], Mem{Base: to})
	ADDQ(Imm(20), to)
	DECQ(n)
	JNZ(LabelRef("nextLight"))
	RET()
}

// sweepRow writes sweepRowGo.
func sweepRow() {
	p := asm.Func("sweepRowAVX2", "func(now, near, far, sum, sent *[4]float32, left, path *float32, n, step int, w *[4]float32, share float32)",
		"now", "near", "far", "sum", "sent", "left", "path", "n", "step", "w")
	now, near, far, sum, sent, left, path, n, step, w := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]
	share := XMM()
	VBROADCASTSS(asm.Address("share"), share)
	weights := [4]Op{XMM(), XMM(), XMM(), XMM()}
	for k, x := range weights {
		VBROADCASTSS(Mem{Base: w, Disp: 4 * k}, x)
	}
	SHLQ(Imm(2), step)
	wide := GP64()
	MOVQ(step, wide)
	SHLQ(Imm(2), wide)
	Label("cell")
	in, x, light, h := XMM(), XMM(), XMM(), XMM()
	VMULPS(Mem{Base: near}, weights[0], in)
	VMULPS(Mem{Base: near, Disp: 16}, weights[1], x)
	VADDPS(x, in, in)
	VMULPS(Mem{Base: far}, weights[2], x)
	VADDPS(x, in, in)
	VMULPS(Mem{Base: far, Disp: 16}, weights[3], x)
	VADDPS(x, in, in)
	VBROADCASTSS(Mem{Base: path}, light)
	VMULPS(Mem{Base: sent}, light, light)
	VBROADCASTSS(Mem{Base: left}, h)
	VMULPS(in, h, in)
	VADDPS(light, in, in)
	VMULPS(in, share, x)
	VADDPS(Mem{Base: sum}, x, x)
	VMOVUPS(x, Mem{Base: sum})
	VMULPS(in, h, in)
	VADDPS(light, in, in)
	VMOVUPS(in, Mem{Base: now})
	for _, at := range []Op{now, near, far} {
		ADDQ(Imm(16), at)
	}
	for _, at := range []Op{sum, sent} {
		ADDQ(wide, at)
	}
	for _, at := range []Op{left, path} {
		ADDQ(step, at)
	}
	DECQ(n)
	JNZ(LabelRef("cell"))
	RET()
}
