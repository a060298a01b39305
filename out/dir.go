package out

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Dir is a folder that all files of a run go to. Names are relative to it,
// with slashes, and cannot lead out of it: not by "..", not by a symbolic
// link. Its methods are safe for concurrent use on different names.
type Dir struct {
	root *os.Root
	path string
}

// OpenDir opens the folder at path, which it makes if there is none.
func OpenDir(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("out: make folder %s: %w", path, bare(err))
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("out: open folder %s: %w", path, bare(err))
	}
	return &Dir{root, path}, nil
}

// Close lets go of the folder.
func (d *Dir) Close() error { return d.root.Close() }

// Path returns the path that the folder was opened by.
func (d *Dir) Path() string { return d.path }

// FS returns the folder for reading, as for fs.Glob and fs.WalkDir.
func (d *Dir) FS() fs.FS { return d.root.FS() }

// Open opens a file for reading.
func (d *Dir) Open(name string) (*os.File, error) {
	f, err := d.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("out: read %s: %w", d.shown(name), bare(err))
	}
	return f, nil
}

// Read opens a file, which f reads.
func (d *Dir) Read(name string, f func(r io.Reader) error) error {
	file, err := d.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := f(file); err != nil {
		return fmt.Errorf("out: read %s: %w", d.shown(name), bare(err))
	}
	return nil
}

// Remove deletes a file. It is no error if there is none.
func (d *Dir) Remove(name string) error {
	err := d.root.Remove(filepath.FromSlash(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("out: remove %s: %w", d.shown(name), bare(err))
	}
	return nil
}

// Fresh returns nil if the file is there, whole, and made from what
// fingerprint stands for; or else why it must be made again, which is
// fs.ErrNotExist if it is not there.
func (d *Dir) Fresh(name string, c Checker, fingerprint string) error {
	file, err := d.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("out: %s: %w", d.shown(name), bare(err))
	}
	got, err := c.Check(file, info.Size())
	if err != nil {
		return fmt.Errorf("out: %s: %w", d.shown(name), bare(err))
	}
	if got != fingerprint {
		return fmt.Errorf("out: %s: made from other settings", d.shown(name))
	}
	return nil
}

// shown returns the path of a file as a user knows it.
func (d *Dir) shown(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// File is a file being written, under a name for the time being.
type File struct {
	f    *os.File
	path string
}

// Write writes p at the file's position.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	return n, bare(err)
}

// Seek moves the file's position.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	n, err := f.f.Seek(offset, whence)
	return n, bare(err)
}

// check returns an error if what was written is not a whole file.
func (f *File) check(c Checker) error {
	info, err := f.f.Stat()
	if err != nil {
		return bare(err)
	}
	_, err = c.Check(f.f, info.Size())
	return err
}

// Path returns where the file is until it is whole, for another program to
// write it there.
func (f *File) Path() string { return f.path }

// Write makes or replaces a file with what f writes, in few large pieces.
// Folders on the way are made. Until all of the file is on the disk it has
// another name in the same folder; on an error, in f or after it, nothing is
// left of it, and what was there under the name stays.
func (d *Dir) Write(name string, f func(w io.Writer) error) error {
	return d.WriteFile(name, func(file *File) error {
		w := bufio.NewWriterSize(file, 1<<16)
		if err := f(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// WriteFile is Write for formats that go back to what they wrote, and for
// those that another program writes.
func (d *Dir) WriteFile(name string, f func(file *File) error) error {
	err := d.write(name, f)
	if diskFull(err) {
		return fmt.Errorf("out: write %s: the disk is full: free some space, or choose a folder elsewhere, and run again; what is whole is kept: %w", d.shown(name), err)
	}
	if err != nil {
		return fmt.Errorf("out: write %s: %w", d.shown(name), err)
	}
	return nil
}

func (d *Dir) write(name string, f func(file *File) error) error {
	name = path.Clean(name)
	folder, base := path.Split(name)
	folder = filepath.FromSlash(path.Clean(folder))
	if err := d.root.MkdirAll(folder, 0o777); err != nil {
		return bare(err)
	}
	temp := filepath.Join(folder, fmt.Sprintf(".%s.%d%s", base, os.Getpid(), partSuffix))
	if err := d.root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return bare(err)
	}
	file, err := d.root.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return bare(err)
	}
	done := false
	defer func() { // on an error and on a panic
		if !done {
			file.Close()
			d.root.Remove(temp)
		}
	}()
	if err := f(&File{file, filepath.Join(d.path, temp)}); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return bare(err)
	}
	if err := file.Close(); err != nil {
		return bare(err)
	}
	if err := d.root.Rename(temp, filepath.FromSlash(name)); err != nil {
		return bare(err)
	}
	done = true
	return bare(syncFolder(d.root, folder))
}

// partSuffix ends the names of files that are not whole. The process's number
// stands before it, so that a program left behind by a killed run cannot
// write into the next run's file.
const partSuffix = ".breakwater-part"

// Clean removes from the folders what runs that were killed left half
// written. A folder that is not there is clean.
func (d *Dir) Clean(folders ...string) error {
	for _, folder := range folders {
		entries, err := fs.ReadDir(d.FS(), folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("out: clean %s: %w", d.shown(folder), bare(err))
		}
		for _, e := range entries {
			if e.Type().IsRegular() && strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), partSuffix) {
				if err := d.Remove(path.Join(folder, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// bare returns err without the operation and path that package os puts in
// front of it: the path is relative or for the time being, and ours says it
// better.
func bare(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}
