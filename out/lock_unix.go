//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package out

import (
	"errors"
	"os"
	"syscall"
)

// locksHold reports whether files can be locked here.
const locksHold = true

// lockFile locks a file for as long as it is open, and returns errLocked if
// another process has done so, or else why the file system cannot.
func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
