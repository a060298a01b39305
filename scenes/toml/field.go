package toml

import (
	"math"
	"reflect"

	"breakwater/sim/registry"
)

// Field is a setting, with the limit of its unit.
type Field struct {
	registry.Field
	Limit  *registry.Interval // what holds besides its range, see limits; nil if nothing does
	reason string             // of the limit
}

// Fields returns the settings of the struct type t in order.
func Fields(t reflect.Type) []Field {
	all := registry.Fields(t)
	list := make([]Field, len(all))
	for i, f := range all {
		limit, reason := limitOf(f.In, f.Unit, t.FieldByIndex(f.Index).Type)
		list[i] = Field{f, limit, reason}
	}
	return list
}

// Lookup returns the setting of a key.
func Lookup(fields []Field, key string) (Field, bool) {
	for _, f := range fields {
		if f.Key == key && !f.Inline {
			return f, true
		}
	}
	return Field{}, false
}

// keysOf returns the keys of the settings.
func keysOf(fields []Field) []string {
	var keys []string
	for _, f := range fields {
		if !f.Inline {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// limit bounds the numbers of a unit: they are at most that far from 0 and, where
// they must be above 0, at least that far.
type limit struct {
	Unit        string
	Least, Most float64
	Reason      string
}

// Limits bound the settings whose own ranges do not. A value beyond them is a slip of
// the power of ten, and would end in numbers that overflow, in films without end, or in
// advice about another setting.
var Limits = []limit{
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
func limitOf(in *registry.Interval, unit string, t reflect.Type) (*registry.Interval, string) {
	for t != VecType && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		t = t.Elem()
	}
	if t != VecType && t.Kind() != reflect.Float64 {
		return nil, ""
	}
	for _, l := range Limits {
		if l.Unit != unit {
			continue
		}
		all := registry.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
		if in != nil {
			all = *in
		}
		if !math.IsInf(all.Hi, 1) && !math.IsInf(all.Lo, -1) {
			return nil, ""
		}
		if math.IsInf(all.Hi, 1) {
			all.Hi, all.OpenHi = l.Most, false
			if all.OpenLo && all.Lo == 0 {
				all.Lo, all.OpenLo = l.Least, false
			}
		}
		if math.IsInf(all.Lo, -1) {
			all.Lo, all.OpenLo = -l.Most, false
		}
		return &all, l.Reason
	}
	return nil, ""
}
