//go:build !amd64 || noasm

package grains

func mix(to *shine, of []shine, at *[8]int32, w *[8]float32) { mixGo(to, of, at, w) }
