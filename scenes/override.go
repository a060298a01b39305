package scenes

import (
	"strings"

	"breakwater/scenes/toml"
)

// Overrides are values that take the place of those in a scene file, written
// as on the command line. A value of "" leaves the file as it is.
type Overrides struct {
	FPS     string   `json:"fps,omitempty"`     // frames per second of film: "60"
	Size    string   `json:"size,omitempty"`    // of the picture: "1920x1080"
	Quality string   `json:"quality,omitempty"` // "draft", "good" or "final"
	Spacing string   `json:"spacing,omitempty"` // of the particles, or the cell of a gas: "0.02" (metres) or "2 cm"
	Set     []string `json:"set,omitempty"`     // of any keys: "liquid.viscosity=0.1", "fluid[2].max=[1, 1, 1]"
}

// empty reports whether o changes nothing.
func (o Overrides) empty() bool {
	return o.FPS == "" && o.Size == "" && o.Quality == "" && o.Spacing == "" && len(o.Set) == 0
}

// SetFlag is the flag that faults of [Overrides.Set] name.
const SetFlag = "--set"

// Override lays o over s and checks the outcome as Read does. If anything is
// wrong, s stays as it was. Faults of values are of type Faults.
func (s *Scene) Override(o Overrides) error {
	root := s.root
	table, key := "liquid", "spacing"
	if s.Gas != nil {
		table, key = "gas", "cell"
	}
	for _, v := range []struct {
		flag, text string
		table, key string
		value      func(name, text string) *toml.Node
	}{
		{"--fps", o.FPS, "time", "fps", toml.Flag},
		{"--size", o.Size, "picture", "size", sizeFlag},
		{"--quality", o.Quality, "picture", "quality", toml.Flag},
		{"--spacing", o.Spacing, table, key, toml.Flag},
	} {
		if v.text == "" {
			continue
		}
		n := v.value(v.flag, v.text)
		n.Key, n.Path = v.key, toml.Join(v.table, v.key)
		table := &toml.Node{Kind: toml.Table, Src: n.Src, Key: v.table, Path: v.table, Items: []*toml.Node{n}}
		root = language().Overlay(root, &toml.Node{Kind: toml.Table, Src: n.Src, Items: []*toml.Node{table}})
	}
	for _, assignment := range o.Set {
		var err error
		if root, err = language().Set(root, SetFlag, assignment); err != nil {
			return err
		}
	}
	var f toml.Report
	t := decodeScene(root, s.Name, s.Path, &f)
	t.Shown = s.Shown
	t.check(&f, true, false)
	if err := f.Err(); err != nil {
		return err
	}
	*s = *t
	return nil
}

// sizeFlag is WIDTHxHEIGHT, or WIDTH × HEIGHT as check writes it, a list of two
// numbers.
func sizeFlag(name, text string) *toml.Node {
	w, h, ok := strings.Cut(strings.NewReplacer("×", "x", "X", "x").Replace(text), "x")
	if !ok {
		return toml.Flag(name, text)
	}
	list := &toml.Node{Kind: toml.Array, Src: &toml.Source{Name: name, Flag: true, Data: text}}
	for _, side := range []string{w, h} {
		item := toml.Flag(name, strings.TrimSpace(side))
		item.Path = name
		list.Items = append(list.Items, item)
	}
	return list
}
