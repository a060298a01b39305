//go:build !amd64 || noasm

package lanes

func each(f func(name string)) { f("go") }
