//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// closed reports whether w is a file that was closed when the program began.
// The runtime opens the null device in its place, for reading and writing, and
// a shell that is asked for the null device opens it for writing alone.
func closed(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	var file, null unix.Stat_t
	if unix.Fstat(int(f.Fd()), &file) != nil || unix.Stat(os.DevNull, &null) != nil {
		return false
	}
	mode, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && file.Mode&unix.S_IFMT == unix.S_IFCHR && file.Rdev == null.Rdev && mode&unix.O_ACCMODE == unix.O_RDWR
}
