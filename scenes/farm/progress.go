package farm

import (
	"fmt"
	"slices"

	"breakwater/scenes/stage"
)

// Progress says how far a plan has come, and how long the rest takes.
type Progress struct {
	Frames                       int // of all films
	Made, Running, Failed, Later int // of them; those that a failed simulation lacks have failed

	Path   float64 // s, of the longest chain of tasks that are left; 0 if unknown
	Work   float64 // s, of all tasks that are left
	AtOnce int     // tasks that run now; 1 if none does
	Ends   float64 // s from now, if as many tasks run at a time to the end; 0 if unknown, or if a task has failed
}

// Progress returns the progress of tasks with a status, and predicts when each ends. Tasks take
// as long per frame as earlier tasks of their film and kind, or else as planned.
func (p *Plan) Progress(list []Status) Progress {
	g := Progress{Frames: p.Frames(), AtOnce: 1}
	g.Made = g.Frames
	stuck := stuckTasks(list)
	running := 0
	for _, s := range list {
		if s.Condition == Running {
			running++
		}
		if !slices.Contains(s.Stages, stage.Draw) {
			continue
		}
		g.Made -= s.Lacks
		switch {
		case s.Condition == Running:
			g.Running += s.Lacks
		case stuck[s.ID]:
			g.Failed += s.Lacks
		default:
			g.Later += s.Lacks
		}
	}
	g.AtOnce = max(1, running)

	left, known := remaining(list)
	if !known {
		return g
	}
	rest := Plan{}
	for i, s := range list {
		t := s.Task
		t.Seconds = left[i]
		rest.Tasks = append(rest.Tasks, t)
	}
	cost := rest.Cost()
	g.Path, g.Work = cost.Path, cost.Work
	if slices.ContainsFunc(list, func(s Status) bool { return stuck[s.ID] }) {
		return g
	}
	g.Ends = schedule(list, left, g.AtOnce)
	return g
}

// remaining returns the seconds that each task still takes. known reports whether the time of
// each task with frames is known.
func remaining(list []Status) (left []float64, known bool) {
	kind := func(s *Status) string { return fmt.Sprint(s.Film, s.Stages) }
	seconds, frames := map[string]float64{}, map[string]int{}
	for i := range list {
		s := &list[i]
		made := s.Last - s.First + 1 - s.Lacks
		if s.Mark != nil && s.Mark.Seconds > 0 && len(s.Stages) > 0 && made > 0 {
			seconds[kind(s)] += s.Mark.Seconds
			frames[kind(s)] += made
		}
	}
	left, known = make([]float64, len(list)), true
	for i := range list {
		s := &list[i]
		switch n := s.Last - s.First + 1; {
		case s.Condition == Done:
		case len(s.Stages) == 0: // as planned, or short
			left[i] = s.Seconds
		case frames[kind(s)] > 0:
			left[i] = seconds[kind(s)] / float64(frames[kind(s)]) * float64(s.Lacks)
		case s.Seconds > 0:
			left[i] = s.Seconds * float64(s.Lacks) / float64(n)
		default:
			known = false
		}
	}
	return left, known
}

// schedule predicts when the tasks end if some machines take them in their order, each as soon
// as those before it have ended. It returns the time of the last.
func schedule(list []Status, left []float64, machines int) (last float64) {
	free := make([]float64, machines) // times
	ends := map[string]float64{}
	for _, running := range []bool{true, false} {
		for i := range list {
			s := &list[i]
			if s.Condition == Done || (s.Condition == Running) != running {
				continue
			}
			begin := 0.0
			for _, id := range s.After {
				begin = max(begin, ends[id])
			}
			m := 0
			for k := range free {
				if free[k] < free[m] {
					m = k
				}
			}
			begin = max(begin, free[m])
			ends[s.ID] = begin + left[i]
			free[m] = ends[s.ID]
			s.Ends = ends[s.ID]
			last = max(last, s.Ends)
		}
	}
	return last
}
