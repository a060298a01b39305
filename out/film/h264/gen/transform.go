package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

// The fields of type block.
const (
	nonzeroAt = 32 + 2*iota
	largeAt
	dcAt
	blockSize
)

// zigzag is the order of the scan, as in the package.
var zigzag = [16]int{0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15}

// shuffle fills a constant with a shuffle of 16 bytes, the same for both halves of a
// vector. It puts word from(i) at place i, or 0 if from(i) is below 0 or beyond.
func shuffle(name string, from func(i int) int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 16 {
		at := from(i % 8)
		if at < 0 || at > 7 {
			DATA(2*i, U16(0x8080))
		} else {
			DATA(2*i, U16(uint16(2*at+1)<<8|uint16(2*at)))
		}
	}
	return m
}

// transform writes the coefficients' levels of four blocks, and of one.
func transform() {
	// Of columns 0 and 1 of a block, and of columns 2 and 3, what comes to
	// which place of the first and of the second half of the scan.
	var order [2][2]Mem
	for h := range order {
		for c := range order[h] {
			order[h][c] = shuffle([2][2]string{{"scan0from0", "scan0from2"}, {"scan1from0", "scan1from2"}}[h][c], func(i int) int {
				at := zigzag[8*h+i]
				return 4*(at%4) + at/4 - 8*c
			})
		}
	}
	two := bytes("two", 2)

	for _, n := range []int{4, 1} {
		var d [4]reg.VecVirtual
		for i := range d {
			d[i] = YMM()
		}
		if n == 4 {
			p := asm.Func("transformAVX2", "func(to *int16, a, b, predA, predB *byte, stride int, scale *uint16, bias, shift int)", "a", "b", "predA", "predB", "stride")
			stride := p[4]
			stride3 := thrice(stride)
			for i := range d {
				u := YMM()
				VMOVQ(row(i, p[0], stride, stride3), d[i].AsX())
				VMOVHPS(row(i, p[1], stride, stride3), d[i].AsX(), d[i].AsX())
				VMOVQ(row(i, p[2], stride, stride3), u.AsX())
				VMOVHPS(row(i, p[3], stride, stride3), u.AsX(), u.AsX())
				VPMOVZXBW(d[i].AsX(), d[i])
				VPMOVZXBW(u.AsX(), u)
				VPSUBW(u, d[i], d[i])
			}
		} else {
			p := asm.Func("transform4AVX2", "func(to *int16, a *byte, stride int, pred *byte, scale *uint16, bias, shift int)", "a", "stride", "pred")
			stride3 := thrice(p[1])
			for i := range d {
				u := YMM()
				VMOVD(row(i, p[0], p[1], stride3), d[i].AsX())
				VMOVD(Mem{Base: p[2], Disp: 4 * i}, u.AsX())
				VPMOVZXBW(d[i].AsX(), d[i])
				VPMOVZXBW(u.AsX(), u)
				VPSUBW(u, d[i], d[i])
			}
		}
		p := asm.Params("to", "scale")
		to, scale := p[0], p[1]
		place := []int{0, blockSize, 4 * blockSize, 5 * blockSize}[:n]

		d = forward(d)
		// Now the columns of all four, and along them what was a column.
		d = forward(columns(d))
		for b := range place {
			half := d[0].AsX()
			if b == 2 {
				half = XMM()
				VEXTRACTI128(Imm(1), d[0], half)
			}
			VPEXTRW(Imm(uint64(b%2*4)), half, Mem{Base: to, Disp: place[b] + dcAt})
			if b == 2 {
				VPEXTRW(Imm(4), half, Mem{Base: to, Disp: place[3] + dcAt})
				break
			}
		}

		bias, shift := YMM(), XMM()
		broadcastD("bias", bias)
		Load(Param("shift"), shift)
		for j := range d {
			s, low, high, a := YMM(), YMM(), YMM(), YMM()
			VPBROADCASTQ(Mem{Base: scale, Disp: 8 * (j % 2)}, s)
			VPABSW(d[j], a)
			VPMULLW(s, a, low)
			VPMULHUW(s, a, high)
			VPUNPCKLWD(high, low, s)
			VPUNPCKHWD(high, low, a)
			for _, v := range []reg.VecVirtual{s, a} {
				VPADDD(bias, v, v)
				VPSRLD(shift, v, v)
			}
			VPACKUSDW(a, s, a)
			VPSIGNW(d[j], a, d[j])
		}
		for odd, unpack := range []func(ops ...Op){VPUNPCKLQDQ, VPUNPCKHQDQ} {
			if odd >= n {
				break
			}
			var from, scan [2]reg.VecVirtual
			for c := range from {
				from[c] = YMM()
				unpack(d[2*c+1], d[2*c], from[c])
			}
			for h := range scan {
				u := YMM()
				scan[h] = YMM()
				VPSHUFB(order[h][0], from[0], scan[h])
				VPSHUFB(order[h][1], from[1], u)
				VPOR(u, scan[h], scan[h])
				VMOVDQU(scan[h].AsX(), Mem{Base: to, Disp: place[odd] + 16*h})
				if n == 4 {
					VEXTRACTI128(Imm(1), scan[h], Mem{Base: to, Disp: place[odd+2] + 16*h})
				}
				VPABSW(scan[h], scan[h])
			}
			size, v, mask := YMM(), YMM(), GP32()
			VPACKUSWB(scan[1], scan[0], size)
			for _, at := range []int{nonzeroAt, largeAt} {
				if at == nonzeroAt {
					VPXOR(v, v, v)
					VPCMPEQB(v, size, v)
					VPMOVMSKB(v, mask)
					NOTL(mask)
				} else {
					VPMAXUB(two, size, v)
					VPCMPEQB(v, size, v)
					VPMOVMSKB(v, mask)
				}
				MOVW(mask.As16(), Mem{Base: to, Disp: place[odd] + at})
				if n == 4 {
					SHRL(Imm(16), mask)
					MOVW(mask.As16(), Mem{Base: to, Disp: place[odd+2] + at})
				}
			}
		}
		VZEROUPPER()
		RET()
	}
}

// broadcastD fills a vector with the lower half of a parameter.
func broadcastD(name string, v reg.VecVirtual) {
	m, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	x := v.AsX()
	VMOVQ(m.Addr, x)
	VPBROADCASTD(x, v)
}

// forward is a step of the forward transform, across four vectors.
func forward(d [4]reg.VecVirtual) [4]reg.VecVirtual {
	s, t, m, n := YMM(), YMM(), YMM(), YMM()
	VPADDW(d[3], d[0], s)
	VPADDW(d[2], d[1], t)
	VPSUBW(d[2], d[1], m)
	VPSUBW(d[3], d[0], n)
	VPADDW(t, s, d[0])
	VPSUBW(t, s, d[2])
	VPADDW(n, n, s)
	VPADDW(m, s, d[1])
	VPADDW(m, m, m)
	VPSUBW(m, n, d[3])
	return d
}

// columns turns four rows of four words, in each quarter of the vectors, into
// columns.
func columns(d [4]reg.VecVirtual) [4]reg.VecVirtual {
	var pair [2][2]reg.VecVirtual // left and right block of each half, of rows 0 and 1, 2 and 3
	for i := range pair {
		pair[0][i], pair[1][i] = YMM(), YMM()
		VPUNPCKLWD(d[2*i+1], d[2*i], pair[0][i])
		VPUNPCKHWD(d[2*i+1], d[2*i], pair[1][i])
	}
	var left, right [2]reg.VecVirtual // columns 0 and 1, 2 and 3
	for b, to := range []*[2]reg.VecVirtual{&left, &right} {
		to[0], to[1] = YMM(), YMM()
		VPUNPCKLDQ(pair[b][1], pair[b][0], to[0])
		VPUNPCKHDQ(pair[b][1], pair[b][0], to[1])
	}
	for i := range 2 {
		d[2*i], d[2*i+1] = YMM(), YMM()
		VPUNPCKLQDQ(right[i], left[i], d[2*i])
		VPUNPCKHQDQ(right[i], left[i], d[2*i+1])
	}
	return d
}

// rebuild adds the inverse transform of two blocks side by side, or of one, to
// their prediction.
func rebuild() {
	// The words of each column, spread to 32 bits, from the first and from the
	// second half of the scan.
	var place [16]int
	for i, at := range zigzag {
		place[at] = i
	}
	var spread [4][2]Mem
	for j := range spread {
		for h := range spread[j] {
			name := [4][2]string{{"column0from0", "column0from8"}, {"column1from0", "column1from8"}, {"column2from0", "column2from8"}, {"column3from0", "column3from8"}}[j][h]
			spread[j][h] = shuffle(name, func(i int) int {
				if i%2 == 1 {
					return -1
				}
				return place[4*(i/2)+j] - 8*h
			})
		}
	}
	round := asm.Dwords("round32", 32)

	for _, n := range []int{2, 1} {
		if n == 2 {
			asm.Func("rebuildAVX2", "func(to, pred *byte, stride int, from *int16, step, dc *int32)")
		} else {
			asm.Func("rebuild4AVX2", "func(to *byte, stride int, pred *byte, from *int16, step *int32)")
		}
		p := asm.Params("to", "pred", "stride", "from", "step")
		to, pred, stride, from, step := p[0], p[1], p[2], p[3], p[4]
		stride3 := thrice(stride)
		var scan [2]reg.VecVirtual
		for h := range scan {
			scan[h] = YMM()
			VMOVDQU(Mem{Base: from, Disp: 16 * h}, scan[h].AsX())
			if n == 2 {
				VINSERTI128(Imm(1), Mem{Base: from, Disp: blockSize + 16*h}, scan[h], scan[h])
			}
		}
		var d [4]reg.VecVirtual
		for j := range d {
			u := YMM()
			d[j] = YMM()
			VPSHUFB(spread[j][0], scan[0], d[j])
			VPSHUFB(spread[j][1], scan[1], u)
			VPOR(u, d[j], d[j])
			VBROADCASTI128(Mem{Base: step, Disp: 16 * j}, u)
			VPMADDWD(u, d[j], d[j])
		}
		if n == 2 {
			dc := Load(Param("dc"), GP64())
			TESTQ(dc, dc)
			JZ(LabelRef("inverse"))
			u, v := YMM(), XMM()
			VMOVD(Mem{Base: dc}, u.AsX())
			VMOVD(Mem{Base: dc, Disp: 4}, v)
			VINSERTI128(Imm(1), v, u, u)
			VPBLENDD(Imm(0x11), u, d[0], d[0])
			Label("inverse")
		}
		inverse(&d)
		d = transpose(d, YMM)
		inverse(&d)
		for i := range d {
			u := YMM()
			VPADDD(round, d[i], d[i])
			VPSRAD(Imm(6), d[i], d[i])
			if n == 2 {
				VPMOVZXBD(row(i, pred, stride, stride3), u)
			} else {
				VPMOVZXBD(Mem{Base: pred, Disp: 4 * i}, u.AsX())
			}
			VPADDD(u, d[i], d[i])
		}
		VPACKSSDW(d[1], d[0], d[0])
		VPACKSSDW(d[3], d[2], d[2])
		VPACKUSWB(d[2], d[0], d[0]) // four rows of each block
		if n == 1 {
			for i := range 4 {
				VPEXTRD(Imm(uint64(i)), d[0].AsX(), row(i, to, stride, stride3))
			}
		} else {
			right, both := XMM(), XMM()
			VEXTRACTI128(Imm(1), d[0], right)
			for i, unpack := range []func(ops ...Op){VPUNPCKLDQ, VPUNPCKHDQ} {
				unpack(right, d[0].AsX(), both)
				VMOVQ(both, row(2*i, to, stride, stride3))
				VMOVHPS(both, row(2*i+1, to, stride, stride3))
			}
		}
		VZEROUPPER()
		RET()
	}
}

// inverse is a step of the inverse transform, across four vectors.
func inverse(d *[4]reg.VecVirtual) {
	s, t, m, n := YMM(), YMM(), YMM(), YMM()
	VPADDD(d[2], d[0], s)
	VPSUBD(d[2], d[0], t)
	VPSRAD(Imm(1), d[1], m)
	VPSUBD(d[3], m, m)
	VPSRAD(Imm(1), d[3], n)
	VPADDD(d[1], n, n)
	VPADDD(n, s, d[0])
	VPADDD(m, t, d[1])
	VPSUBD(m, t, d[2])
	VPSUBD(n, s, d[3])
}
