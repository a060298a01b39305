//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package store

import (
	"errors"
	"os"
	"syscall"
)

// locksHold reports whether files can be locked here.
const locksHold = true

// shareLock locks a file or a folder together with others that share it, and
// waits for one that has it alone.
func shareLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_SH) }

// lockFile locks a file for as long as it is open, and returns errLocked if
// another process has done so, or else why the file system cannot.
func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
