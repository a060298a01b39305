package scenes

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breakwater/scenes/memory"
	"breakwater/scenes/toml"
)

// TestCost reads scenes that ask for too much memory or too many steps. The message names
// the setting, and following its advice leaves no fault.
func TestCost(t *testing.T) {
	before := memory.Machine
	defer func() { memory.Machine = before }()
	for _, c := range []struct {
		name, text string
		memory     int64
		key        string
		line       int
		says       string // "" for no fault
	}{
		{"enough memory", "[liquid]\nspacing = \"8 mm\"", 4e9, "", 0, ""},
		{"memory", "[liquid]\nspacing = \"4 mm\"", 4e9, "liquid.spacing", 3, "1.4e+07 particles, which need about 39 GB of memory, but this test has 4 GB"},
		{"memory for the mesh", "[liquid]\nspacing = \"1 cm\"", 0.7e9, "liquid.spacing", 3, "this test has 0.7 GB"},
		{"memory for a picture", "[liquid]\nspacing = \"3 cm\"\n[picture]\nsize = [8000, 8000]", 2e9, "picture.size", 5, "8000 × 8000 pixels need about 9.63 GB"},
		{"particles", "[liquid]\nspacing = \"1 mm\"", 0, "liquid.spacing", 3, "at most 5e+07"},
		{"viscosity, which shortens no step", "[liquid]\nviscosity = 1000", 0, "", 0, ""},
		{"surface tension", "[liquid]\nsurface_tension = 100\nspacing = 1e-5\n[[fluid]]\nkind = \"box\"\nmax = [\"0.5 mm\", \"0.5 mm\", \"0.5 mm\"]", 0, "liquid.surface_tension", 3, "100 N/m allows steps of"},
		{"force", "[[force]]\nkind = \"xsph\"\nrate = 1e6", 0, "force[1].rate", 4, "1e+06 1/s allows steps of 5e-07 s"},
		{"cfl", "[solver]\ncfl = 1e-6", 0, "solver.cfl", 3, "or more"},
		{"sound", "[solver]\nkind = \"wcsph\"\nsound_speed = 1e5", 0, "solver.sound_speed", 4, "or less"},
		{"no sound", "[solver]\nkind = \"wcsph\"\nsound_speed = 3", 0, "solver.sound_speed", 4, "expected 11.7 m/s or more"},
		{"sound that is just enough", "[solver]\nkind = \"wcsph\"\nsound_speed = 12", 0, "", 0, ""},
		{"spacing", "[liquid]\nspacing = \"2e-3 mm\"\n[[fluid]]\nkind = \"box\"\nmax = [\"0.2 mm\", \"0.2 mm\", \"0.2 mm\"]\n[time]\nduration = 3000", 0, "liquid.spacing", 3, "2e-06 m allows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory.Machine = func() (int64, string) { return c.memory, "this test has" }
			text := "extends = \"dam-break\"\n" + c.text + "\n"
			_, err := Read("x.toml", []byte(text))
			if c.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var list toml.Faults
			if !errors.As(err, &list) || len(list) != 1 {
				t.Fatalf("got %v, want one fault", err)
			}
			if f := list[0]; f.Key != c.key || f.Line != c.line || !strings.Contains(f.Text, c.says) {
				t.Errorf("got %v\nwant %s, line %d: %s", f, c.key, c.line, c.says)
			}
			if c.key == "picture.size" {
				return // it names a number of pixels, not a size
			}
			// Follow the advice, with each of the numbers that it names.
			lines := strings.Split(text, "\n")
			key, _, _ := strings.Cut(lines[c.line-1], " = ")
			advice := regexp.MustCompile(`(make it|expected|liquid\.spacing) ([0-9.e+-]+) ?[^ ]* or (more|less)`).FindAllStringSubmatch(list[0].Text, -1)
			if len(advice) == 0 {
				t.Fatalf("no number that would do in %q", list[0].Text)
			}
			for _, a := range advice {
				var mended string
				switch {
				case a[1] != "liquid.spacing":
					m := slices.Clone(lines)
					m[c.line-1] = key + " = " + a[2]
					mended = strings.Join(m, "\n")
				case strings.Contains(text, "\nspacing = "):
					mended = regexp.MustCompile(`(?m)^spacing = .*$`).ReplaceAllString(text, "spacing = "+a[2])
				case strings.Contains(text, "[liquid]\n"):
					mended = strings.Replace(text, "[liquid]\n", "[liquid]\nspacing = "+a[2]+"\n", 1)
				default:
					mended = text + "[liquid]\nspacing = " + a[2] + "\n"
				}
				if _, err := Read("x.toml", []byte(mended)); err != nil {
					t.Errorf("followed the advice, %q, and got %v", a[0], err)
				}
			}
		})
	}
}

// TestLoadWith loads a scene that is too large for the machine: with fewer particles and a smaller
// picture it fits, and without it is refused, as with changes that do not help.
func TestLoadWith(t *testing.T) {
	before := memory.Machine
	defer func() { memory.Machine = before }()
	memory.Machine = func() (int64, string) { return 250e6, "this test has" }
	if _, err := Load("dam-break"); err == nil {
		t.Error("the scene fits by itself")
	}
	s, err := LoadWith("dam-break", Overrides{Spacing: "6 cm", Size: "320x180"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Liquid.Spacing != 0.06 {
		t.Errorf("the spacing is %g m", s.Liquid.Spacing)
	}
	var change ChangeError
	if _, err := LoadWith("dam-break", Overrides{FPS: "24"}); !errors.As(err, &change) {
		t.Errorf("a change that does not help: %v", err)
	}
}
