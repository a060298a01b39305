package outtest

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// SmallDisk returns the path of a folder to be made on a file system of 256
// KiB. It skips the test where none can be mounted.
func SmallDisk(t *testing.T) string {
	t.Helper()
	where := t.TempDir()
	if err := syscall.Mount("tmpfs", where, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no tmpfs can be mounted here (%v); TestDeviceFull covers the messages", err)
	}
	t.Cleanup(func() { syscall.Unmount(where, syscall.MNT_DETACH) })
	return filepath.Join(where, "run")
}

// WantFull checks what a user reads when the disk is full while the file at
// path is written.
func WantFull(t *testing.T, err error, path string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error on a full disk")
	}
	for _, want := range []string{path, "the disk is full", "free some space"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message does not say %q: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), ".breakwater-part") {
		t.Errorf("the message has the temporary name of the file: %v", err)
	}
}
