//go:build amd64 && !noasm

package bvh

// twins runs f with plain Go, then with the assembly if this processor has
// what it needs.
func twins(f func(name string)) {
	has := avx2
	defer func() { avx2 = has }()
	avx2 = false
	f("go")
	if has {
		avx2 = true
		f("avx2")
	}
}
