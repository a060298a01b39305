//go:build linux && !cgo

package host

// threadBytes is how many bytes of addresses a thread takes: none, as its stack is a part
// of the heap.
const threadBytes = 0
