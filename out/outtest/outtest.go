// Package outtest has the shared helpers of the tests of packages that write files:
//
//	outtest.go    folders and files of a test
//	picture.go    pictures of a film
//	sparse.go     files of more than 4 GB, which take no room on the disk
//	memory.go     the growth of the memory in use over a long run
//	full_linux.go a disk that is full
package outtest

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir returns a new folder, opened by open and closed at the end of the test.
func Dir[D io.Closer](t testing.TB, open func(path string) (D, error)) D {
	t.Helper()
	d, err := open(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// A Folder has a path.
type Folder interface{ Path() string }

// Files lists the files of d, hidden files included.
func Files(t testing.TB, d Folder) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(d.Path()), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Contents returns the contents of the named file of d.
func Contents(t testing.TB, d Folder, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(d.Path(), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Symlink makes a symbolic link to target at path. Windows asks for a privilege to make
// one, so there the test is skipped if it fails.
func Symlink(t testing.TB, target, path string) {
	t.Helper()
	err := os.Symlink(target, path)
	if err != nil && runtime.GOOS == "windows" {
		t.Skipf("making symbolic links takes a privilege on Windows: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Text returns a function that writes s.
func Text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}
