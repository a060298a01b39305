package figure

import "testing"

// TestLoweredDigits checks that a digit below the line is written as one that is
// set lower by hand, large enough to be read.
func TestLoweredDigits(t *testing.T) {
	for _, c := range [][2]string{{"E/E₀ − 1", "E/E_{0} − 1"}, {"ρ₀", "ρ_{0}"}, {"a₁₂", "a_{1}_{2}"}} {
		a, err := outline(c[0], Type{Size: 10})
		if err != nil {
			t.Fatal(err)
		}
		b, err := outline(c[1], Type{Size: 10})
		if err != nil {
			t.Fatal(err)
		}
		if a.width != b.width || a.down != b.down || len(a.path) != len(b.path) {
			t.Errorf("%s is %g wide, %s %g", c[0], a.width, c[1], b.width)
		}
	}
	sub, err := outline("₀", Type{Size: 10})
	if err != nil {
		t.Fatal(err)
	}
	if full := (Type{Size: 10}).Width("0"); sub.width < 0.7*full {
		t.Errorf("₀ is %g wide, and 0 %g", sub.width, full)
	}
}
