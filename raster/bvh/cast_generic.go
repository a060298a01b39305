//go:build !amd64 || noasm

package bvh

func cast(b *Tree, q *query) { castGo(b, q) }

func fill(p []box, axis int, lo, scale float32, in *[bins]box, count *[bins]int32) {
	fillGo(p, axis, lo, scale, in, count)
}

func divide(p []box, bin int32) { divideGo(p, bin) }
