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

// TestMostCoarser allows larger cells where sources and bodies keep three of them across, and no
// vortex but noise says how large a cell may be.
func TestMostCoarser(t *testing.T) {
	const source, noise = "[[source]]\nkind = \"sphere\"\ncenter = [0, 1, 0]\nradius = 0.6\ntracers = 9\n", "[[vortex]]\nkind = \"noise\"\n"
	for _, c := range []struct {
		text string
		want float64
	}{
		{source, 4},
		{source + noise, 4},
		{source + "[[vortex]]\nkind = \"ring\"\nradius = 0.5\ncore = 0.1\n", 1},
		{source + "[[wall]]\nkind = \"plane\"\n", 4},
		{source + "[[wall]]\nkind = \"sphere\"\ncenter = [3, 0, 0]\nradius = 0.3\ninside = false\n", 2},
		{noise, math.Inf(1)},
	} {
		s := mustRead(t, "[gas]\ncell = 0.1\n[solver]\nkind = \"mesh\"\n"+c.text)
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		if got := s.MostCoarser(b); got != c.want && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s\n%g, want %g", c.text, got, c.want)
		}
	}
}
