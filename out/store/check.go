package store

import (
	"fmt"
	"io"
	"strings"
)

// A Checker distinguishes complete files of its format from others.
type Checker interface {
	// Check returns the fingerprint in the file r of size bytes, "" if it has
	// none, and an error if the file is cut short or of another format. It
	// reads little more than the ends of the file.
	Check(r io.ReaderAt, size int64) (fingerprint string, err error)
}

// A Verifier is a Checker that can read the whole of a file.
type Verifier interface {
	// Verify returns an error if r is not a whole file of the format.
	Verify(r io.Reader) error
}

// FingerprintKey is the key of a file's fingerprint, in the comments of formats
// that have comments.
const FingerprintKey = "breakwater-fingerprint"

// CheckFingerprint returns an error if s is not hexadecimal.
func CheckFingerprint(s string) error {
	if strings.Trim(s, "0123456789abcdef") != "" {
		return fmt.Errorf("fingerprint %q is not hexadecimal", s)
	}
	return nil
}
