package stage

import (
	"context"
	"errors"
	"sync"

	"breakwater/out/pace"
	"breakwater/out/store"
)

// Whole is a file that is made of all frames of a run: a film or an archive.
type Whole struct {
	Dir    *store.Dir
	Name   string
	Event  Event // as the stage begins: Frames is how many there are
	First  int   // the number of the first frame
	Time   func(i int) float64
	Report func(Event)
}

// Write makes the file. encode calls read whenever it has read frame i, from 0: in
// any order, from any goroutine, and more than once for a frame if it likes. If ctx
// is done, the error is an *Interrupted.
func (w *Whole) Write(ctx context.Context, encode func(f *store.File, read func(i int)) error) error {
	e, frames := w.Event, w.Event.Frames
	p := pace.New(frames)
	var mu sync.Mutex
	seen := make([]bool, frames)
	err := w.Dir.WriteFile(w.Name, func(f *store.File) error {
		return encode(f, func(i int) {
			mu.Lock()
			defer mu.Unlock()
			if seen[i] {
				return
			}
			seen[i] = true
			e.Time = w.Time(e.Made)
			e.Made++
			e.Frame, e.Seconds, e.ETA = e.Made, p.Next(), p.ETA()
			w.Report(e)
		})
	})
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return &Interrupted{Stage: e.Stage, Frame: w.First, Last: w.First + frames - 1}
		}
		return err
	}
	w.end(e, frames, p.Seconds())
	return nil
}

// Keep reports that the file is there.
func (w *Whole) Keep() {
	e := w.Event
	e.Kept = e.Frames
	w.end(e, 0, 0)
}

func (w *Whole) end(e Event, made int, seconds float64) {
	e.Frame, e.Made, e.Seconds, e.ETA, e.Done = e.Frames, made, seconds, 0, true
	w.Report(e)
}
