package farm

import (
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"breakwater/out/store"
)

// markFolder is the subfolder of the plan with the marks of tasks.
const markFolder = "tasks"

// Mark says who runs a task, and how it has ended.
type Mark struct {
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	Exit  int    `json:"exit"`            // exit code; −1 while it runs
	Error string `json:"error,omitempty"` // why it failed

	Tries   int     `json:"tries"`
	Seconds float64 `json:"seconds"` // of all tries so far

	Seen time.Time `json:"-"` // when the task last said that it runs, or ended
}

// The mark of a task that runs is touched from time to time. One that was not for long is
// of a process that was killed.
const (
	markEvery = 15 * time.Second
	markAge   = time.Minute // by the clock of the file system
)

// Begin marks a task as running until end is called with its exit code and error.
func Begin(out, id string) (end func(code int, err error) error, err error) {
	dir, err := store.OpenDir(filepath.Join(out, Folder))
	if err != nil {
		return nil, err
	}
	name := path.Join(markFolder, id+".json")
	m := Mark{PID: os.Getpid(), Exit: -1, Tries: 1}
	m.Host, _ = os.Hostname()
	before, begun := 0.0, time.Now()
	if old := readMark(out, id); old != nil {
		m.Tries, before = old.Tries+1, old.Seconds
		m.Seconds = before
	}
	if err := dir.WriteJSON(name, m); err != nil {
		dir.Close()
		return nil, err
	}
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for tick := time.NewTicker(markEvery); ; {
			select {
			case <-over:
				tick.Stop()
				return
			case <-tick.C:
				m.Seconds = before + time.Since(begun).Seconds()
				_ = dir.WriteJSON(name, m) // it is only shown
			}
		}
	}()
	return func(code int, err error) error {
		defer dir.Close()
		close(over)
		<-stopped
		m.Seconds = before + time.Since(begun).Seconds()
		if m.Exit = code; err != nil {
			m.Error = err.Error()
		}
		failed := dir.WriteJSON(name, m)
		if store.DiskFull(failed) { // the old mark makes room, or it would say that the task runs
			if err := dir.Remove(name); err != nil {
				return err
			}
			failed = dir.WriteJSON(name, m)
		}
		return failed
	}, nil
}

// gone reports whether the process of a mark is known to be gone: it was on this machine, and
// no process has its number.
func (m *Mark) gone() bool {
	here, err := os.Hostname()
	if err != nil || m.Host != here {
		return false
	}
	p, err := os.FindProcess(m.PID)
	if err != nil {
		return false
	}
	defer p.Release()
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// readMark returns the mark of a task, nil without one.
func readMark(out, id string) *Mark {
	file := filepath.Join(out, Folder, markFolder, id+".json")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	info, err := os.Stat(file)
	m := &Mark{}
	if err != nil || json.Unmarshal(data, m) != nil {
		return nil
	}
	m.Seen = info.ModTime()
	return m
}
