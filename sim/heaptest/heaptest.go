// Package heaptest measures the memory in use for tests.
package heaptest

import "runtime"

// InUse returns the bytes of the heap that are still referenced.
func InUse() float64 {
	runtime.GC()
	runtime.GC() // the second one empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
