//go:build !amd64 || noasm

package h264

func sad(a []byte, aStride int, b []byte, bStride, limit int) int {
	return sadGo(a, aStride, b, bStride, limit)
}

func satd(a []byte, aStride int, b []byte, bStride, w, h, limit int) int {
	return satdGo(a, aStride, b, bStride, w, h, limit)
}

func satd4(cost *[12]int32, a []byte, aStride int, b *[12][16]byte, n int) {
	satd4Go(cost, a, aStride, b, n)
}

func ssd(a, b *samples) int { return ssdGo(a, b) }

func mean(to []byte, a, b []byte, stride, w, h int) { meanGo(to, a, b, stride, w, h) }

func between(b, h, j, g []byte, stride int, down []int16) { betweenGo(b, h, j, g, stride, down) }

func bilinear(to, from []byte, stride, w, h int, weight *[4]int) {
	bilinearGo(to, from, stride, w, h, weight)
}

func transform(to *[6]block, src, pred *samples, k int, q *quantiser, bias int32) {
	transformGo(to, src, pred, k, q, bias)
}

func transform4(to *block, src []byte, pred *[16]byte, q *quantiser, bias int32) {
	transform4Go(to, src, pred, q, bias)
}

func rebuild(to, pred []byte, stride int, from *[2]block, q *quantiser, dc *[2]int32) {
	rebuildGo(to, pred, stride, from, q, dc)
}

func rebuild4(to []byte, pred *[16]byte, from *block, q *quantiser) { rebuild4Go(to, pred, from, q) }
