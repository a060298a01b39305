package raster

import (
	"bytes"
	"math"
	"testing"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// The surroundings are read back as they are seen, in their places.
func TestSurroundings(t *testing.T) {
	for _, kind := range []Surroundings{Studio, Clear} {
		l := DefaultLight()
		l.Kind = kind
		var b bytes.Buffer
		if err := l.WriteSurroundings(&b, 256, 128); err != nil {
			t.Fatal(err)
		}
		m, err := readHDR(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		p, s := &Panorama{hdrImage: *m}, newSky(l, rgb{})
		off, mean := 0.0, 0.0
		const n = 500
		for i := range n {
			y := (float64(i) + 0.5) / n // evenly over the upper half
			sin, cos := math.Sincos(2.4 * float64(i))
			d := vec.Vec3{X: cos * math.Sqrt(1-y*y), Y: y, Z: sin * math.Sqrt(1-y*y)}
			want := s.around(d).luminance()
			off, mean = off+math.Abs(p.look(d).luminance()-want)/n, mean+want/n
		}
		if off > 0.03*mean { // most of it at the panels' edges
			t.Errorf("%s: off by %g of %g", kind, off, mean)
		}
		toSun, e, _ := l.Sunlight()
		if math.Abs(toSun.Len()-1) > 1e-12 || e.X < e.Z || e.Z <= 0 {
			t.Errorf("%s: the sun is at %v and gives %v", kind, toSun, e)
		}
	}
}

// Every look is a material elsewhere too, with light that it throws back or
// lets pass, or gives.
func TestAppearance(t *testing.T) {
	want := map[string]string{"water": "clear", "honey": "clear", "milk": "gloss", "blood": "gloss", "mercury": "metal", "lava": "glow", "toon": "matte",
		"ethanol": "clear", "glycerol": "clear", "oil": "clear", "seawater": "clear",
		"clay": "matte", "normals": "matte", "particles": "matte", "wireframe": "matte", "xray": "matte"}
	for _, e := range Looks.Entries() {
		l, err := e.New(registry.None)
		if err != nil {
			t.Fatal(err)
		}
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
