//go:build !amd64 || noasm

package multipole

func apply(into, from, m []float32, n, stride int) { applyGo(into, from, m, n, stride) }
