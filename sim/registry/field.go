package registry

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Field is one setting, as the tags of a struct's field describe it (see
// Decode).
type Field struct {
	Key    string
	Inline bool // the setting has no table of its own, and shares the struct's table
	Unit   string
	Doc    string
	In     *Interval // nil for any
	OneOf  []string
	Color  string // what the numbers of a colour are: linear or srgb
	Absent string // what holds without the key, where that is not a fixed value
	Index  []int  // in the struct, or in one that it embeds
}

// Fields returns the settings of the struct type t in order. It panics on a
// malformed tag, which is its author's mistake.
func Fields(t reflect.Type) []Field {
	var list []Field
	for _, sf := range reflect.VisibleFields(t) {
		tag, ok := sf.Tag.Lookup("toml")
		if !ok || tag == "-" {
			continue
		}
		key, option, _ := strings.Cut(tag, ",")
		f := Field{
			Key: key, Inline: option == "inline", Unit: sf.Tag.Get("unit"), Doc: sf.Tag.Get("doc"),
			OneOf: strings.Fields(sf.Tag.Get("oneof")), Absent: sf.Tag.Get("absent"), Color: sf.Tag.Get("color"), Index: sf.Index,
		}
		if r, ok := sf.Tag.Lookup("range"); ok {
			in, err := parseInterval(r)
			if err != nil {
				panic(fmt.Sprintf("registry: %v.%s: %v", t, sf.Name, err))
			}
			f.In = &in
		}
		list = append(list, f)
	}
	return list
}

// Interval is the interval in a range tag.
type Interval struct {
	Lo, Hi         float64
	OpenLo, OpenHi bool
}

// parseInterval reads an interval such as "[0, inf)".
func parseInterval(s string) (in Interval, err error) {
	lo, hi, ok := strings.Cut(s, ",")
	if !ok || len(lo) < 2 || len(hi) < 2 {
		return in, fmt.Errorf("bad range %q", s)
	}
	in.OpenLo, in.OpenHi = lo[0] == '(', hi[len(hi)-1] == ')'
	if !in.OpenLo && lo[0] != '[' || !in.OpenHi && hi[len(hi)-1] != ']' {
		return in, fmt.Errorf("bad range %q", s)
	}
	if in.Lo, err = strconv.ParseFloat(strings.TrimSpace(lo[1:]), 64); err != nil {
		return in, fmt.Errorf("bad range %q", s)
	}
	if in.Hi, err = strconv.ParseFloat(strings.TrimSpace(hi[:len(hi)-1]), 64); err != nil || in.Lo > in.Hi {
		return in, fmt.Errorf("bad range %q", s)
	}
	return in, nil
}

// Contains reports whether x is in the interval.
func (in *Interval) Contains(x float64) bool {
	return (x > in.Lo || x == in.Lo && !in.OpenLo) && (x < in.Hi || x == in.Hi && !in.OpenHi)
}

// String returns the interval in words: "above 0", "from 0 to 1".
func (in *Interval) String() string {
	if in == nil {
		return ""
	}
	lo, hi := "at least ", "at most "
	if in.OpenLo {
		lo = "above "
	}
	if in.OpenHi {
		hi = "below "
	}
	switch {
	case math.IsInf(in.Lo, -1) && math.IsInf(in.Hi, 1):
		return ""
	case math.IsInf(in.Hi, 1):
		return lo + Number(in.Lo)
	case math.IsInf(in.Lo, -1):
		return hi + Number(in.Hi)
	case !in.OpenLo && !in.OpenHi:
		return "from " + Number(in.Lo) + " to " + Number(in.Hi)
	}
	return lo + Number(in.Lo) + " and " + hi + Number(in.Hi)
}

// Number returns x as a scene file has it, so that it reads back as the same
// bits.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
