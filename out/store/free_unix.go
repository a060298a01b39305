//go:build linux || darwin || freebsd

package store

import "syscall"

func free(path string) (bytes int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
