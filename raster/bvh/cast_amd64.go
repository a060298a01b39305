//go:build amd64 && !noasm

package bvh

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out bvh_amd64.s -stubs stubs_amd64.go -pkg bvh

// avx2 is whether the processor can run the assembly. Tests switch it.
var avx2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

func cast(b *Tree, q *query) {
	if !avx2 {
		castGo(b, q)
		return
	}
	castAVX2(&q.o[0])
}

func middles(p []box) (lower, upper [4]float32) { return middlesGo(p) }

func fill(p []box, axis int, lower, scale float32, in *[bins]box, count *[bins]int32) {
	fillGo(p, axis, lower, scale, in, count)
}

func divide(p []box, bin int32) { divideGo(p, bin) }
