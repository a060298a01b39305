//go:build amd64 && !noasm

package multipole

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out apply_amd64.s -stubs stubs_amd64.go -pkg multipole

// avx2 is a feature of the processor. Tests switch it.
var avx2 = cpu.X86.HasAVX2

func apply(into, from, m []float32, n, stride int) {
	if !avx2 {
		applyGo(into, from, m, n, stride)
		return
	}
	_, _, _ = into[3*stride-1], from[3*stride-1], m[n*stride-1]
	for r := 0; r < stride; {
		if left := (stride - r) / lanes; left == 2 || left == 4 {
			apply2AVX2(&into[r], &from[0], &m[r], n, stride)
			r += 2 * lanes
		} else {
			apply3AVX2(&into[r], &from[0], &m[r], n, stride)
			r += 3 * lanes
		}
	}
}
