package scenery

import (
	"math"
	"testing"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/sim/registry/registrytest"
)

// What formats take for water is the look of water, which absorbs by Beer and Lambert what
// its colour says.
func TestLiquid(t *testing.T) {
	for _, name := range []string{"water", "honey"} {
		look := registrytest.New(t, &raster.Looks, name)
		m, a := Liquid(look), raster.AppearanceOf(look)
		for what, pair := range map[string][2]float64{
			"red": {math.Exp(-m.Absorption.X * a.Distance), a.Color.X}, "green": {math.Exp(-m.Absorption.Y * a.Distance), a.Color.Y},
			"blue": {math.Exp(-m.Absorption.Z * a.Distance), a.Color.Z}, "index": {m.Index, a.Index}, "two surfaces": {m.Color.Y * m.Color.Y, a.Color.Y},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("%s: %s %g, want %g", name, what, pair[0], pair[1])
			}
		}
		if w := out.Water(); name == "water" && (w.Absorption.Sub(m.Absorption).Len() > 1e-3 || w.Color.Sub(m.Color).Len() > 1e-3 || w.Index != m.Index) {
			t.Errorf("formats take %+v for water, but its look is %+v", w, m)
		}
	}
	drawn := registrytest.New(t, &raster.Looks, "wireframe")
	if m := Liquid(drawn); m != out.Water() {
		t.Errorf("a look of lines: %+v", m)
	}
}
