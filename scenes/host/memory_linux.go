package host

import (
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// addressable returns how many bytes the limit on the process's addresses left it when it
// began, 0 without a limit. The runtime reserves about a gigabyte of them that is never
// used.
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
	return max(1, int64(limit.Cur)-pages*int64(os.Getpagesize()))
})
