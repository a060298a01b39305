//go:build !amd64 || noasm

package h264

func each(f func(name string)) { f("go") }
