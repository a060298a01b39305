package parcels

import (
	"fmt"
	"reflect"
	"strings"

	"breakwater/scenes/toml"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/whitewater"
)

// Settings are the settings of the whitewater and of the liquid that the particles are of.
type Settings struct {
	whitewater.Settings

	Spacing        float64  `toml:"spacing" unit:"m" range:"(0, inf)"`
	Density        float64  `toml:"density" unit:"kg/m³" range:"[1, 1e5]"`
	Viscosity      float64  `toml:"viscosity" unit:"m²/s" range:"[0, inf)"`
	SurfaceTension float64  `toml:"surface_tension" unit:"N/m" range:"(0, inf)"`
	Gravity        vec.Vec3 `toml:"gravity" unit:"m/s²" range:"[-1e3, 1e3]"`
}

// defaultSettings returns the settings of water, whose particles are of unknown spacing.
func defaultSettings() Settings {
	return Settings{
		Settings: whitewater.DefaultSettings(),
		Density:  1000, Viscosity: 1e-6, SurfaceTension: 0.0728, Gravity: vec.New(0, -9.81, 0),
	}
}

// Setting is a setting as the command line has it. A list has commas between its values.
type Setting struct{ Key, Value string }

// readSettings lays the list over the defaults. The error is of type toml.Faults if a
// setting has a wrong value.
func readSettings(list []Setting) (s Settings, err error) {
	s = defaultSettings()
	lists := map[string]bool{}
	for _, f := range registry.Fields(reflect.TypeOf(s)) {
		t := reflect.TypeOf(s).FieldByIndex(f.Index).Type
		lists[f.Key] = t.Kind() == reflect.Slice || t == toml.VecType
	}
	table := &toml.Node{Path: "whitewater"}
	for _, set := range list {
		var n *toml.Node
		if lists[set.Key] {
			n = &toml.Node{Kind: toml.Array, Src: &toml.Source{Name: set.Key, Flag: true, Data: set.Value}}
			for _, part := range strings.Split(strings.Trim(set.Value, "[] "), ",") {
				item := toml.Flag(set.Key, strings.Trim(part, `" `))
				item.Path = set.Key
				n.Items = append(n.Items, item)
			}
		} else {
			n = toml.Flag(set.Key, set.Value)
		}
		n.Key, n.Path = set.Key, set.Key
		table.Items = append(table.Items, n)
	}
	var r toml.Report
	new(toml.Schema).Decode(table, &s, &r)
	if err := r.Err(); err != nil {
		return s, err
	}
	for _, fault := range s.Faults() {
		return s, fmt.Errorf("%s %s", fault.Key, fault.What)
	}
	return s, nil
}
