//go:build !amd64 || noasm

package march

func addRow(to *[Side][Channels]float32, of *[Channels]float32, c, b, a, z, edge float32) {
	addRowGo(to, of, c, b, a, z, edge)
}

func samples(b *[brickNodes]float32, from, step *[4]float32, n int) float32 {
	return samplesGo(b, from, step, n)
}
