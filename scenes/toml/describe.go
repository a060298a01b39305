package toml

import (
	"fmt"
	"reflect"
	"strings"
)

// found describes a value that is not of the type it should be.
func found(n *Node) string {
	switch n.Kind {
	case Table:
		return n.Kind.String()
	case Array:
		return "a list of " + Count(len(n.Items), "value")
	case String:
		return fmt.Sprintf("the string %q", n.Text)
	}
	return fmt.Sprintf("%s, %v", n.Text, n.Kind)
}

// Count returns "1 value", "2 values".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Describe describes what a setting of type t may be: "3 numbers in m (x, y, z)",
// "a number in 1/s, from 0.01 to 1000".
func Describe(t reflect.Type, f Field) string {
	var s string
	switch {
	case f.Color == "linear":
		s = `"#rrggbb" in sRGB, or 3 linear numbers, [red, green, blue]`
	case f.Color == "srgb":
		s = `"#rrggbb", or 3 numbers in sRGB, [red, green, blue]`
	case t == VecType || t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Float64 && t.Len() == 3:
		s = "3 numbers" + inUnit(f) + ", [x, y, z]"
	case t == VariantType:
		return "a table"
	case t.Kind() == reflect.Array:
		s = fmt.Sprintf("%d %s", t.Len(), Plural(t.Elem())) + inUnit(f)
	case t.Kind() == reflect.Slice && t.Elem() == VecType:
		s = "a list of points" + inUnit(f) + ", each [x, y, z]"
	case t.Kind() == reflect.Slice:
		s = "a list of " + Plural(t.Elem()) + inUnit(f)
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
	if in := f.In.String(); in != "" {
		s += ", " + in
	}
	if len(f.OneOf) > 0 {
		s += ", one of " + strings.Join(f.OneOf, ", ")
	}
	return s
}

func inUnit(f Field) string {
	if f.Unit == "" || f.Unit == "1" {
		return ""
	}
	return " in " + f.Unit
}

// Plural returns what several values of the type t are called in messages.
func Plural(t reflect.Type) string {
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
