package stage

import (
	"context"
	"errors"
	"slices"
	"testing"

	"breakwater/out/store"
)

// TestWhole reads frames out of order and twice: each counts once. A context that is
// done interrupts.
func TestWhole(t *testing.T) {
	dir, err := store.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	var made []int
	var last Event
	w := Whole{
		Dir: dir, Name: "a.bin", Event: Event{Stage: Export, What: "a.bin", Frames: 3}, First: 5,
		Time: func(i int) float64 { return float64(i) / 10 }, Report: func(e Event) { made, last = append(made, e.Made), e },
	}
	err = w.Write(context.Background(), func(f *store.File, read func(i int)) error {
		for _, i := range []int{1, 0, 1, 2, 0} {
			read(i)
		}
		_, err := f.Write([]byte("whole"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(made, []int{1, 2, 3, 3}) || !last.Done || last.Frame != 3 || last.Time != 0.2 {
		t.Errorf("made %v, last %+v", made, last)
	}
	if w.Keep(); !last.Done || last.Kept != 3 || last.Made != 0 {
		t.Errorf("a file that is kept ends with %+v", last)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	err = w.Write(ctx, func(*store.File, func(int)) error { return ctx.Err() })
	if at := new(Interrupted); !errors.As(err, &at) || at.Frame != 5 || at.Last != 7 {
		t.Errorf("got %v, want an interruption at frame 5 of 7", err)
	}
}
