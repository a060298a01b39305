//go:build amd64 && !noasm

package h264

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out kernels_amd64.s -stubs stubs_amd64.go -pkg h264

// avx2 reports the processor's support for AVX2. Tests switch it.
var avx2 = cpu.X86.HasAVX2

func sad(a []byte, aStride int, b []byte, bStride, limit int) int {
	if !avx2 {
		return sadGo(a, aStride, b, bStride, limit)
	}
	_, _ = a[15*aStride+15], b[15*bStride+15]
	return sadAVX2(&a[0], aStride, &b[0], bStride)
}

func satd(a []byte, aStride int, b []byte, bStride, w, h, limit int) int {
	if !avx2 {
		return satdGo(a, aStride, b, bStride, w, h, limit)
	}
	_, _ = a[(h-1)*aStride+w-1], b[(h-1)*bStride+w-1]
	if w == 16 {
		return satd16AVX2(&a[0], aStride, &b[0], bStride, h)
	}
	return satd8AVX2(&a[0], aStride, &b[0], bStride, h)
}

func satd4(cost *[12]int32, a []byte, aStride int, b *[12][16]byte, n int) {
	if !avx2 {
		satd4Go(cost, a, aStride, b, n)
		return
	}
	_ = a[3*aStride+3]
	satd4AVX2(&cost[0], &a[0], aStride, &b[0][0], n)
}

func ssd(a, b *samples) int {
	if !avx2 {
		return ssdGo(a, b)
	}
	return ssdAVX2(&a.luma[0], &b.luma[0], len(a.luma)+2*len(a.chroma[0]))
}

func mean(to []byte, a, b []byte, stride, w, h int) {
	if !avx2 {
		meanGo(to, a, b, stride, w, h)
		return
	}
	last := (h-1)*stride + w - 1
	_, _, _ = to[(h-1)*16+w-1], a[last], b[last]
	if w == 16 {
		mean16AVX2(&to[0], &a[0], &b[0], stride, h)
		return
	}
	mean8AVX2(&to[0], &a[0], &b[0], stride, h)
}

func between(b, h, j, g []byte, stride int, down []int16) {
	if !avx2 {
		betweenGo(b, h, j, g, stride, down)
		return
	}
	n := len(b)
	_, _, _, _ = h[n-1], j[n-1], g[5*stride+n+15], down[n+15]
	acrossAVX2(&b[0], &g[2*stride], n)
	downAVX2(&down[0], &g[0], stride, n+5)
	bothAVX2(&h[0], &j[0], &down[0], n)
}

func bilinear(to, from []byte, stride, w, h int, weight *[4]int) {
	if !avx2 {
		bilinearGo(to, from, stride, w, h, weight)
		return
	}
	_, _ = to[8*(h-1)+w-1], from[h*stride+8]
	upper, lower := uint16(weight[0]|weight[1]<<8), uint16(weight[2]|weight[3]<<8)
	if w == 8 {
		chroma8AVX2(&to[0], &from[0], stride, h, upper, lower)
		return
	}
	chroma4AVX2(&to[0], &from[0], stride, h, upper, lower)
}

func transform(to *[6]block, src, pred *samples, k int, q *quantiser, bias int32) {
	if !avx2 {
		transformGo(to, src, pred, k, q, bias)
		return
	}
	a0, a1, stride := strip(src, k)
	b0, b1, _ := strip(pred, k)
	transformAVX2(&to[0].level[0], &a0[0], &a1[0], &b0[0], &b1[0], stride, &q.scale[0], int(bias), int(q.shift))
}

func transform4(to *block, src []byte, pred *[16]byte, q *quantiser, bias int32) {
	if !avx2 {
		transform4Go(to, src, pred, q, bias)
		return
	}
	_ = src[3*16+3]
	transform4AVX2(&to.level[0], &src[0], 16, &pred[0], &q.scale[0], int(bias), int(q.shift))
}

func rebuild(to, pred []byte, stride int, from *[2]block, q *quantiser, dc *[2]int32) {
	if !avx2 {
		rebuildGo(to, pred, stride, from, q, dc)
		return
	}
	_, _ = to[3*stride+7], pred[3*stride+7]
	var first *int32
	if dc != nil {
		first = &dc[0]
	}
	rebuildAVX2(&to[0], &pred[0], stride, &from[0].level[0], &q.step[0], first)
}

func rebuild4(to []byte, pred *[16]byte, from *block, q *quantiser) {
	if !avx2 {
		rebuild4Go(to, pred, from, q)
		return
	}
	_ = to[3*16+3]
	rebuild4AVX2(&to[0], 16, &pred[0], &from.level[0], &q.step[0])
}
