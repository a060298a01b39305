//go:build !windows

package store

import (
	"errors"
	"os"
	"syscall"
)

// diskFull reports whether err is for want of space.
func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// syncFolder makes a rename in the folder last through a loss of power, where
// the file system can.
func syncFolder(root *os.Root, folder string) error {
	f, err := root.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// openFlags are for opening a file that may be a fifo, which must not wait for a writer.
const openFlags = syscall.O_NONBLOCK

// rename renames a file while it is open, and so locked, and closes it.
func rename(file *os.File, rename func() error) error {
	if err := rename(); err != nil {
		return err
	}
	return file.Close()
}
