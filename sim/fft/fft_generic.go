//go:build !amd64 || noasm

package fft

func forwardVectors[F Real](*pass[F], *Lines[F]) bool { return false }

func curl(at *numbers, dy, green *[Lanes]float32, dx, dz float32) { curlGo(at, dy, green, dx, dz) }

func split(z, y *complexLanes, re, im []float32) { splitGo(z, y, re, im) }

func join(z, y *complexLanes, re, im []float32) { joinGo(z, y, re, im) }

func transpose(to, from []float32, n int, into, of strides) { transposeGo(to, from, n, into, of) }
