package store

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"breakwater/out/outtest"
)

// TestAlone has several users of a folder count in one file: no count is lost.
func TestAlone(t *testing.T) {
	if !locksHold {
		t.Skip("this system has no locks")
	}
	const users, times = 4, 25
	path := t.TempDir()
	count := func(d *Dir) error {
		text, err := os.ReadFile(filepath.Join(path, "count"))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		n, _ := strconv.Atoi(string(text))
		return d.Write("count", func(w io.Writer) error {
			_, err := io.WriteString(w, strconv.Itoa(n+1))
			return err
		})
	}
	var all sync.WaitGroup
	for range users {
		all.Go(func() {
			d, err := OpenRun(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			for range times {
				if err := d.Alone(func() error { return count(d) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(filepath.Join(path, "count"))
	if err != nil || string(text) != strconv.Itoa(users*times) {
		t.Errorf("counted %s of %d, %v", text, users*times, err)
	}
}

// TestLockFile has several users of a folder whose file system cannot lock files: one at a
// time has the lock. A lock that a dead process has left is taken over, by one.
func TestLockFile(t *testing.T) {
	d := outtest.Dir(t, OpenDir)
	release, err := makeLock(d.root)
	if release == nil {
		t.Fatal(err)
	}
	if second, err := makeLock(d.root); second != nil || err != errLocked {
		t.Errorf("there is a second lock: %v", err)
	}
	release()
	if got := outtest.Files(t, d); len(got) != 0 {
		t.Errorf("left %v", got)
	}
	if err := os.WriteFile(filepath.Join(d.Path(), lockName), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-2 * lockAge)
	if err := d.root.Chtimes(lockName, past, past); err != nil {
		t.Fatal(err)
	}
	var count, inside, most atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				for {
					release, err := makeLock(d.root)
					if release == nil {
						if err != nil && err != errLocked {
							t.Error(err)
							return
						}
						continue
					}
					if n := inside.Add(1); n > most.Load() {
						most.Store(n)
					}
					count.Add(1)
					inside.Add(-1)
					release()
					break
				}
			}
		})
	}
	all.Wait()
	if count.Load() != 400 || most.Load() != 1 {
		t.Errorf("%d calls, %d at a time", count.Load(), most.Load())
	}
	if got := outtest.Files(t, d); len(got) != 0 {
		t.Errorf("left %v", got)
	}
}
