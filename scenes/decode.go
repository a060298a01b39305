package scenes

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"breakwater/raster"
	"breakwater/sim/vec"
)

// decoder lays nodes over Go values that hold the defaults.
type decoder struct{ *faults }

// table lays the table n over the struct v. Keys in known belong to another
// reader of the same table.
func (d decoder) table(n *node, v reflect.Value, known ...string) {
	fields := fieldsOf(v.Type())
	keys := append(known, keysOf(fields)...)
	inline := false
	for _, f := range fields {
		if f.inline {
			inline = true
			d.variant(n, v.FieldByIndex(f.index).Addr().Interface().(*Variant), keys)
		}
	}
	for _, c := range n.items {
		f, ok := lookup(fields, c.key)
		switch {
		case ok:
			d.value(c, v.FieldByIndex(f.index), f)
		case !inline && !slices.Contains(known, c.key):
			d.unknown(c, n, keys)
		}
	}
}

func lookup(fields []field, key string) (field, bool) {
	for _, f := range fields {
		if f.key == key && !f.inline {
			return f, true
		}
	}
	return field{}, false
}

// unknown reports the key of c, which the table n does not have.
func (d decoder) unknown(c, n *node, keys []string) {
	if d.full() {
		return
	}
	where := "a scene"
	if list, rest, ok := strings.Cut(n.path, "["); ok && strings.Contains(rest, ".") {
		_, last, _ := strings.Cut(rest, ".")
		where = "[" + list + "." + last + "]"
	} else if ok {
		where = "[[" + list + "]]"
	} else if n.path != "" {
		where = "[" + n.path + "]"
	}
	advice := fmt.Sprintf("%s has %s", where, strings.Join(keys, ", "))
	if len(keys) == 0 {
		advice = where + " has no settings"
	}
	if near := nearest(c.key, keys); near != "" {
		advice = fmt.Sprintf("did you mean %q? %s", near, advice)
	} else if home := homeOf(c.key); home != "" && home != n.path {
		advice = fmt.Sprintf("did you mean it for [%s]? %s", home, advice)
	}
	d.key(c, "unknown key; %s", advice)
}

// homeOf returns the table of a scene that has the key, and "" if there is
// none or more than one.
func homeOf(key string) string {
	home := ""
	for _, f := range sceneFields {
		t := sceneType.FieldByIndex(f.index).Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || t == plugType {
			continue
		}
		if _, ok := lookup(fieldsOf(t), key); ok {
			if home != "" {
				return ""
			}
			home = f.key
		}
	}
	return home
}

var (
	sceneType   = reflect.TypeFor[Scene]()
	sceneFields = fieldsOf(sceneType)
	plugType    = reflect.TypeFor[Variant]()
	vecType     = reflect.TypeFor[vec.Vec3]()
)

// value lays the node n over v.
func (d decoder) value(n *node, v reflect.Value, f field) {
	if n.bad {
		return
	}
	switch v.Type() {
	case plugType:
		switch {
		case n.tables:
			d.single(n)
		case n.kind != tableNode:
			d.wrong(n, "a table with a kind")
		default:
			d.variant(n, v.Addr().Interface().(*Variant), nil)
		}
		return
	case vecType:
		if f.color != "" && n.kind == stringNode {
			d.hex(n, v, f)
			return
		}
		x := [3]float64{v.Field(0).Float(), v.Field(1).Float(), v.Field(2).Float()}
		d.list(n, reflect.ValueOf(&x).Elem(), f)
		v.Set(reflect.ValueOf(vec.New(x[0], x[1], x[2])))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		d.value(n, v.Elem(), f)
	case reflect.Struct:
		switch {
		case n.tables:
			d.single(n)
		case n.kind != tableNode:
			d.wrong(n, "a table")
		default:
			d.table(n, v)
		}
	case reflect.Array, reflect.Slice:
		d.list(n, v, f)
	case reflect.Bool:
		if n.kind != boolNode {
			d.wrong(n, "true or false")
			return
		}
		v.SetBool(n.text == "true")
	case reflect.String:
		d.word(n, v, f)
	case reflect.Int:
		d.whole(n, v, f)
	case reflect.Float64:
		d.real(n, v, f)
	default:
		panic(fmt.Sprintf("scenes: a setting cannot be a %v", v.Type()))
	}
}

// hex reads a colour such as "#cc1a1a", which is in sRGB.
func (d decoder) hex(n *node, v reflect.Value, f field) {
	rgb, err := strconv.ParseUint(strings.TrimPrefix(n.text, "#"), 16, 32)
	if err != nil || len(n.text) != 7 || n.text[0] != '#' {
		d.bad(n, "%q is not a colour; expected %s", n.text, shape(v.Type(), f))
		return
	}
	var c [3]float64
	for i := range c {
		c[i] = float64(rgb>>(16-8*i)&0xff) / 255
		if f.color == "linear" {
			c[i] = raster.Linear(c[i])
		}
		if !d.inside(n, c[i], f, v.Type()) {
			return
		}
	}
	v.Set(reflect.ValueOf(vec.New(c[0], c[1], c[2])))
}

// single reports a [[table]] that should be a [table].
func (d decoder) single(n *node) {
	first := n.items[0]
	n.bad = true
	d.at(first.src, first.at, n.path, "found a list of tables; a scene has one only, so write [%s] with single brackets", n.path)
}

// list lays the list n over an array, whose length must fit, or a slice,
// which it replaces.
func (d decoder) list(n *node, v reflect.Value, f field) {
	size := -1
	if v.Kind() == reflect.Array {
		size = v.Len()
	}
	if n.kind == tableNode && v.Type().Elem().Kind() == reflect.Struct {
		d.bad(n, "found one table; there may be several, so write [[%s]] with double brackets", n.path)
		return
	}
	if n.kind != arrayNode {
		d.wrong(n, shape(v.Type(), f))
		return
	}
	if size >= 0 && len(n.items) != size {
		d.bad(n, "has %s; expected %s", count(len(n.items), "value"), shape(v.Type(), f))
		return
	}
	if size < 0 {
		v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
	}
	for i, c := range n.items {
		d.value(c, v.Index(i), f)
	}
}

// word reads a string.
func (d decoder) word(n *node, v reflect.Value, f field) {
	if n.kind != stringNode {
		d.wrong(n, shape(v.Type(), f))
		return
	}
	if len(f.oneof) > 0 && !slices.Contains(f.oneof, n.text) {
		d.bad(n, "%q is not known; %s", n.text, expected(n.text, f.oneof))
		return
	}
	v.SetString(n.text)
}

// whole reads an integer.
func (d decoder) whole(n *node, v reflect.Value, f field) {
	if n.kind != intNode {
		d.wrong(n, shape(v.Type(), f))
		return
	}
	x, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 0, 64)
	if err != nil {
		d.bad(n, "%s is too large for a whole number", n.text)
		return
	}
	if d.inside(n, float64(x), f, v.Type()) {
		v.SetInt(x)
	}
}

// real reads a number, or a string that has a number and a unit.
func (d decoder) real(n *node, v reflect.Value, f field) {
	var x float64
	var err error
	switch n.kind {
	case stringNode:
		if x, err = quantity(n.text, f.unit); err != nil {
			want := shape(v.Type(), f)
			if units := unitsOf(f.unit); len(units) > 0 {
				want += ", or a string with a number and a unit, one of " + strings.Join(units, ", ")
			}
			d.bad(n, "%v; expected %s", err, want)
			return
		}
	case intNode:
		var i int64
		if i, err = strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 0, 64); err == nil {
			x = float64(i)
			break
		}
		fallthrough
	case floatNode:
		if x, err = strconv.ParseFloat(strings.ReplaceAll(n.text, "_", ""), 64); err != nil {
			x = math.Inf(1)
		}
	default:
		d.wrong(n, shape(v.Type(), f))
		return
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		d.bad(n, "%s is not finite; expected %s", n.text, shape(v.Type(), f))
		return
	}
	if d.inside(n, x, f, v.Type()) {
		v.SetFloat(x)
	}
}

// inside reports whether x is in the range of f and the limits of its unit.
func (d decoder) inside(n *node, x float64, f field, t reflect.Type) bool {
	switch {
	case f.in != nil && !f.in.contains(x):
		d.bad(n, "%s is out of range; expected %s", n.text, shape(t, f))
	case f.limit != nil && !f.limit.contains(x):
		f.in = f.limit
		d.bad(n, "%s is out of range; expected %s: %s", n.text, shape(t, f), f.reason)
	default:
		return true
	}
	return false
}

// bad reports that the value n cannot be used.
func (d decoder) bad(n *node, format string, args ...any) {
	n.bad = true
	d.faults.value(n, format, args...)
}

// wrong reports a value of the wrong type.
func (d decoder) wrong(n *node, want string) {
	d.bad(n, "found %s; expected %s", found(n), want)
}
