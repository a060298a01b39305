package scenes

import (
	"fmt"
	"strings"
	"testing"
)

// TestFillNotes checks what is said of blocks: nothing of one whose edges are whole numbers
// of spacings, also around a body, the strain of others, and the room that particles do
// not fill in a round tank. A plan says the same.
func TestFillNotes(t *testing.T) {
	scene := func(block, wall string) string {
		return fmt.Sprintf("[liquid]\nspacing = 0.02\n[[fluid]]\n%s\n[[wall]]\n%s\n", block, wall)
	}
	tank := "kind = \"box\"\nmax = [1, 1, 0.4]"
	for _, c := range []struct {
		what, text string
		want       []string
	}{
		{"whole", scene("kind = \"box\"\nmax = [1, 0.3, 0.4]", tank), nil},
		{"around a body", scene("kind = \"box\"\nmax = [1, 0.3, 0.4]", tank+"\n[[body]]\nkind = \"box\"\nmin = [0.4, 0.1, 0.1]\nmax = [0.6, 0.4, 0.3]\ndensity = 700"), nil},
		{"almost whole", scene("kind = \"box\"\nmax = [1, 0.301, 0.4]", tank), nil},
		{"half a layer", scene("kind = \"box\"\nmax = [1, 0.31, 0.4]", tank), []string{
			"fluid[1] is not a whole number of spacings of 0.02 m along each edge; a cubic lattice would have 3.2 % less volume, so it has ",
		}},
		{"a plane", "[domain]\ndim = 2\n" + scene("kind = \"box\"\nmax = [1, 0.31, 0]", "kind = \"box\"\nmax = [1, 1, 0]"), []string{
			"fluid[1] is not a whole number of spacings of 0.02 m along each edge; a cubic lattice would have 3.2 % less volume, so it has ",
		}},
		{"a ball", scene("kind = \"sphere\"\nradius = 0.2\ncenter = [0.2, 0.2, 0.2]", "kind = \"sphere\"\nradius = 0.2\ncenter = [0.2, 0.2, 0.2]\ninside = true"), []string{
			"fluid[1] has 12.7 % less liquid",
		}},
	} {
		s, err := Read("fill.toml", []byte(c.text))
		if err != nil {
			t.Fatal(c.what, err)
		}
		for _, build := range []func() (*Built, error){s.Build, s.Plan} {
			b, err := build()
			if err != nil {
				t.Fatal(c.what, err)
			}
			if len(b.Notes) != len(c.want) {
				t.Errorf("%s: it says %q", c.what, b.Notes)
				continue
			}
			for i, want := range c.want {
				if !strings.HasPrefix(b.Notes[i], want) {
					t.Errorf("%s: it says %q, want %q", c.what, b.Notes[i], want)
				}
			}
		}
	}
}
