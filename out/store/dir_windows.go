package store

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

// openFlags are for opening paths that may not be files. Windows has no fifos in folders.
const openFlags = 0

// rename closes a file, since an open one cannot be renamed, and renames it.
func rename(file *os.File, rename func() error) error {
	if err := file.Close(); err != nil {
		return err
	}
	return rename()
}
