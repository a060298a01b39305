package host

import (
	"syscall"
	"unsafe"
)

var globalMemoryStatusEx = syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// memoryStatus is MEMORYSTATUSEX of the Windows API.
type memoryStatus struct {
	length, load                                                                         uint32
	total, avail, totalPage, availPage, totalVirtual, availVirtual, availExtendedVirtual uint64
}

// installed returns the machine's memory in bytes, 0 if the system does not
// say.
func installed() int64 {
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	if r, _, _ := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&s))); r == 0 {
		return 0
	}
	return int64(s.total)
}

// grouped returns 0: what a job object allows is not looked up.
func grouped() int64 { return 0 }

// addressable returns 0: no limit on the process's addresses is looked up.
func addressable() int64 { return 0 }
