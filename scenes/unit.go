package scenes

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// unit is a unit of measure that a scene file may write after a number.
type unit struct {
	name     string
	quantity string
	mul, div float64 // value in SI units = number · mul / div; both are exact
}

// units are the known units, those of one quantity side by side, the one that
// documents name first. A number is multiplied and divided by whole numbers,
// so that "7 cm" is the same float64 as 0.07.
var units = []unit{
	{"m", "length", 1, 1}, {"cm", "length", 1, 100}, {"mm", "length", 1, 1000}, {"km", "length", 1000, 1},
	{"s", "time", 1, 1}, {"ms", "time", 1, 1000}, {"min", "time", 60, 1},
	{"1/s", "rate", 1, 1}, {"Hz", "rate", 1, 1}, {"fps", "rate", 1, 1},
	{"m/s", "speed", 1, 1}, {"cm/s", "speed", 1, 100}, {"mm/s", "speed", 1, 1000}, {"km/h", "speed", 10, 36},
	{"m/s²", "acceleration", 1, 1}, {"m/s^2", "acceleration", 1, 1}, {"cm/s²", "acceleration", 1, 100}, {"cm/s^2", "acceleration", 1, 100},
	{"deg", "angle", 1, 1}, {"°", "angle", 1, 1}, {"rad", "angle", 57.295779513082320877, 1},
	{"kg/m³", "density", 1, 1}, {"kg/m^3", "density", 1, 1}, {"g/cm³", "density", 1000, 1}, {"g/cm^3", "density", 1000, 1}, {"kg/L", "density", 1000, 1},
	{"m²/s", "kinematic viscosity", 1, 1}, {"m^2/s", "kinematic viscosity", 1, 1}, {"mm²/s", "kinematic viscosity", 1, 1e6},
	{"mm^2/s", "kinematic viscosity", 1, 1e6}, {"cSt", "kinematic viscosity", 1, 1e6}, {"St", "kinematic viscosity", 1, 1e4},
	{"m³", "volume", 1, 1}, {"m^3", "volume", 1, 1}, {"L", "volume", 1, 1000}, {"mL", "volume", 1, 1e6},
	{"kg", "mass", 1, 1}, {"g", "mass", 1, 1000}, {"t", "mass", 1000, 1},
	{"N/m", "surface tension", 1, 1}, {"mN/m", "surface tension", 1, 1000},
	{"Pa", "pressure", 1, 1}, {"kPa", "pressure", 1000, 1},
	{"1", "ratio", 1, 1}, {"%", "ratio", 1, 100},
}

// unitOf returns the unit of the given name.
func unitOf(name string) (unit, bool) {
	i := slices.IndexFunc(units, func(u unit) bool { return u.name == name })
	if i < 0 {
		return unit{}, false
	}
	return units[i], true
}

// unitsOf returns the names of the units of the quantity that the named unit
// measures: m, cm, mm, km. There are none for a unit that is not known, such
// as px.
func unitsOf(name string) []string {
	want, _ := unitOf(name)
	var s []string
	for _, u := range units {
		if u.quantity == want.quantity && u.name != "1" {
			s = append(s, u.name)
		}
	}
	return s
}

// article puts "a" or "an" before a noun.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

var withUnit = regexp.MustCompile(`^\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(\S*)\s*$`)

// quantity reads a number followed by a unit, such as "2 cm", into the unit
// want, that of a setting.
func quantity(text, want string) (float64, error) {
	m := withUnit.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	x, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not finite", text)
	}
	if m[2] == "" {
		return x, nil
	}
	u, known := unitOf(m[2])
	target, ok := unitOf(want)
	switch {
	case !known:
		return 0, fmt.Errorf("%q has an unknown unit", text)
	case !ok:
		return 0, fmt.Errorf("%q has a unit where none can be", text)
	case u.quantity != target.quantity:
		return 0, fmt.Errorf("%q is %s, not %s", text, article(u.quantity), article(target.quantity))
	}
	return x * (u.mul * target.div) / (u.div * target.mul), nil
}
