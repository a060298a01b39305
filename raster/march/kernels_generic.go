//go:build !amd64 || noasm

package march

func addRow(to *[Side][Channels]float32, of *[Channels]float32, c, b, a, z, edge float32) {
	addRowGo(to, of, c, b, a, z, edge)
}

func samples(b *[brickNodes]float32, from, step *[4]float32, n int) float32 {
	return samplesGo(b, from, step, n)
}

func sweepRow(now, near, far, sum, sent [][4]float32, left, path []float32, step int, w *[4]float32, share float32) {
	sweepRowGo(now, near, far, sum, sent, left, path, step, w, share)
}

func lights(to [][5]float32, lit *[brickNodes][4]float32, sigma *[brickNodes]float32, from, step *[4]float32) {
	lightsGo(to, lit, sigma, from, step)
}
