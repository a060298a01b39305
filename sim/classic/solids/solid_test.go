package solids

import (
	"testing"

	"breakwater/sim/vec"
)

// TestExtent checks that a long box has its own extent, and a turned one the extent of its ball.
func TestExtent(t *testing.T) {
	s := NewBox(vec.New(1, 2, 3), vec.New(0.5, 0.25, 10))
	if got, want := s.Extent(), (vec.Box{Min: vec.New(0.5, 1.75, -7), Max: vec.New(1.5, 2.25, 13)}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	s.Turn = vec.Turn(vec.New(0, 0.3, 0.2)).Columns()
	if got := s.Extent(); got != s.Bounds() {
		t.Errorf("%v, want %v", got, s.Bounds())
	}
}
