package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// partSuffix ends the names of files that are not whole. The process that writes such a
// file holds a lock on it, which the system releases when the process ends in any way.
// A part without a lock is a leftover.
const partSuffix = ".breakwater-part"

// partAge is how old a leftover must be where the file system has no locks.
const partAge = 24 * time.Hour

// newPart makes a file to be written under a name of its own, in the folder of
// the name that it will have.
func newPart(root *os.Root, folder, base string) (file *os.File, temp string, err error) {
	for k := 1; k <= 1000; k++ {
		temp = filepath.Join(folder, fmt.Sprintf(".%s.%d-%d%s", base, os.Getpid(), k, partSuffix))
		file, err = root.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) { // another host's process may have this number
			continue
		}
		if err != nil {
			return nil, "", Bare(err)
		}
		// Another process may have cleaned it away before the lock was there.
		held := lockFile(file) == errLocked
		here, err1 := root.Lstat(temp)
		mine, err2 := file.Stat()
		if !held && err1 == nil && err2 == nil && os.SameFile(here, mine) {
			return file, temp, nil
		}
		file.Close()
	}
	return nil, "", fmt.Errorf("too many files %s", filepath.Join(folder, "."+base+".*"+partSuffix))
}

// Clean removes the unfinished files of killed processes from the folders. Files that a
// living process is writing stay. A missing folder is clean.
func (d *Dir) Clean(folders ...string) error {
	for _, folder := range folders {
		entries, err := d.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clean %s: %w", d.shown(folder), Bare(err))
		}
		for _, e := range entries {
			if e.Type().IsRegular() && strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), partSuffix) {
				d.cleanPart(path.Join(folder, e.Name()))
			}
		}
	}
	return nil
}

// cleanPart removes a part if no process writes it. One that cannot be removed
// is somebody else's, and harms nobody.
func (d *Dir) cleanPart(name string) {
	root, rest := d.at(name)
	f, err := root.OpenFile(rest, os.O_RDWR|openFlags, 0)
	if err != nil {
		return
	}
	switch err := lockFile(f); {
	case err == errLocked:
	case err == nil && locksHold:
		root.Remove(rest)
	default:
		if info, err := f.Stat(); err == nil && time.Since(info.ModTime()) > partAge {
			f.Close()
			root.Remove(rest)
			return
		}
	}
	f.Close()
}

// Share makes a folder, for files that go in the end, known to be in use by
// this process. The last process that calls leave with gone set removes the
// folder with all that is in it.
func (d *Dir) Share(folder string) (leave func(gone bool) error, err error) {
	var f *os.File
	for range 100 { // another process may be removing it
		if err := d.root.MkdirAll(filepath.FromSlash(folder), 0o777); err != nil {
			return nil, fmt.Errorf("make folder %s: %w", d.shown(folder), Bare(err))
		}
		if f, err = d.root.Open(filepath.FromSlash(folder)); err != nil {
			continue
		}
		_ = shareLock(f) // without locks, a process is assumed to be alone
		here, err1 := d.root.Stat(filepath.FromSlash(folder))
		mine, err2 := f.Stat()
		if err1 == nil && err2 == nil && os.SameFile(here, mine) {
			return func(gone bool) error { return d.leave(folder, f, gone) }, nil
		}
		f.Close()
	}
	return nil, fmt.Errorf("make folder %s: another process is removing it", d.shown(folder))
}

func (d *Dir) leave(folder string, f *os.File, gone bool) error {
	defer f.Close()
	if lockFile(f) == errLocked {
		return nil
	}
	if !locksHold { // an open folder may not be removable there
		f.Close()
	}
	var entries []fs.DirEntry
	if gone {
		entries, _ = d.ReadDir(folder)
	}
	for _, e := range entries {
		if err := d.Remove(path.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	if err := d.root.Remove(filepath.FromSlash(folder)); err != nil && gone {
		return fmt.Errorf("remove %s: %w", d.shown(folder), Bare(err))
	}
	return nil
}

// errLocked is the error of a file that another process has locked.
var errLocked = errors.New("locked by another process")
