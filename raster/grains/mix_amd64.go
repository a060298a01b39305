//go:build amd64 && !noasm

package grains

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out mix_amd64.s -stubs stubs_amd64.go -pkg grains

// avx2 reports whether the processor has AVX2.
var avx2 = cpu.X86.HasAVX2

func mix(to *shine, of []shine, at *[8]int32, w *[8]float32) {
	if !avx2 || len(of) == 0 {
		mixGo(to, of, at, w)
		return
	}
	mixAVX2(&to.sun[0], &of[0].sun[0], at, w)
}
