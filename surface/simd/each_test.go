//go:build !amd64 || noasm

package simd

func each(f func(name string)) { f("go") }
