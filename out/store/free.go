package store

import (
	"os"
	"path/filepath"
)

// Free returns how many bytes can still be written to the file system of the
// folder at path, or where it will be made. ok is false where the system does
// not say.
func Free(path string) (bytes int64, ok bool) {
	path, err := filepath.Abs(path)
	if err != nil {
		return 0, false
	}
	for {
		if _, err := os.Stat(path); err == nil {
			return free(path)
		}
		up := filepath.Dir(path)
		if up == path {
			return 0, false
		}
		path = up
	}
}
