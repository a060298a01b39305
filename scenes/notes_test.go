package scenes

import (
	"fmt"
	"math"
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
		{"a ball", scene("kind = \"sphere\"\nradius = 0.2\ncenter = [0.2, 0.2, 0.2]", "kind = \"sphere\"\nradius = 0.2\ncenter = [0.2, 0.2, 0.2]\ninside = true"), nil},
		{"a ball by iisph", scene("kind = \"sphere\"\nradius = 0.2\ncenter = [0.2, 0.2, 0.2]", "kind = \"sphere\"\nradius = 0.2\ncenter = [0.2, 0.2, 0.2]\ninside = true\n[solver]\nkind = \"iisph\""), []string{
			"fluid[1] has 15.5 % less liquid",
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

// TestUnstrained checks that the note of a block whose rows fit without strain says nothing
// of strain.
func TestUnstrained(t *testing.T) {
	s, err := Read("fill.toml", []byte("[liquid]\nspacing = 0.06\n[[fluid]]\nkind = \"box\"\nmax = [0.9, 0.8, 0.9]\n[[wall]]\nkind = \"box\"\nmax = [2, 2, 0.9]\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Notes) != 1 || !strings.HasSuffix(b.Notes[0], "so it has 15 × 13.33 × 15 rows") {
		t.Errorf("it says %q", b.Notes)
	}
}

// TestFilmLength checks that a film ends where its duration or its end says, and that
// a note reports rounding to whole frames.
func TestFilmLength(t *testing.T) {
	const rest = "[liquid]\nspacing = 0.1\n[[fluid]]\nkind = \"box\"\nmax = [1, 0.3, 0.4]\n[[wall]]\nkind = \"box\"\nmax = [1, 1, 0.4]\n"
	for _, c := range []struct {
		time      string
		frames    int
		last, len float64 // s
		note      string
	}{
		{"duration = 2\nfps = 30", 60, 59. / 30, 2, ""},
		{"duration = 2.1\nfps = 30", 63, 62. / 30, 2.1, ""}, // 2.1·30 is not 63 in floating point
		{"duration = 2.03\nfps = 30", 61, 2, 61. / 30, "time.duration = 2.03 s is not a whole number of frames at 30 per second: the film has 61 frames and lasts 2.033 s, and the last one shows 2 s of simulated time"},
		{"duration = 0.001\nfps = 30", 1, 0, 1. / 30, "time.duration = 0.001 s is not a whole number of frames at 30 per second: the film has 1 frame and lasts 0.03333 s, and the last one shows 0 s of simulated time"},
		{"end = 2\nfps = 30", 61, 2, 61. / 30, ""},
		{"end = 0.7\nfps = 25\nspeed = 0.1", 176, 0.7, 7.04, ""},
		{"end = 1.23\nfps = 10", 13, 1.2, 1.3, "time.end = 1.23 s is not a whole number of frames at 10 per second: the film has 13 frames and lasts 1.3 s, and the last one shows 1.2 s of simulated time"},
	} {
		s, err := Read("film.toml", []byte("[time]\n"+c.time+"\n"+rest))
		if err != nil {
			t.Fatal(c.time, err)
		}
		n := s.Time.Frames()
		if n != c.frames || math.Abs(s.Time.At(n)-c.last) > 1e-12 || math.Abs(s.Time.Film(n+1)-c.len) > 1e-12 {
			t.Errorf("%q: %d frames to %g s, and %g s of film; want %d, %g and %g", c.time, n, s.Time.At(n), s.Time.Film(n+1), c.frames, c.last, c.len)
		}
		b, err := s.Plan()
		if err != nil {
			t.Fatal(c.time, err)
		}
		if got := strings.Join(b.Notes, "; "); !strings.HasPrefix(got, c.note) || got != "" && c.note == "" {
			t.Errorf("%q: it says %q, want %q", c.time, got, c.note)
		}
	}
	// The end of a film replaces the duration of the scene that it extends, and keeps its
	// place with more frames per second.
	s, err := Read("film.toml", []byte("extends = \"dam-break\"\n[time]\nend = 1.4\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Override(Overrides{FPS: "60"}); err != nil {
		t.Fatal(err)
	}
	if n := s.Time.Frames(); n != 121 || math.Abs(s.Time.At(n)-1.4) > 1e-12 {
		t.Errorf("%d frames to %g s", n, s.Time.At(n))
	}
	if _, err := Read("film.toml", []byte("[time]\nduration = 1\nend = 1\n"+rest)); err == nil || !strings.Contains(err.Error(), "the duration of the film is given too") {
		t.Errorf("a film with two lengths: %v", err)
	}
}
