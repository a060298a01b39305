//go:build linux && cgo

package host

// threadBytes is how many bytes of addresses a thread of the C library takes: a stack, and
// an arena for malloc.
const threadBytes = 72 << 20
