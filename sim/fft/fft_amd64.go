//go:build amd64 && !noasm

package fft

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out fft_amd64.s -stubs stubs_amd64.go -pkg fft

// avx2 is a feature of the processor. Tests switch it.
var avx2 = cpu.X86.HasAVX2

// forwardVectors is forward for lines of float32, in assembly. It reports whether it did the
// pass.
func forwardVectors[F Real](t *pass[F], l *Lines[F]) bool {
	p, ok := any(t).(*pass[float32])
	if !ok || !avx2 {
		return false
	}
	x := any(l).(*Lines[float32])
	switch p.radix {
	case 2:
		twoAVX2(&x.Re[0], &x.Im[0], &x.re[0], &x.im[0], &p.w[0], p.m, p.s)
	case 3:
		threeAVX2(&x.Re[0], &x.Im[0], &x.re[0], &x.im[0], &p.w[0], p.m, p.s)
	case 4:
		fourAVX2(&x.Re[0], &x.Im[0], &x.re[0], &x.im[0], &p.w[0], p.m, p.s)
	case 5:
		fiveAVX2(&x.Re[0], &x.Im[0], &x.re[0], &x.im[0], &p.w[0], p.m, p.s)
	}
	return true
}

func curl(at *numbers, dy, green *[Lanes]float32, dx, dz float32) {
	switch {
	case !avx2:
		curlGo(at, dy, green, dx, dz)
	case at[6] == nil:
		curlAVX2((*[8]*[Lanes]float32)(at), dy, green, dx, dz)
	default:
		curlDivergenceAVX2((*[8]*[Lanes]float32)(at), dy, green, dx, dz)
	}
}

func split(z, y *complexLanes, re, im []float32) {
	if !avx2 || len(re) != 2*Lanes || len(im) != 2*Lanes {
		splitGo(z, y, re, im)
		return
	}
	splitAVX2((*[2]*[Lanes]float32)(z), (*[2]*[Lanes]float32)(y), &re[0], &im[0])
}

func join(z, y *complexLanes, re, im []float32) {
	if !avx2 || len(re) != 2*Lanes || len(im) != 2*Lanes {
		joinGo(z, y, re, im)
		return
	}
	joinAVX2((*[2]*[Lanes]float32)(z), (*[2]*[Lanes]float32)(y), &re[0], &im[0])
}

func transpose(to, from []float32, n int, into, of strides) {
	if !avx2 || n == 0 {
		transposeGo(to, from, n, into, of)
		return
	}
	_, _ = to[into.last(n)], from[of.last(n)]
	transposeAVX2(&to[0], &from[0], n, into.row, into.block, of.row, of.block)
}
