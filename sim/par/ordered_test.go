package par

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestOrdered(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		var got []int
		err := Ordered(t.Context(), n, func(i int) (int, error) { return i * i, nil }, func(i, v int) error {
			if v != i*i {
				t.Errorf("item %d is %d", i, v)
			}
			got = append(got, i)
			return nil
		})
		if err != nil || len(got) != n || !slices.IsSorted(got) {
			t.Errorf("%d items: put %v, %v", n, got, err)
		}
	}
	// The first error in order is returned, and ends the calls.
	boom := errors.New("boom")
	put := 0
	err := Ordered(t.Context(), 1000, func(i int) (int, error) {
		if i == 20 {
			return 0, boom
		}
		return i, nil
	}, func(int, int) error { put++; return nil })
	if err != boom || put != 20 {
		t.Errorf("put %d of 20, %v", put, err)
	}
	err = Ordered(t.Context(), 1000, func(i int) (int, error) { return i, nil }, func(i, _ int) error { return boom })
	if err != boom {
		t.Errorf("an error of put: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = Ordered(ctx, 5, func(i int) (int, error) { t.Error("called"); return i, nil }, func(i, _ int) error { return nil })
	if err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
