package scenes

import (
	"fmt"
	"reflect"
	"strings"
)

// found describes a value that is not of the type it should be.
func found(n *node) string {
	switch n.kind {
	case tableNode:
		return n.kind.String()
	case arrayNode:
		return "a list of " + count(len(n.items), "value")
	case stringNode:
		return fmt.Sprintf("the string %q", n.text)
	}
	return fmt.Sprintf("%s, %v", n.text, n.kind)
}

// count returns "1 value", "2 values".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// shape describes what a setting of type t may be: "3 numbers in m (x, y, z)",
// "a number in 1/s, from 0.01 to 1000".
func shape(t reflect.Type, f field) string {
	var s string
	switch {
	case f.color == "linear":
		s = `"#rrggbb" in sRGB, or 3 linear numbers, [red, green, blue]`
	case f.color == "srgb":
		s = `"#rrggbb", or 3 numbers in sRGB, [red, green, blue]`
	case t == vecType || t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Float64 && t.Len() == 3:
		s = "3 numbers" + inUnit(f) + ", [x, y, z]"
	case t == plugType:
		return "a table"
	case t.Kind() == reflect.Array:
		s = fmt.Sprintf("%d %s", t.Len(), plural(t.Elem())) + inUnit(f)
	case t.Kind() == reflect.Slice && t.Elem() == vecType:
		s = "a list of points" + inUnit(f) + ", each [x, y, z]"
	case t.Kind() == reflect.Slice:
		s = "a list of " + plural(t.Elem()) + inUnit(f)
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer:
		return "a table"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Int:
		s = "a whole number" + inUnit(f)
	case t.Kind() == reflect.Float64:
		s = "a number" + inUnit(f)
	default:
		s = "a string"
	}
	if in := f.in.String(); in != "" {
		s += ", " + in
	}
	if len(f.oneof) > 0 {
		s += ", one of " + strings.Join(f.oneof, ", ")
	}
	return s
}

func inUnit(f field) string {
	if f.unit == "" || f.unit == "1" {
		return ""
	}
	return " in " + f.unit
}

func plural(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "whole numbers"
	case reflect.Float64:
		return "numbers"
	case reflect.String:
		return "strings"
	case reflect.Struct:
		return "tables"
	}
	return "values"
}
