package scenes

import (
	"math"
	"testing"
)

// TestLeastStrained chooses the spacings of trials: coarser ones where whole numbers of rows
// fill the blocks.
func TestLeastStrained(t *testing.T) {
	const one = "[[fluid]]\nkind = \"box\"\nmax = [0.98, 0.98, 0.98]\n"
	const two = one + "[[fluid]]\nkind = \"box\"\nmin = [1.5, 0, 0]\nmax = [2.2, 0.7, 0.98]\n"
	for _, c := range []struct {
		name, blocks  string
		x, most, want float64
	}{
		{"a whole number of rows", one, 0.0722, 0.08, 0.98 / 13},
		{"no coarser one in the range", one, 0.0722, 0.074, 0.0722},
		{"the lattice is cubic", one, 0.07, 0.08, 0.07},
		{"nearly cubic", one, 0.07 * 1.001, 0.08, 0.07 * 1.001},
		{"two blocks", two, 0.067, 0.08, 0.07},
		{"the spacing of the scene", one, 0.01, 0.08, 0.01},
		{"too thin for coarser liquid", one, 0.3, 0.5, 0.98 / 3},
	} {
		s, err := Read("x.toml", []byte("[liquid]\nspacing = 0.01\n[[wall]]\nkind = \"box\"\nmax = [3, 2, 2]\n"+c.blocks))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.LeastStrained(c.x, c.most); err != nil || math.Abs(got/c.want-1) > 1e-5 {
			t.Errorf("%s: %g m, %v; want %g m", c.name, got, err, c.want)
		}
	}
}
