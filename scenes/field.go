package scenes

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// field is one setting, as the tags of a struct's field describe it (see
// registry.Decode).
type field struct {
	key    string
	inline bool
	unit   string
	doc    string
	in     *interval
	limit  *interval // what holds besides, see limits
	reason string    // of the limit
	oneof  []string
	color  string // of a colour what its numbers are: linear or srgb
	absent string // what holds without the key, where that is no fixed value
	index  []int  // in the struct, or in one that it embeds
}

// fieldsOf returns the settings of the struct type t in order. It panics on a
// tag that is malformed, which is its author's mistake.
func fieldsOf(t reflect.Type) []field {
	var list []field
	for _, sf := range reflect.VisibleFields(t) {
		tag, ok := sf.Tag.Lookup("toml")
		if !ok || tag == "-" {
			continue
		}
		key, option, _ := strings.Cut(tag, ",")
		f := field{
			key: key, inline: option == "inline", unit: sf.Tag.Get("unit"), doc: sf.Tag.Get("doc"),
			oneof: strings.Fields(sf.Tag.Get("oneof")), absent: sf.Tag.Get("absent"), color: sf.Tag.Get("color"), index: sf.Index,
		}
		if r, ok := sf.Tag.Lookup("range"); ok {
			in, err := parseInterval(r)
			if err != nil {
				panic(fmt.Sprintf("scenes: %v.%s: %v", t, sf.Name, err))
			}
			f.in = &in
		}
		f.limit, f.reason = limitOf(f.in, f.unit, sf.Type)
		list = append(list, f)
	}
	return list
}

// keysOf returns the keys of the settings.
func keysOf(fields []field) []string {
	var keys []string
	for _, f := range fields {
		if !f.inline {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// interval is what a range tag says.
type interval struct {
	lo, hi         float64
	openLo, openHi bool
}

func parseInterval(s string) (in interval, err error) {
	lo, hi, ok := strings.Cut(s, ",")
	if !ok || len(lo) < 2 || len(hi) < 2 {
		return in, fmt.Errorf("bad range %q", s)
	}
	in.openLo, in.openHi = lo[0] == '(', hi[len(hi)-1] == ')'
	if !in.openLo && lo[0] != '[' || !in.openHi && hi[len(hi)-1] != ']' {
		return in, fmt.Errorf("bad range %q", s)
	}
	if in.lo, err = strconv.ParseFloat(strings.TrimSpace(lo[1:]), 64); err != nil {
		return in, fmt.Errorf("bad range %q", s)
	}
	if in.hi, err = strconv.ParseFloat(strings.TrimSpace(hi[:len(hi)-1]), 64); err != nil || in.lo > in.hi {
		return in, fmt.Errorf("bad range %q", s)
	}
	return in, nil
}

func (in *interval) contains(x float64) bool {
	return (x > in.lo || x == in.lo && !in.openLo) && (x < in.hi || x == in.hi && !in.openHi)
}

// String returns the interval in words: "above 0", "from 0 to 1".
func (in *interval) String() string {
	if in == nil {
		return ""
	}
	lo, hi := "at least ", "at most "
	if in.openLo {
		lo = "above "
	}
	if in.openHi {
		hi = "below "
	}
	switch {
	case math.IsInf(in.lo, -1) && math.IsInf(in.hi, 1):
		return ""
	case math.IsInf(in.hi, 1):
		return lo + number(in.lo)
	case math.IsInf(in.lo, -1):
		return hi + number(in.hi)
	case !in.openLo && !in.openHi:
		return "from " + number(in.lo) + " to " + number(in.hi)
	}
	return lo + number(in.lo) + " and " + hi + number(in.hi)
}

// number returns x as a scene file has it, so that it reads back as the same
// bits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
