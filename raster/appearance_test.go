package raster

import (
	"testing"
)

// The surroundings are read back as they are seen, in their places.
func TestAppearance(t *testing.T) {
	want := map[string]string{"water": "clear", "honey": "clear", "milk": "gloss", "blood": "gloss", "mercury": "metal", "lava": "glow", "toon": "matte",
		"ethanol": "clear", "glycerol": "clear", "oil": "clear", "seawater": "clear",
		"clay": "matte", "normals": "matte", "particles": "matte", "tracers": "matte", "smoke": "matte", "fire": "matte", "vortons": "matte", "paths": "matte", "wireframe": "matte", "xray": "matte"}
	for e, l := range Looks.Defaults() {
		a := AppearanceOf(l)
		if kind := want[e.Name]; a.Kind != kind {
			t.Errorf("%s is %s, want %q", e.Name, a.Kind, kind)
		}
		if c := a.Color; min(c.X, c.Y, c.Z) <= 0 || max(c.X, c.Y, c.Z) > 1 || a.Index < 1 || (a.Kind == "clear") != (a.Distance > 0) {
			t.Errorf("%s: %+v", e.Name, a)
		}
	}
	for _, s := range substances {
		if a := s.Material().Appearance(0.5); a.Kind == "" || (a.Kind == "clear") != (a.Distance == 0.5) {
			t.Errorf("%s: %+v", s, a)
		}
	}
}
