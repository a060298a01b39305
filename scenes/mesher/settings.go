package mesher

import (
	"fmt"
	"reflect"

	"breakwater/scenes/toml"
	"breakwater/sim/registry"
	"breakwater/surface"
)

// Setting is a setting of a surface method as the command line has it.
type Setting struct{ Key, Value string }

// Raw are the settings that leave a surface as marching cubes find it.
var Raw = []Setting{{"tidy", "false"}, {"smoothing", "0"}, {"normal_smoothing", "0"}, {"volume", "false"}}

// newMethod returns the named surface method with the settings laid over its
// defaults, all of which it returns too. The error is of type toml.Faults if a
// setting is wrong.
func newMethod(name string, list []Setting) (m surface.Method, all []Setting, err error) {
	table := &toml.Node{Path: "surface"}
	for _, s := range list {
		n := toml.Flag(s.Key, s.Value)
		n.Key, n.Path = s.Key, s.Key
		table.Items = append(table.Items, n)
	}
	m, err = surface.Methods.New(name, func(dst any) error {
		var r toml.Report
		new(toml.Schema).Decode(table, dst, &r)
		v := reflect.ValueOf(dst).Elem()
		for _, f := range registry.Fields(v.Type()) {
			all = append(all, Setting{f.Key, fmt.Sprint(v.FieldByIndex(f.Index).Interface())})
		}
		return r.Err()
	})
	return m, all, err
}
