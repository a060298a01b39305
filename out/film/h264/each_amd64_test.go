//go:build amd64 && !noasm

package h264

// each runs f with plain Go and with every instruction set that this
// processor has.
func each(f func(name string)) {
	has2 := avx2
	defer func() { avx2 = has2 }()
	avx2 = false
	f("go")
	if has2 {
		avx2 = true
		f("avx2")
	}
}
