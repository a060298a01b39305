package footprint

import "testing"

// TestFootprint has a ring of values that share memory.
func TestFootprint(t *testing.T) {
	type part struct {
		next *part
		list []int32
	}
	shared := make([]int32, 8, 10)
	a := &part{list: shared}
	a.next = &part{next: a, list: shared} // a ring
	f := New(8)
	if each, rest := f.Add(a); each != 40 || rest != 2*32 {
		t.Errorf("%g and %g bytes, want 40 and 64", each, rest)
	}
	if each, rest := f.Add([]any{a, "text"}); each != 0 || rest != 2*16+4 {
		t.Errorf("%g and %g bytes, want 0 and 36", each, rest)
	}
}
