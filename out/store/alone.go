package store

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

// alone is the lock of a folder: of all processes, one at a time changes the files that
// several write. It is a lock on the file of records or, on a file system that cannot lock
// files, a file of its own. It saves work but is not relied on: where it fails, a record or
// a row may be lost, and is then made again.
type alone struct {
	mu      sync.Mutex
	holders int    // calls within this process
	release func() // gives the lock back; nil without a lock
	hung    bool   // another process has kept the lock for too long, perhaps stopped by a signal
}

// aloneWait is how long to wait for other processes, which need milliseconds each.
const aloneWait = 30 * time.Second

// lockName is the file that stands for the lock where files cannot be locked. Its process
// touches it every lockBeat. Others take it over once it is older than lockAge, by the
// clock of the file system.
const (
	lockName = ".breakwater-lock"
	lockBeat = 4 * time.Second
	lockAge  = 20 * time.Second
)

// Alone calls f while no other process is in a call for this folder. Calls within this
// process do not exclude each other.
func (d *Dir) Alone(f func() error) error {
	defer d.sums.enter()()
	return f()
}

// enter takes the lock, if this process does not have it. leave gives it back.
func (s *sums) enter() (leave func()) {
	l := &s.alone
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders++; l.holders == 1 && locksHold {
		l.release = s.lock()
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.holders--; l.holders == 0 && l.release != nil {
			l.release()
			l.release = nil
		}
	}
}

// lock takes the lock and returns a function that gives it back, or nil if it cannot be had.
func (s *sums) lock() (release func()) {
	root, _ := s.dir.at(SumsName)
	end := time.Now().Add(aloneWait)
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		release, err := tryLock(root)
		if release != nil {
			s.alone.hung = false
			return release
		}
		if err != nil && err != errLocked || s.alone.hung || time.Now().After(end) {
			s.alone.hung = err == errLocked
			return nil
		}
		if err == errLocked {
			time.Sleep(wait)
		}
	}
}

// tryLock locks the file of records. Without a lock and an error, another process has put
// a new file in its place.
func tryLock(root *os.Root) (release func(), err error) {
	f, err := root.OpenFile(SumsName, os.O_RDWR|os.O_CREATE|openFlags, 0o666)
	if err != nil {
		return nil, err
	}
	switch err = lockFile(f); err {
	case nil:
		here, err1 := root.Lstat(SumsName)
		mine, err2 := f.Stat()
		if err1 == nil && err2 == nil && os.SameFile(here, mine) {
			return func() { f.Close() }, nil
		}
	case errLocked:
	default: // the file system cannot
		f.Close()
		return makeLock(root)
	}
	f.Close()
	return nil, err
}

// makeLock makes the file that stands for the lock. One that a dead process has left is
// removed first.
func makeLock(root *os.Root) (release func(), err error) {
	f, err := root.OpenFile(lockName, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		old, err := root.Lstat(lockName)
		if err != nil {
			return nil, nil // it is gone
		}
		// Only a lock that may be left is worth the file by which the clock is read.
		if age := time.Since(old.ModTime()); age < lockAge/2 && age > -lockAge {
			return nil, errLocked
		}
		if now, err := fileTime(root, "."); err != nil || now.Sub(old.ModTime()) < lockAge {
			return nil, errLocked
		}
		// Of several processes that see it, one takes this file away.
		gone := partName(lockName)
		if root.Rename(lockName, gone) != nil {
			return nil, errLocked
		}
		if taken, err := root.Lstat(gone); err == nil && !os.SameFile(taken, old) { // a new one
			_ = root.Link(gone, lockName)
		}
		_ = root.Remove(gone)
		return nil, errLocked
	case err != nil:
		return nil, err
	}
	mine, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	stop := keepYoung(root, lockName, lockBeat)
	return func() {
		stop()
		f.Close()
		if here, err := root.Lstat(lockName); err == nil && os.SameFile(here, mine) {
			_ = root.Remove(lockName)
		}
	}, nil
}
