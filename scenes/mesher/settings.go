package mesher

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"breakwater/surface"
)

// Setting is a setting of a surface method as the command line has it.
type Setting struct{ Key, Value string }

// Raw are the settings that leave a surface as marching cubes find it.
var Raw = []Setting{{"tidy", "false"}, {"smoothing", "0"}, {"normal_smoothing", "0"}, {"volume", "false"}}

// A SettingError says which setting cannot be used, and what could.
type SettingError struct{ Key, Text string }

func (e *SettingError) Error() string { return e.Text }

// newMethod returns the named surface method with the settings laid over its
// defaults, and all its settings as "key value" lines.
func newMethod(name string, list []Setting) (m surface.Method, all []Setting, err error) {
	m, err = surface.Methods.New(name, func(dst any) error {
		v := reflect.ValueOf(dst).Elem()
		for _, s := range list {
			if err := lay(v, s); err != nil {
				return err
			}
		}
		for _, f := range reflect.VisibleFields(v.Type()) {
			if key := settingKey(f); key != "" {
				all = append(all, Setting{key, fmt.Sprint(v.FieldByIndex(f.Index).Interface())})
			}
		}
		return nil
	})
	return m, all, err
}

// settingKey returns the key of a field of a method's settings, "" if it is
// none.
func settingKey(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	if key == "-" {
		return ""
	}
	return key
}

// lay sets the field of v that s names.
func lay(v reflect.Value, s Setting) error {
	var keys []string
	for _, f := range reflect.VisibleFields(v.Type()) {
		key := settingKey(f)
		if key != s.Key {
			if key != "" {
				keys = append(keys, key)
			}
			continue
		}
		return set(v.FieldByIndex(f.Index), f.Tag, s)
	}
	return &SettingError{s.Key, fmt.Sprintf("%s is no setting of this surface method, which has %s", s.Key, strings.Join(keys, ", "))}
}

// set gives v the value of s, if its tags allow that.
func set(v reflect.Value, tag reflect.StructTag, s Setting) error {
	fail := func(want string) error {
		return &SettingError{s.Key, fmt.Sprintf("%s is %q; expected %s", s.Key, s.Value, want)}
	}
	var x float64
	switch v.Kind() {
	case reflect.Bool:
		b, err := strconv.ParseBool(s.Value)
		if err != nil {
			return fail("true or false")
		}
		v.SetBool(b)
		return nil
	case reflect.String:
		if oneof := strings.Fields(tag.Get("oneof")); len(oneof) > 0 && !slices.Contains(oneof, s.Value) {
			return fail("one of " + strings.Join(oneof, ", "))
		}
		v.SetString(s.Value)
		return nil
	case reflect.Int:
		n, err := strconv.Atoi(s.Value)
		if err != nil {
			return fail("a whole number " + tag.Get("range"))
		}
		v.SetInt(int64(n))
		x = float64(n)
	case reflect.Float64:
		var err error
		if x, err = strconv.ParseFloat(s.Value, 64); err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fail("a number " + tag.Get("range"))
		}
		v.SetFloat(x)
	default:
		return &SettingError{s.Key, s.Key + " can be set in a scene file only"}
	}
	if in := tag.Get("range"); in != "" && !within(in, x) {
		return fail("a number in " + in + strings.TrimRight(" "+strings.TrimPrefix(tag.Get("unit"), "1"), " "))
	}
	return nil
}

// within reports whether x is in an interval as tags have it: "[0, inf)".
func within(interval string, x float64) bool {
	low, high, ok := strings.Cut(interval[1:len(interval)-1], ",")
	a, err := strconv.ParseFloat(strings.TrimSpace(low), 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(high), 64)
	if !ok || err != nil || err2 != nil {
		panic("mesher: bad interval " + interval)
	}
	return (a < x || a == x && interval[0] == '[') && (x < b || x == b && interval[len(interval)-1] == ']')
}
