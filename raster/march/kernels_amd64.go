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
