package toml

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// unit is a unit of measure that a scene file may write after a number: a
// factor times a power of ten of the first unit of its quantity.
type unit struct {
	Name     string
	Quantity string
	factor   float64
	ten      int
}

// Units are the known units. Units of one quantity are side by side, beginning with the
// one that documents use.
var Units = []unit{
	{"m", "length", 1, 0}, {"cm", "length", 1, -2}, {"mm", "length", 1, -3}, {"km", "length", 1, 3},
	{"s", "time", 1, 0}, {"ms", "time", 1, -3}, {"min", "time", 60, 0},
	{"1/s", "rate", 1, 0}, {"Hz", "rate", 1, 0}, {"fps", "rate", 1, 0},
	{"m/s", "speed", 1, 0}, {"cm/s", "speed", 1, -2}, {"mm/s", "speed", 1, -3}, {"km/h", "speed", 1 / 3.6, 0},
	{"m/s²", "acceleration", 1, 0}, {"m/s^2", "acceleration", 1, 0}, {"cm/s²", "acceleration", 1, -2}, {"cm/s^2", "acceleration", 1, -2},
	{"deg", "angle", 1, 0}, {"°", "angle", 1, 0}, {"rad", "angle", 180 / math.Pi, 0},
	{"deg/s", "rate of turn", 1, 0}, {"rad/s", "rate of turn", 180 / math.Pi, 0}, {"rpm", "rate of turn", 6, 0},
	{"kg/m³", "density", 1, 0}, {"kg/m^3", "density", 1, 0}, {"g/cm³", "density", 1, 3}, {"g/cm^3", "density", 1, 3}, {"kg/L", "density", 1, 3},
	{"m²/s", "kinematic viscosity", 1, 0}, {"m^2/s", "kinematic viscosity", 1, 0}, {"mm²/s", "kinematic viscosity", 1, -6},
	{"mm^2/s", "kinematic viscosity", 1, -6}, {"cSt", "kinematic viscosity", 1, -6}, {"St", "kinematic viscosity", 1, -4},
	{"m³", "volume", 1, 0}, {"m^3", "volume", 1, 0}, {"L", "volume", 1, -3}, {"mL", "volume", 1, -6},
	{"kg", "mass", 1, 0}, {"g", "mass", 1, -3}, {"t", "mass", 1, 3},
	{"Pa·s", "dynamic viscosity", 1, 0}, {"Pa s", "dynamic viscosity", 1, 0}, {"mPa·s", "dynamic viscosity", 1, -3}, {"mPa s", "dynamic viscosity", 1, -3},
	{"P", "dynamic viscosity", 1, -1}, {"cP", "dynamic viscosity", 1, -3},
	{"N/m", "surface tension", 1, 0}, {"mN/m", "surface tension", 1, -3},
	{"Pa", "pressure", 1, 0}, {"kPa", "pressure", 1, 3},
	{"1", "ratio", 1, 0}, {"%", "ratio", 1, -2},
}

// unitOf returns the unit of the given name.
func unitOf(name string) (unit, bool) {
	i := slices.IndexFunc(Units, func(u unit) bool { return u.Name == name })
	if i < 0 {
		return unit{}, false
	}
	return Units[i], true
}

// UnitsLike returns the names of the units of the quantity that the named unit measures:
// m, cm, mm, km. It returns none for an unknown unit, such as px.
func UnitsLike(name string) []string {
	want, _ := unitOf(name)
	var s []string
	for _, u := range Units {
		if u.Quantity == want.Quantity && u.Name != "1" {
			s = append(s, u.Name)
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

// withUnit matches a number, its exponent apart, and a unit.
var withUnit = regexp.MustCompile(`^\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(?:[eE]([+-]?[0-9]+))?\s*(\S*(?: s)?)\s*$`)

// quantity reads a number followed by a unit, such as "2 cm", into the setting's unit
// want. Powers of ten go into the number's exponent, so that "2.2 cm" is the same float64
// as 0.022.
func quantity(text, want string) (float64, error) {
	m := withUnit.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	target, ok := unitOf(want)
	if !ok {
		target.factor = 1
	}
	u := target
	if m[3] != "" {
		var known bool
		u, known = unitOf(m[3])
		switch {
		case !known:
			return 0, fmt.Errorf("%q has an unknown unit", text)
		case !ok:
			return 0, fmt.Errorf("%q has a unit, but this key has none", text)
		case u.Quantity != target.Quantity:
			return 0, fmt.Errorf("%q is %s, not %s", text, article(u.Quantity), article(target.Quantity))
		}
	}
	exp := 0
	if m[2] != "" {
		var err error
		if exp, err = strconv.Atoi(m[2]); err != nil || exp > 1000 || exp < -1000 {
			return 0, fmt.Errorf("%q is far out of range", text)
		}
	}
	x, err := strconv.ParseFloat(fmt.Sprintf("%se%d", m[1], exp+u.ten-target.ten), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not finite", text)
	}
	return x * (u.factor / target.factor), nil
}
