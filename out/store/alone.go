package store

import (
	"os"
	"sync"
	"time"
)

// alone is the lock of a folder: of all processes, one at a time changes the files that
// several write. It is a lock on the file of records, and saves work but is not relied
// on: where it fails, a record or a row may be lost, and is then made again.
type alone struct {
	mu      sync.Mutex
	holders int      // calls within this process
	file    *os.File // locked; nil without a lock
	hung    bool     // another process has kept the lock for too long, perhaps stopped by a signal
}

// aloneWait is how long to wait for other processes, which need milliseconds each.
const aloneWait = 30 * time.Second

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
		l.file = s.lock()
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.holders--; l.holders == 0 && l.file != nil {
			l.file.Close()
			l.file = nil
		}
	}
}

// lock returns the file of records, locked, or nil if it cannot be locked.
func (s *sums) lock() *os.File {
	root, _ := s.dir.at(SumsName)
	end := time.Now().Add(aloneWait)
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		f, err := root.OpenFile(SumsName, os.O_RDWR|os.O_CREATE|openFlags, 0o666)
		if err != nil {
			return nil
		}
		err = lockFile(f)
		if err == nil {
			// Another process may have put a new file in its place.
			here, err1 := root.Lstat(SumsName)
			mine, err2 := f.Stat()
			if err1 == nil && err2 == nil && os.SameFile(here, mine) {
				s.alone.hung = false
				return f
			}
		}
		f.Close()
		if err != nil && err != errLocked || s.alone.hung || time.Now().After(end) {
			s.alone.hung = err == errLocked
			return nil
		}
		if err == errLocked {
			time.Sleep(wait)
		}
	}
}
