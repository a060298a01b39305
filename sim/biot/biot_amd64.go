//go:build amd64 && !noasm

package biot

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out biot_amd64.s -stubs stubs_amd64.go -pkg biot

// avx2 is a feature of the processor. Tests switch it.
var avx2 = cpu.X86.HasAVX2

func velocity(k Kernel, g *group, tile []source) {
	switch {
	case avx2 && k == Core:
		velocityCoreAVX2(&g.x[0], &tile[0].x, len(tile))
	case avx2 && k == Algebraic:
		velocityAlgebraicAVX2(&g.x[0], &tile[0].x, len(tile))
	default:
		velocityGo(k, g, tile)
	}
}

func gradient(k Kernel, g *group, tile []source) {
	switch {
	case avx2 && k == Core:
		gradientCoreAVX2(&g.x[0], &tile[0].x, len(tile))
	case avx2 && k == Algebraic:
		gradientAlgebraicAVX2(&g.x[0], &tile[0].x, len(tile))
	default:
		gradientGo(k, g, tile)
	}
}

// Level names the instructions that the sums use on this processor.
func Level() string {
	if avx2 {
		return "AVX2"
	}
	return "plain Go"
}
