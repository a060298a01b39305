package out

import (
	"errors"
	"os"
	"syscall"
)

// Windows' ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL (winerror.h).
const (
	errHandleDiskFull = syscall.Errno(39)
	errDiskFull       = syscall.Errno(112)
)

// diskFull reports whether err is for want of space.
func diskFull(err error) bool {
	return errors.Is(err, errDiskFull) || errors.Is(err, errHandleDiskFull) || errors.Is(err, syscall.ENOSPC)
}

// syncFolder does nothing: Windows writes renames to its journal, and has no
// call to wait for it.
func syncFolder(*os.Root, string) error { return nil }
