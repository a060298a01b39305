//go:build amd64 && !noasm

package lanes

// each runs f with plain Go and with every instruction set that this
// processor has.
func each(f func(name string)) {
	has := avx2
	defer func() { avx2 = has }()
	avx2 = false
	f("go")
	if has {
		avx2 = true
		f("avx2")
	}
}
