// Package wedge runs variants of a scene, each with other values of some keys. Artists
// call such a sweep of parameters a wedge. Files:
//
//	wedge.go     the file of a wedge
//	variants.go  the values of each variant, and its scene
//	run.go       runs of the variants
//	summary.go   what is made of all variants at the end
//	tables.go    the tables of all variants
//	sheet.go     a picture of all variants
package wedge

import (
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"breakwater/out/store"
	"breakwater/scenes/toml"
)

// Modes of a wedge.
const (
	Grid   = "grid"   // each value of a key with each value of the others
	List   = "list"   // the first values, then the second values, and so on
	Random = "random" // values drawn at random
)

// Settings are the keys of a wedge file outside [vary].
type Settings struct {
	Scene string `toml:"scene" doc:"Shipped scene, or the path of a scene file relative to this file."`
	Mode  string `toml:"mode" oneof:"grid list random" doc:"\"grid\", the default, combines each value of a key with each value of the others. \"list\" has a variant with the first values of all keys, one with the second values, and so on. \"random\" draws the values."`
	Count int    `toml:"count" range:"[1, 1000]" doc:"Number of variants in the mode random."`
	Seed  int    `toml:"seed" range:"[0, 1e9]" doc:"Seed of the random numbers."`
	Frame int    `toml:"frame" range:"[1, 1e6]" doc:"Frame of each variant on the contact sheet, from 1; by default the last that all have."`
}

// Plan is a wedge file.
type Plan struct {
	Settings
	Name string // of the file, without .toml

	path string
	vary []varied
}

// varied is a key of the scene with its values, or a range of them.
type varied struct {
	key    string
	values []value
	span   *span
}

// value is a value as a scene file and as a label have it.
type value struct{ text, label string }

// span is a range of numbers, which is even on a logarithmic scale if log is set.
type span struct {
	From  float64 `toml:"from" range:"(-inf, inf)"`
	To    float64 `toml:"to" range:"(-inf, inf)"`
	Scale string  `toml:"scale" oneof:"linear log"`
}

// maxVariants is the largest number of variants of a wedge.
const maxVariants = 1000

// Read reads a wedge file. Its faults are of type toml.Faults.
func Read(path string) (*Plan, error) {
	file, _, err := store.OpenRegular(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, toml.MaxFile+1))
	if err != nil {
		return nil, err
	}
	return parse(path, strings.TrimPrefix(string(data), "\ufeff"))
}

func parse(path, text string) (*Plan, error) {
	var f toml.Report
	src := &toml.Source{Name: path, Data: text}
	if len(text) > toml.MaxFile {
		f.At(src, toml.Span{}, "", "the file has more than %d kB", toml.MaxFile>>10)
		return nil, f.Err()
	}
	root, whole := toml.Parse(src, &f)
	p := &Plan{Settings: Settings{Mode: Grid, Seed: 1}, Name: strings.TrimSuffix(filepath.Base(path), ".toml"), path: path}
	decode(root, &p.Settings, &f, "vary")
	if whole && p.Scene == "" {
		f.Value(root, "scene is missing; expected a shipped scene or the path of a scene file")
	}
	vary := root.Get("vary")
	switch {
	case vary != nil && vary.Kind == toml.Table:
		p.keys(vary, "", &f)
	case whole:
		f.Value(vary.Or(root), "[vary] is missing; expected keys of the scene with their values, such as liquid.viscosity = [0.1, 1]")
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if len(p.vary) == 0 {
		f.Value(vary, "[vary] is empty; expected keys of the scene with their values")
		return nil, f.Err()
	}
	p.count(vary, root, &f)
	return p, f.Err()
}

func decode(n *toml.Node, dst any, f *toml.Report, known ...string) {
	(&toml.Schema{Root: reflect.TypeOf(dst).Elem()}).Decode(n, dst, f, known...)
}

// keys reads the keys of [vary], which may be quoted, dotted or in tables below it.
func (p *Plan) keys(n *toml.Node, path string, f *toml.Report) {
	for _, c := range n.Items {
		key := toml.Join(path, c.Key)
		switch {
		case c.Kind == toml.Table && c.Get("from") == nil && c.Get("to") == nil:
			p.keys(c, key, f)
		case c.Kind == toml.Table && p.Mode != Random:
			f.Value(c, "a range of values is for the mode random; expected a list of values")
		case c.Kind == toml.Table:
			s := &span{Scale: "linear"}
			decode(c, s, f)
			if c.Get("from") == nil || c.Get("to") == nil || s.Scale == "log" && !(s.From > 0 && s.To > 0) {
				f.Value(c, "expected a range with both ends, such as { from = 0.1, to = 10, scale = \"log\" }; the ends of a logarithmic range are above 0")
			}
			p.vary = append(p.vary, varied{key: key, span: s})
		case c.Kind != toml.Array || len(c.Items) == 0:
			f.Value(c, "expected a list of values, such as [0.1, 1]")
		default:
			v := varied{key: key}
			for _, item := range c.Items {
				v.values = append(v.values, value{toml.Inline(item), label(item)})
			}
			p.vary = append(p.vary, v)
		}
	}
}

// count checks the number of variants.
func (p *Plan) count(vary, root *toml.Node, f *toml.Report) {
	switch p.Mode {
	case Random:
		if p.Count == 0 {
			f.Value(root, "count is missing; the mode random needs the number of variants")
		}
		return
	case List:
		for _, v := range p.vary {
			if len(v.values) != len(p.vary[0].values) {
				f.Value(vary, "%s has %d values and %s has %d; in the mode list all keys have as many", p.vary[0].key, len(p.vary[0].values), v.key, len(v.values))
				return
			}
		}
		p.Count = len(p.vary[0].values)
	default:
		p.Count = 1
		for _, v := range p.vary {
			p.Count = min(p.Count*len(v.values), maxVariants+1)
		}
	}
	if p.Count > maxVariants {
		f.Value(vary, "makes more than %d variants", maxVariants)
	}
}

// label returns a value without quotes, for people.
func label(n *toml.Node) string {
	if n.Kind == toml.String {
		return n.Text
	}
	return strings.NewReplacer(`"`, "").Replace(toml.Inline(n))
}

// Keys returns the keys that vary, in the order of the file.
func (p *Plan) Keys() (list []string) {
	for _, v := range p.vary {
		list = append(list, v.key)
	}
	return slices.Clip(list)
}
