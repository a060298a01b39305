package scenes

import (
	"fmt"
	"strings"
	"testing"
)

// TestLightBodies checks that a ball is named which is so light for its size that the solver isph
// loses it, and that no other is.
func TestLightBodies(t *testing.T) {
	for _, c := range []struct {
		density float64
		solver  string
		spacing float64
		want    string
	}{
		{2, "isph", 0.08, "body[1] has 2 kg/m³ and is 4.5 spacings wide"},
		{2, "iisph", 0.08, ""},
		{3.2, "isph", 0.08, ""},
		{2, "isph", 0.04, ""},
	} {
		s, err := Read("x.toml", fmt.Appendf(nil, "[liquid]\nspacing = %g\n[solver]\nkind = %q\n[[fluid]]\nkind = \"box\"\nmax = [1.2, 0.56, 0.8]\n[[wall]]\nkind = \"box\"\nmax = [1.2, 1.2, 0.8]\n[[body]]\nkind = \"sphere\"\ncenter = [0.75, 0.3, 0.4]\nradius = 0.18\ndensity = %g\n", c.spacing, c.solver, c.density))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(b.Warnings, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%g kg/m³ with %s, %g m apart: it says %q, want %q", c.density, c.solver, c.spacing, got, c.want)
		}
	}
}
