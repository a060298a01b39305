package scenes

import (
	"strings"
	"testing"
)

// TestFull checks the time at which a tap fills a tank, and that tanks that may not run
// full are accepted.
func TestFull(t *testing.T) {
	// 0.0314 m³/s by 4 m/s through a disc of 0.1 m: 0.8 m³ in 25.5 s.
	tap := func(duration, wall, more string) string {
		return "[time]\nduration = " + duration + "\nfps = 5\n[liquid]\nspacing = 0.05\n[[fluid]]\nkind = \"box\"\nmax = [1, 0.2, 1]\n" +
			"[[inflow]]\nkind = \"disc\"\nposition = [0.5, 0.7, 0.5]\ndirection = [0, -1, 0]\nradius = 0.1\nspeed = 1\n" +
			"[[wall]]\n" + wall + "\n" + more
	}
	const box, ball = "kind = \"box\"\nmax = [1, 1, 1]", "kind = \"sphere\"\ninside = true\ncenter = [0.5, 0.5, 0.5]\nradius = 0.9"
	for _, c := range []struct {
		name, scene, want string
	}{
		{"closed", tap("30", box, ""), "full at 25.5 s"},
		{"parted by a box", tap("30", box, "[[wall]]\nkind = \"box\"\ninside = false\nmin = [0, 0.2, 0]\nmax = [0.3, 0.6, 1]\n"), "full at 22 s"},
		{"with a body", tap("30", box, "[[body]]\nkind = \"box\"\nmin = [0.1, 0.3, 0.1]\nmax = [0.3, 0.5, 0.3]\ndensity = 500\n"), "full at 25.2 s"},
		{"shorter", tap("25", box, ""), ""},
		{"open", tap("60", box+"\nopen = [\"y+\"]", ""), ""},
		{"drained", tap("60", box, "[[outflow]]\nkind = \"box\"\nmin = [0.7, 0, 0]\nmax = [0.9, 0.1, 0.2]\n"), ""},
		{"drained slowly", tap("60", box, "[[outflow]]\nkind = \"box\"\nmin = [0.7, 0, 0]\nmax = [0.9, 0.1, 0.2]\nflow = 0.01\n"), "full at 37."},
		{"drained enough", tap("60", box, "[[outflow]]\nkind = \"box\"\nmin = [0.7, 0, 0]\nmax = [0.9, 0.1, 0.2]\nflow = 0.03\n"), ""},
		{"in a ball", tap("120", ball, ""), "full at 9"},
	} {
		_, err := Read("x.toml", []byte(c.scene))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: got %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "inflow")):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
