//go:build !amd64 || noasm

package bvh

func twins(f func(name string)) { f("go") }
