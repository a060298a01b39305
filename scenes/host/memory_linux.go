package host

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// installed returns the machine's memory in bytes, 0 if the system does not
// say.
func installed() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		// MemTotal:       24595352 kB
		if f := strings.Fields(string(line)); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return n << 10
		}
	}
	return 0
}

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

// grouped returns the memory that the process's control groups leave it, in
// bytes, 0 if they set no limit.
func grouped() int64 {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	return groupLimit(os.DirFS("/sys/fs/cgroup"), string(text))
}

// groupLimit returns the least limit of the groups that /proc/self/cgroup
// lists, and of those above them, which bind as well: memory.max in version 2,
// memory.limit_in_bytes in version 1. Within a container the list may name
// groups as the host sees them, which are then not there, but the container's
// own is at the root.
func groupLimit(sys fs.FS, list string) (least int64) {
	for line := range strings.Lines(list) {
		// hierarchy:controllers:/path
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) < 3 {
			continue
		}
		root, file := ".", "memory.max"
		switch part[1] {
		case "":
		case "memory":
			root, file = "memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for group := path.Clean("/" + part[2]); ; group = path.Dir(group) {
			text, err := fs.ReadFile(sys, path.Join(root, group, file))
			if err == nil {
				n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // or "max"
				if err == nil && n > 0 && (least == 0 || n < least) {
					least = n
				}
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}
