//go:build amd64 && !noasm

package march

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out kernels_amd64.s -stubs stubs_amd64.go -pkg march

// avx2 is a feature of the processor. Tests switch it.
var avx2 = cpu.X86.HasAVX2

func addRow(to *[Side][Channels]float32, of *[Channels]float32, c, b, a, z, edge float32) {
	if !avx2 {
		addRowGo(to, of, c, b, a, z, edge)
		return
	}
	addRowAVX2(to, of, c, b, a, z, edge)
}

func samples(b *[brickNodes]float32, from, step *[4]float32, n int) float32 {
	if !avx2 || n <= 0 {
		return samplesGo(b, from, step, n)
	}
	return samplesAVX2(b, from, step, n)
}

func sweepRow(now, near, far, sum, sent [][4]float32, left, path []float32, step int, w *[4]float32, share float32) {
	n := len(now)
	if !avx2 || n == 0 {
		sweepRowGo(now, near, far, sum, sent, left, path, step, w, share)
		return
	}
	last := (n - 1) * step
	_, _, _, _, _, _ = near[n], far[n], sum[last], sent[last], left[last], path[last]
	sweepRowAVX2(&now[0], &near[0], &far[0], &sum[0], &sent[0], &left[0], &path[0], n, step, w, share)
}

func lights(to [][5]float32, lit *[brickNodes][4]float32, sigma *[brickNodes]float32, from, step *[4]float32) {
	if !avx2 || len(to) == 0 {
		lightsGo(to, lit, sigma, from, step)
		return
	}
	lightsAVX2(&to[0], lit, sigma, from, step, len(to))
}
