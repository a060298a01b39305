package stage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"breakwater/out/pace"
)

// loop returns a loop of n frames, and the events that it reports.
func loop(n int) (*Loop, *[]Event) {
	events := new([]Event)
	return &Loop{
		Event: Event{Stage: Mesh, Frames: n}, Pace: pace.New(n), Report: func(e Event) { *events = append(*events, e) },
		Interrupted: func(i int) *Interrupted { return &Interrupted{Stage: Mesh, Frame: i + 1, Last: n} },
	}, events
}

// TestLoop writes a frame while the next is computed, skips one, and reports each other
// frame once, in order.
func TestLoop(t *testing.T) {
	l, events := loop(5)
	computed := make(chan int, 5)
	err := l.Run(context.Background(), 5, func(i int, e *Event) (func() error, error) {
		computed <- i
		e.Frame = i + 1
		switch i {
		case 1:
			l.Event.Kept++
			return nil, ErrSkip
		case 2:
			return nil, nil
		}
		return func() error {
			if i == 0 { // does not end before the next frames are computed
				for <-computed != 2 {
				}
			}
			e.Triangles = 10 * i
			return nil
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range *events {
		got = append(got, fmt.Sprint(e.Frame, e.Made, e.Kept, e.Triangles))
	}
	if want := []string{"1 1 1 0", "3 2 1 0", "4 3 1 30", "5 4 1 40"}; !slices.Equal(got, want) || l.Event.Made != 4 {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLoopFails ends at the first error of a frame or of its files, and where ctx is done.
func TestLoopFails(t *testing.T) {
	full := errors.New("no space left")
	for name, c := range map[string]struct {
		compute func(i int) (func() error, error)
		want    error
		made    int
	}{
		"compute": {func(i int) (func() error, error) {
			if i == 2 {
				return nil, full
			}
			return func() error { return nil }, nil
		}, full, 2},
		"write": {func(i int) (func() error, error) {
			return func() error {
				if i == 1 {
					return full
				}
				return nil
			}, nil
		}, full, 1},
		"write before compute": {func(i int) (func() error, error) {
			return func() error { return full }, errors.Join(nil, map[int]error{1: errors.New("later")}[i])
		}, full, 0},
	} {
		l, events := loop(4)
		err := l.Run(context.Background(), 4, func(i int, _ *Event) (func() error, error) { return c.compute(i) })
		if !errors.Is(err, c.want) || len(*events) != c.made {
			t.Errorf("%s: %v after %d frames, want %v after %d", name, err, len(*events), c.want, c.made)
		}
		if err := l.Wait(); err != nil {
			t.Errorf("%s: the error is returned again: %v", name, err)
		}
	}
	for _, within := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		l, events := loop(4)
		err := l.Run(ctx, 4, func(i int, _ *Event) (func() error, error) {
			if i == 1 {
				cancel()
				if within {
					return nil, fmt.Errorf("frame 2: %w", ctx.Err())
				}
			}
			return func() error { return nil }, nil
		})
		want, made := Interrupted{Stage: Mesh, Frame: 3, Last: 4}, 2
		if within {
			want.Frame, made = 2, 1
		}
		var stopped *Interrupted
		if !errors.As(err, &stopped) || *stopped != want || len(*events) != made {
			t.Errorf("stopped within a frame is %t: %v after %d frames", within, err, len(*events))
		}
	}
}
