package scenes

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"breakwater/scenes/toml"
	"breakwater/sim/longtest"
	"breakwater/sim/registry"
)

// TestRanges gives every number of every table and of every registered variant the values
// just outside its range, and values that are not numbers. Each is refused, at its line,
// with the range in the words of the manual.
func TestRanges(t *testing.T) {
	longtest.NotShort(t)
	tried := 0
	try := func(table, kind string, v reflect.Value) {
		for _, f := range toml.Fields(v.Type()) {
			ft := v.FieldByIndex(f.Index).Type()
			bad := outside(f.In, ft)
			if f.Inline || len(bad) == 0 {
				continue
			}
			far := 0
			if f.Limit != nil { // which ends where the range does, or before
				beyond := outside(f.Limit, ft)[len(outside(nil, ft)):]
				far = len(beyond)
				bad = append(beyond, bad...)
			}
			for i, x := range bad {
				in := f.In
				if i < far {
					in = f.Limit
				}
				header, path := "["+table+"]", table
				if table == "fluid" || table == "inflow" || table == "outflow" || table == "gauge" || table == "wall" || table == "body" || table == "force" || table == "vortex" || table == "source" || table == "smoke" {
					header, path = "["+header+"]", table+"[1]"
				}
				if table == "fluid.velocity_field" {
					header, path = "[[fluid]]\n"+header, "fluid[1].velocity_field"
				}
				text := header + "\n"
				if ofGas[table] || ofGas[table+" "+kind] {
					text = "[gas]\ncell = 0.04\n" + text
				}
				if kind != "" {
					text += fmt.Sprintf("kind = %q\n", kind)
				}
				text += f.Key + " = " + inside(ft, x) + "\n"
				line := strings.Count(text, "\n")
				_, err := Read("x.toml", []byte(text))
				var list toml.Faults
				errors.As(err, &list)
				tried++
				found := false
				for _, got := range list {
					key := strings.TrimRight(strings.TrimPrefix(got.Key, path+"."+f.Key), "[123]")
					found = found || key == "" && got.Line == line && (strings.Contains(got.Text, in.String()) || i < far && f.In != nil && strings.Contains(got.Text, f.In.String())) &&
						(strings.Contains(got.Text, "out of range; expected") || strings.Contains(got.Text, "not finite; expected") || strings.Contains(got.Text, "found "+x))
				}
				if !found {
					t.Errorf("%s %s %s = %s: got %v", table, kind, f.Key, x, err)
				}
			}
		}
	}
	for _, x := range tablesOf(reflect.ValueOf(defaults()).Elem()) {
		try(x.Key, "", x.value)
	}
	for _, fam := range families() {
		for _, v := range fam.variants {
			try(fam.key, v.name, reflect.ValueOf(fam.settings(v.name)).Elem())
		}
	}
	if tried < 100 {
		t.Errorf("only %d values were tried", tried)
	}
}

// outside returns values that a setting of type t must refuse.
func outside(in *registry.Interval, t reflect.Type) (bad []string) {
	for t.Kind() == reflect.Array || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	whole := t.Kind() == reflect.Int
	if !whole && t.Kind() != reflect.Float64 && t != toml.VecType {
		return nil
	}
	bad = []string{"nan", "inf", "-inf"}
	if in == nil {
		return bad
	}
	add := func(bound float64, open bool, way float64) {
		if math.IsInf(bound, 0) {
			return
		}
		beyond := math.Nextafter(bound, way)
		if whole {
			beyond = bound + math.Copysign(1, way)
		}
		if open {
			bad = append(bad, registry.Number(bound))
		}
		bad = append(bad, registry.Number(beyond), registry.Number(bound+math.Copysign(1e6, way)))
	}
	add(in.Lo, in.OpenLo, math.Inf(-1))
	add(in.Hi, in.OpenHi, math.Inf(1))
	return bad
}

// inside writes x as a setting of type t, at the end of a list if it is one.
func inside(t reflect.Type, x string) string {
	switch {
	case t == toml.VecType:
		return "[1, 1, " + x + "]"
	case t.Kind() == reflect.Array:
		return "[" + strings.Repeat("16, ", t.Len()-1) + x + "]"
	case t.Kind() == reflect.Slice:
		return "[" + inside(t.Elem(), x) + "]"
	}
	return x
}

// ofGas are the tables, with their kinds where some are for a liquid, that need a gas.
var ofGas = map[string]bool{
	"vortex": true, "source": true, "smoke": true, "tracers": true, "flame": true, "technique": true,
	"solver gourlay": true, "solver vortons": true, "solver mesh": true, "look tracers": true, "look vortons": true, "look paths": true,
}
