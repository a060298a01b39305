// Package store is the folder of a run on disk. A file gets its name when it is
// complete, and no name leads out of the folder:
//
//	dir.go       the folder; files being written
//	part.go      files that are not complete yet, and their locks (lock_OS.go)
//	log.go       text files that grow at their end
//	alone.go     a lock for files that several processes write
//	sums.go      a record of the size, time and checksums of each file
//	frames.go    frames in the names of files, and the records of some frames each
//	verify.go    whether a file is as it was written, and made from given settings
//	check.go     what a format must say of a file; names and fingerprints
//	manifest.go  the list of everything that a run made
//	free.go      free space of the disk (free_OS.go)
//	input.go     files that a user has named
package store

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
	"sync/atomic"
)

// Dir is a folder that all files of a run go to. Names are relative to it,
// with slashes, and cannot lead out of it: not by "..", not by a symbolic
// link, but for the links that OpenRun follows. Its methods are safe for
// concurrent use on different names.
type Dir struct {
	root    *os.Root
	path    string
	links   map[string]*os.Root // folders elsewhere, by the names of the links to them
	made    []string            // folders that were made for it, the innermost first
	sums    *sums               // nil in a folder without records
	adopted atomic.Int64
}

// OpenDir opens the folder at path, and makes it if it does not exist.
func OpenDir(path string) (*Dir, error) {
	var made []string
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(p) == p {
			break
		}
		made = append(made, p)
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("make folder %s: %w", path, Bare(err))
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", path, Bare(err))
	}
	return &Dir{root: root, path: path, made: made}, nil
}

// OpenRun opens the folder of a run, which has a record of each file as written; see
// SumsName. Those of the named folders in it that are symbolic links, which only a user
// can have made, are followed wherever they lead.
func OpenRun(path string, folders ...string) (*Dir, error) {
	d, err := OpenDir(path)
	if err != nil {
		return nil, err
	}
	if err := d.follow(folders); err != nil {
		d.Close()
		return nil, err
	}
	d.sums = &sums{dir: d, files: map[string]*recordFile{}}
	if _, err := d.sums.file(SumsName); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// follow opens the folders that are links.
func (d *Dir) follow(folders []string) error {
	d.links = map[string]*os.Root{}
	for _, name := range folders {
		info, err := d.root.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		root, err := os.OpenRoot(filepath.Join(d.path, name))
		if err != nil {
			to, _ := os.Readlink(filepath.Join(d.path, name))
			return fmt.Errorf("%s is a link to %s, which is not a folder that can be opened: %w; make the folder, or remove the link", d.shown(name), to, Bare(err))
		}
		d.links[name] = root
	}
	return nil
}

// at returns the folder that a name is in, and its name there.
func (d *Dir) at(name string) (root *os.Root, rest string) {
	first, rest, _ := strings.Cut(path.Clean(name), "/")
	if root := d.links[first]; root != nil {
		return root, filepath.FromSlash(path.Clean(rest))
	}
	return d.root, filepath.FromSlash(name)
}

// Close lets go of the folder. Folders that were made for it go if there is
// nothing in them.
func (d *Dir) Close() error {
	if d.sums != nil {
		_ = d.sums.compact() // the file does as it is
	}
	for _, root := range d.links {
		root.Close()
	}
	err := d.root.Close()
	for _, p := range d.made {
		if os.Remove(p) != nil {
			break
		}
	}
	return err
}

// Path returns the path that the folder was opened by.
func (d *Dir) Path() string { return d.path }

// ReadDir lists a folder in it, sorted by name.
func (d *Dir) ReadDir(folder string) ([]fs.DirEntry, error) {
	root, rest := d.at(folder)
	return fs.ReadDir(root.FS(), filepath.ToSlash(rest))
}

// Stat describes a file, or a link to it.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	root, rest := d.at(name)
	info, err := root.Lstat(rest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.shown(name), Bare(err))
	}
	return info, nil
}

// Open opens a file for reading. Anything but a regular file, such as a fifo, which
// would never end, is reported as *Damaged.
func (d *Dir) Open(name string) (*os.File, error) {
	root, rest := d.at(name)
	f, err := root.OpenFile(rest, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, d.readError(name, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		f.Close()
		return nil, d.damaged(name, errNotAFile)
	}
	return f, nil
}

// Remove deletes a file. A missing file is not an error.
func (d *Dir) Remove(name string) error {
	root, rest := d.at(name)
	err := root.Remove(rest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", d.shown(name), Bare(err))
	}
	if err == nil && d.Recorded(name) {
		d.note(name, record{size: -1})
	}
	return nil
}

// shown returns the path of a file as a user knows it.
func (d *Dir) shown(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// File is a file being written, under a name for the time being.
type File struct {
	f    *os.File
	path string
	sums *summer // of the written bytes, nil if they are not written in sequence
}

// Write writes p at the file's position.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	return n, Bare(err)
}

// Seek moves the file's position.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	n, err := f.f.Seek(offset, whence)
	return n, Bare(err)
}

// Check returns an error if the written data are not a whole file.
func (f *File) Check(c Checker) error {
	info, err := f.f.Stat()
	if err != nil {
		return Bare(err)
	}
	_, err = c.Check(f.f, info.Size())
	return err
}

// Path returns where the file is until it is whole, for another program to
// write it there.
func (f *File) Path() string { return f.path }

// Write makes or replaces a file with the output of f, in few large pieces. It makes
// missing folders on the way. Until all of the file is on the disk it has another name in
// the same folder. On an error, in f or after it, this file is removed, and the previous
// file of the name stays.
func (d *Dir) Write(name string, f func(w io.Writer) error) error {
	return d.WriteFile(name, func(file *File) error {
		var to io.Writer = file
		if d.sums != nil {
			file.sums = newSummer()
			to = io.MultiWriter(file, file.sums)
		}
		w := bufio.NewWriterSize(to, 1<<16)
		if err := f(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// WriteFile is Write for formats that rewrite earlier parts, and for files that another
// program writes.
func (d *Dir) WriteFile(name string, f func(file *File) error) error {
	if err := d.write(name, f); err != nil {
		return d.writeError(name, err)
	}
	return nil
}

// SmallDisk is the error of files that will not fit on a disk.
type SmallDisk struct{ Err error }

func (e SmallDisk) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e SmallDisk) Unwrap() error { return e.Err }

// DiskFull reports whether err is for want of space on a disk.
func DiskFull(err error) bool {
	var small SmallDisk
	return diskFull(err) || errors.As(err, &small)
}

// writeError says what could not be written, and what helps if the disk is full.
func (d *Dir) writeError(name string, err error) error {
	if diskFull(err) {
		return fmt.Errorf("write %s: the disk is full: free some space or choose another folder, and run again; complete files are kept: %w", d.shown(name), err)
	}
	return fmt.Errorf("write %s: %w", d.shown(name), err)
}

func (d *Dir) readError(name string, err error) error {
	return fmt.Errorf("read %s: %w", d.shown(name), Bare(err))
}

func (d *Dir) write(name string, f func(file *File) error) error {
	name = path.Clean(name)
	root, rest := d.at(name)
	folder, base := filepath.Split(rest)
	folder = filepath.Clean(folder)
	_, missing := root.Stat(folder)
	if err := root.MkdirAll(folder, 0o777); err != nil {
		return Bare(err)
	}
	file, temp, err := newPart(root, folder, base)
	if err != nil {
		return err
	}
	done := false
	defer func() { // on an error and on a panic
		if !done {
			file.Close()
			root.Remove(temp)
			if missing != nil {
				root.Remove(folder)
			}
		}
	}()
	shown := filepath.Join(filepath.Dir(d.shown(name)), filepath.Base(temp))
	written := &File{f: file, path: shown}
	if err := whileYoung(root, temp, func() error { return f(written) }); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return Bare(err)
	}
	if err := d.record(name, written); err != nil {
		return err
	}
	if info, err := root.Lstat(rest); err == nil && info.IsDir() {
		if err := root.Remove(rest); err != nil {
			return errors.New("there is a non-empty folder of this name: move it away")
		}
	}
	mine, err := file.Stat()
	if err != nil {
		return Bare(err)
	}
	err = rename(file, func() error { return renameIn(root, temp, rest) })
	if errors.Is(err, fs.ErrNotExist) {
		// A network file system says so of a rename that it has done and asks for again,
		// because the first answer was lost.
		if there, e := root.Lstat(rest); e == nil && os.SameFile(there, mine) {
			file.Close() // it is synced
			err = nil
		}
	}
	if err != nil {
		return Bare(err)
	}
	done = true
	return Bare(syncFolder(root, folder))
}

// renameIn renames a file; tests have file systems that fail.
var renameIn = (*os.Root).Rename

// record adds a file that is written, under a name for the time being, to the
// records of a folder that has any.
func (d *Dir) record(name string, file *File) error {
	if d.sums == nil || hasRecords(name) {
		return nil
	}
	s := file.sums
	if s == nil {
		s = newSummer()
		if _, err := file.f.Seek(0, io.SeekStart); err != nil {
			return Bare(err)
		}
		if _, err := io.Copy(s, file.f); err != nil {
			return Bare(err)
		}
	}
	info, err := file.f.Stat()
	if err != nil {
		return Bare(err)
	}
	return d.sums.add(name, s.record(info.ModTime()))
}

// Bare returns err without the operation and path that package os puts in
// front of it: the path is relative or for the time being, and ours says it
// better.
func Bare(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}
