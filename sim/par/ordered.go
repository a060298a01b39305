package par

import (
	"context"
	"runtime"
)

// Ordered calls work(0) … work(n−1) from as many goroutines as there are cores, and put
// with the results, one at a time, in order. Work runs ahead of put by no more than twice
// the cores, which bounds the memory. It returns the error of the first i that has one,
// or the error of ctx, after all calls have returned.
func Ordered[T any](ctx context.Context, n int, work func(i int) (T, error), put func(i int, v T) error) error {
	type result struct {
		v   T
		err error
	}
	ctx, cancel := context.WithCancel(ctx)
	workers := min(runtime.GOMAXPROCS(0), n)
	jobs := make(chan func(), workers)       // taken by the workers
	turns := make(chan chan result, workers) // results to come, in order
	for range workers {
		go func() {
			for job := range jobs {
				job()
			}
		}()
	}
	go func() {
		defer close(turns)
		defer close(jobs)
		for i := range n {
			if ctx.Err() != nil {
				return
			}
			turn := make(chan result, 1)
			turns <- turn
			jobs <- func() {
				var r result
				if r.err = ctx.Err(); r.err == nil {
					r.v, r.err = work(i)
				}
				turn <- r
			}
		}
	}()
	var err error
	i := 0
	for turn := range turns { // to the end, so that no call outlives this one
		r := <-turn
		if err == nil {
			if err = r.err; err == nil {
				err = put(i, r.v)
			}
			if err != nil {
				cancel()
			}
		}
		i++
	}
	if err == nil {
		err = ctx.Err()
	}
	cancel()
	return err
}
