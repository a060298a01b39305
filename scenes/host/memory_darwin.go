package host

import "golang.org/x/sys/unix"

// installed returns the machine's memory in bytes, 0 if the system does not
// say.
func installed() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}

// grouped returns 0: the system has no control groups.
func grouped() int64 { return 0 }

// addressable returns 0: no limit on the process's addresses is looked up.
func addressable() int64 { return 0 }
