package farm

import (
	"path/filepath"
	"slices"
	"time"

	"breakwater/out/store"
	"breakwater/scenes/run"
)

// Condition is how far a task has come.
type Condition string

const (
	Done    Condition = "done"
	Running Condition = "running"
	Failed  Condition = "failed"
	Waiting Condition = "waiting" // or it was killed
)

// Status says how far a task has come.
type Status struct {
	Task
	Condition Condition `json:"condition"`
	Lacks     int       `json:"lacks"`          // frames that are missing
	Mark      *Mark     `json:"mark,omitempty"` // nil if it never ran
	Ends      float64   `json:"ends,omitempty"` // s from now, as predicted; 0 if it is done or this is not known
}

// Status returns the status of all tasks, from the files in the folder of the run.
func (p *Plan) Status(out string) (list []Status, err error) {
	looks, all := make([]*run.Look, len(p.Films)), make([]bool, len(p.Films)) // all: tasks before are done
	for i, f := range p.Films {
		s, err := p.load(out, i)
		if err != nil {
			return nil, err
		}
		if looks[i], err = run.NewLook(s, filepath.Join(out, f.Folder)); err != nil {
			return nil, err
		}
		defer looks[i].Close()
		all[i] = true
	}
	now := clock(out)
	for _, t := range p.Tasks {
		st := Status{Task: t, Mark: readMark(out, t.ID)}
		done := false
		if t.Sums {
			done = p.Summary.Written(out)
		} else if len(t.Stages) > 0 {
			st.Lacks = looks[t.Film].Lacks(t.Stages, t.First, t.Last)
			done = st.Lacks == 0
		} else {
			done = all[t.Film] && looks[t.Film].Ended()
		}
		all[t.Film] = all[t.Film] && (done || t.Sums)
		m := st.Mark
		switch {
		case m != nil && m.Exit < 0 && now.Sub(m.Seen) < markAge && !m.gone():
			st.Condition = Running
		case done:
			st.Condition = Done
		case m != nil && m.Exit > 0:
			st.Condition = Failed
		default:
			st.Condition = Waiting
		}
		list = append(list, st)
	}
	return list, nil
}

// clock returns the time by the clock of the file system, which marks have their times from,
// or by this machine's clock where nothing can be written.
func clock(out string) time.Time {
	dir, err := store.OpenDir(filepath.Join(out, Folder))
	if err != nil {
		return time.Now()
	}
	defer dir.Close()
	if now, err := dir.Now(); err == nil {
		return now
	}
	return time.Now()
}

// Missing returns the tasks that are neither done nor running. They depend on each other
// and on running tasks alone.
func Missing(list []Status) (tasks []Task) {
	for _, s := range list {
		if s.Condition == Failed || s.Condition == Waiting {
			tasks = append(tasks, s.Task)
		}
	}
	return tasks
}

// ExitAgain is the exit status of a task that was stopped, or whose input was late:
// EX_TEMPFAIL of sysexits.h. Engines try it again.
const ExitAgain = 75

// GoesOn reports whether a task runs, or can still begin: one that waits, and those that it
// depends on have not failed for good. The engine is not asked, so tasks that were cancelled
// count as waiting.
func GoesOn(list []Status) bool {
	stuck := stuckTasks(list)
	return slices.ContainsFunc(list, func(s Status) bool {
		return s.Condition == Running || s.Condition != Done && !stuck[s.ID]
	})
}

// stuckTasks returns the tasks that are not done and have failed for good, or depend on such.
func stuckTasks(list []Status) map[string]bool {
	stuck := map[string]bool{}
	for _, s := range list { // those that it depends on come first
		again := s.Condition == Failed && s.Mark.Exit == ExitAgain
		behind := slices.ContainsFunc(s.After, func(id string) bool { return stuck[id] })
		stuck[s.ID] = s.Condition != Done && (behind || s.Condition == Failed && !again)
	}
	return stuck
}
