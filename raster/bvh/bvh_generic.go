//go:build !amd64 || noasm

package bvh

func cast(b *Tree, q *query) { castGo(b, q) }

func castMany(b *Tree, q []query) { castManyGo(b, q) }

func middles(p []box) (lower, upper [4]float32) { return middlesGo(p) }

func fill(p []box, axis int, lower, scale float32, in *[2][bins]box, count *[bins]int32) {
	fillGo(p, axis, lower, scale, in, count)
}

func divide(p []box, bin int32) { divideGo(p, bin) }

func sweep(in *[2][bins]box, before, after *[bins]box) { sweepGo(in, before, after) }
