package store

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
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
