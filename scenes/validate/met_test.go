package validate

import (
	"math"
	"testing"
)

// TestMet holds that a result that is not a number misses any goal, and that one for information
// only has none.
func TestMet(t *testing.T) {
	for _, m := range []Measure{number("x", "", math.NaN(), 1, 1, 0.1), curve("x", math.NaN(), 0.1), number("x", "", 1.2, 1, 1, 0.1)} {
		if m.Met() {
			t.Errorf("%+v is met", m)
		}
	}
	for _, m := range []Measure{note("x", "", math.NaN()), curve("x", math.NaN(), noGoal), number("x", "", 1.05, 1, 1, 0.1)} {
		if !m.Met() {
			t.Errorf("%+v is missed", m)
		}
	}
}
