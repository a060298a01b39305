package scenes

import (
	"strings"
	"testing"
)

// Scripts for other programs blur motion at any quality, unless the scene has a shutter.
func TestScriptShutter(t *testing.T) {
	for picture, want := range map[string]float64{
		"": 0.5, "[picture]\nquality = \"draft\"": 0.5, "[picture]\nshutter = 90": 0.25, "[picture]\nshutter = 0\nquality = \"final\"": 0,
	} {
		text := "[time]\nduration = 1\n[liquid]\nspacing = 0.1\n[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[[wall]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [1, 2, 1]\n" + picture
		s, err := Read("s.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.ScriptShutter(); got != want {
			t.Errorf("%s: %g, want %g", strings.ReplaceAll(picture, "\n", " "), got, want)
		}
	}
}
