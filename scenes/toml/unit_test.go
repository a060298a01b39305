package toml

import (
	"math"
	"strings"
	"testing"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		text, unit string
		want       float64
	}{
		{"7 cm", "m", 0.07}, {"2.2 cm", "m", 0.022}, {"2.2e-1 mm", "m", 0.00022}, {"7cm", "m", 0.07}, {"0.3", "m", 0.3}, {"35 mm", "mm", 35}, {"3.5 cm", "mm", 35}, {"1e3 mm", "m", 1}, {"-2 km", "m", -2000},
		{"18 km/h", "m/s", 5}, {"1 L", "m³", 0.001}, {"1 cSt", "m²/s", 1e-6}, {"0.1 %", "1", 0.001}, {"24 fps", "1/s", 24}, {"90 °", "deg", 90},
		{"1 g/cm³", "kg/m³", 1000}, {"2 min", "s", 120}, {"981 cm/s^2", "m/s²", 9.81}, {"12", "px", 12},
	} {
		if got, err := quantity(c.text, c.unit); err != nil || got != c.want {
			t.Errorf("%q in %s is %v, %v; want %v", c.text, c.unit, got, err, c.want)
		}
	}
	if got, err := quantity("3.141592653589793 rad", "deg"); err != nil || math.Abs(got-180) > 1e-12 {
		t.Errorf("π rad is %v deg, %v", got, err)
	}
	for _, c := range []struct{ text, unit, want string }{
		{"2 kg", "m", `"2 kg" is a mass, not a length`}, {"2 smoots", "m", "unknown unit"}, {"two", "m", "is not a number"},
		{"", "m", "is not a number"}, {"1e999 m", "m", "is not finite"}, {"1e99999999999 m", "m", "far out of range"}, {"2 m", "px", "but this key has none"}, {"1 2", "m", "unknown unit"},
	} {
		if _, err := quantity(c.text, c.unit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in %s: %v, want %q", c.text, c.unit, err, c.want)
		}
	}
}
