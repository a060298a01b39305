package film

import (
	"context"

	"breakwater/sim/par"
)

// inPairs is par.Ordered for work that compares each item with the one before. load(i)
// is called once for each i. work gets its results for i−1, which is T's zero for the
// first, and for i. Loaded values must not be changed.
func inPairs[T, V any](ctx context.Context, n int, load func(i int) (T, error), work func(i int, before, now T) (V, error), put func(i int, v V) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// One item is loaded before the next is begun, so that to wait for it is
	// to wait for work under way; what fails ends all that wait.
	loaded := make([]chan T, n)
	for i := range loaded {
		loaded[i] = make(chan T, 1)
	}
	failed := func(err error) error {
		if err != nil {
			cancel(err)
		}
		return err
	}
	err := par.Ordered(ctx, n, func(i int) (v V, err error) {
		now, err := load(i)
		if err != nil {
			return v, failed(err)
		}
		loaded[i] <- now
		var before T
		if i > 0 {
			select {
			case before = <-loaded[i-1]:
			case <-ctx.Done():
				return v, context.Cause(ctx)
			}
		}
		v, err = work(i, before, now)
		return v, failed(err)
	}, func(i int, v V) error { return failed(put(i, v)) })
	if err != nil && context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	return err
}
