//go:build amd64 && !noasm

package lanes

// each runs f with plain Go and with every instruction set that this
// processor has.
func each(f func(name string)) {
	has2, has512 := avx2, avx512
	defer func() { avx2, avx512 = has2, has512 }()
	avx2, avx512 = false, false
	f("go")
	if has2 {
		avx2 = true
		f("avx2")
	}
	if has512 {
		avx512 = true
		f("avx512")
	}
}
