package scenes

import (
	"math"
	"reflect"
)

// limit bounds the numbers of a unit: they are at most that far from 0 and, where
// they must be above 0, at least that far.
type limit struct {
	unit        string
	least, most float64
	reason      string
}

// limits bound the settings whose own ranges do not. What is beyond them is no scene
// that anybody means, but a slip of the power of ten, and would end in numbers that
// overflow, in films without end, or in advice about another setting.
var limits = []limit{
	{"m", 1e-7, 1e6, "from some hundred molecules to a sea"},
	{"s", 1e-9, 1e9, "30 years"},
	{"1/s", 1e-9, 1e6, "sound crosses a millimetre of water in 1e-6 s"},
	{"m/s", 1e-9, 1e5, "a meteor has 7e4"},
	{"m/s²", 1e-9, 1e6, "an ultracentrifuge has 1e6"},
	{"m²/s²", 1e-9, 1e10, "the square of the highest speed"},
	{"deg", 1e-9, 1e6, "some thousand turns"},
	{"deg/s", 1e-9, 1e7, "a dentist's drill has 2.4e6"},
	{"kg/m³", 1e-3, 1e5, "osmium has 2.3e4"},
	{"kg", 1e-15, 1e15, "a mountain has 1e12"},
	{"m²/s", 1e-12, 1e6, "pitch has 2e5"},
	{"Pa·s", 1e-9, 1e9, "pitch has 2e8"},
	{"Pa*s", 1e-9, 1e9, "pitch has 2e8"},
	{"N/m", 1e-9, 100, "molten iron has 1.9"},
	{"N", 1e-9, 1e12, "the thrust of a large rocket is 1e8"},
	{"N m", 1e-9, 1e12, "a large turbine has 1e7"},
	{"m³/s", 1e-15, 1e7, "the Amazon has 2e5"},
	{"1/m", 1e-9, 1e7, "the inverse of the least length"},
	{"1", 1e-9, 1e9, "more digits than the numbers keep"},
}

// limitOf returns the limit of a setting of type t in the unit, as an interval with
// what in leaves open, or nil if it has none.
func limitOf(in *interval, unit string, t reflect.Type) (*interval, string) {
	for t != vecType && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		t = t.Elem()
	}
	if t != vecType && t.Kind() != reflect.Float64 {
		return nil, ""
	}
	for _, l := range limits {
		if l.unit != unit {
			continue
		}
		all := interval{lo: math.Inf(-1), hi: math.Inf(1)}
		if in != nil {
			all = *in
		}
		if !math.IsInf(all.hi, 1) && !math.IsInf(all.lo, -1) {
			return nil, ""
		}
		if math.IsInf(all.hi, 1) {
			all.hi, all.openHi = l.most, false
			if all.openLo && all.lo == 0 {
				all.lo, all.openLo = l.least, false
			}
		}
		if math.IsInf(all.lo, -1) {
			all.lo, all.openLo = -l.most, false
		}
		return &all, l.reason
	}
	return nil, ""
}
