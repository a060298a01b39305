package host

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// unused is how many bytes of addresses the runtime takes and a run cannot use: the heap
// grows by arenas of 64 MiB, of which the last may be as good as empty.
const unused = 64 << 20

// threads is how many threads a program has besides those that compute: for signals, for
// the collector and for files.
const threads = 8

// addressable returns how many bytes the limit on the process's addresses left it when it
// began, 0 without a limit. The runtime reserves about a gigabyte of them that is never
// used, and each thread to come takes threadBytes.
var addressable = sync.OnceValue(func() int64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur > 1<<60 {
		return 0
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	size, _, _ := strings.Cut(string(text), " ")
	pages, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return 0
	}
	taken := pages*int64(os.Getpagesize()) + unused + threadBytes*int64(runtime.NumCPU()+threads)
	return max(1, int64(limit.Cur)-taken)
})
