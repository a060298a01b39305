package stage

import (
	"cmp"
	"context"
	"errors"

	"breakwater/out/pace"
)

// Loop makes the files of many frames, one frame after the other. The files of a frame
// are written while the next frame is computed.
type Loop struct {
	Event       Event // as the stage begins; Made counts the frames that are computed
	Pace        *pace.Pace
	Report      func(Event)
	Interrupted func(i int) *Interrupted // the error of a run that is stopped before frame i

	written func() error // waits for the files of a frame, and reports it; or nil
}

// ErrSkip is the error of a frame that is not made.
var ErrSkip = errors.New("skipped")

// Run calls compute for frames 0 … n−1. compute adds its results to e. It returns a
// function that writes the files and may add to e too, or nil if they are written. The
// two must not share memory with the next call of compute.
func (l *Loop) Run(ctx context.Context, n int, compute func(i int, e *Event) (write func() error, err error)) error {
	for i := range n {
		if ctx.Err() != nil {
			return cmp.Or(l.Wait(), error(l.Interrupted(i)))
		}
		e := l.Event
		e.Made++
		e.ETA = l.Pace.ETA()
		write, err := compute(i, &e)
		if err == ErrSkip {
			l.Pace.Skip()
			continue
		}
		if before := l.Wait(); before != nil {
			return before
		}
		if err != nil {
			if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
				return l.Interrupted(i)
			}
			return err
		}
		l.Event.Made++
		done := make(chan error, 1)
		l.written = func() error {
			if err := <-done; err != nil {
				return err
			}
			e.Kept = l.Event.Kept
			e.Seconds, e.ETA = l.Pace.Next(), l.Pace.ETA()
			l.Report(e)
			return nil
		}
		if write != nil {
			go func() { done <- write() }()
			continue
		}
		done <- nil
		if err := l.Wait(); err != nil {
			return err
		}
	}
	return l.Wait()
}

// Wait waits until the files of the last frame are written, and reports it.
func (l *Loop) Wait() error {
	written := l.written
	l.written = nil
	if written == nil {
		return nil
	}
	return written()
}
