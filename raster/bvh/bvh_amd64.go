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

func castMany(b *Tree, q []query) {
	if !avx2 {
		castManyGo(b, q)
		return
	}
	castManyAVX2(&q[0].o[0], len(q))
}

func middles(p []box) (lower, upper [4]float32) {
	if !avx2 {
		return middlesGo(p)
	}
	lower, upper = nowhere()
	middlesAVX2(&p[0].lower[0], len(p), &lower[0], &upper[0])
	return lower, upper
}

func fill(p []box, axis int, lower, scale float32, in *[2][bins]box, count *[bins]int32) {
	if !avx2 {
		fillGo(p, axis, lower, scale, in, count)
		return
	}
	fillAVX2(&p[0].lower[0], len(p), axis, lower, scale, &in[0][0].lower[0], &count[0])
}

func divide(p []box, bin int32) {
	if !avx2 {
		divideGo(p, bin)
		return
	}
	divideAVX2(&p[0].lower[0], len(p), bin)
}

func sweep(in *[2][bins]box, before, after *[bins]box) {
	if !avx2 {
		sweepGo(in, before, after)
		return
	}
	sweepAVX2(&in[0][0].lower[0], &before[0].lower[0], &after[0].lower[0])
}
