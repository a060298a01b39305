package toml

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"breakwater/sim/vec"
)

// decoder lays nodes over Go values that hold the defaults.
type decoder struct {
	*Schema
	*Report
}

// table lays the table n over the struct v. Keys in known belong to another
// reader of the same table.
func (d decoder) table(n *Node, v reflect.Value, known ...string) {
	fields := Fields(v.Type())
	keys := append(known, keysOf(fields)...)
	inline := false
	for _, f := range fields {
		if f.Inline {
			inline = true
			d.variant(n, v.FieldByIndex(f.Index).Addr().Interface().(*Variant), keys)
		}
	}
	for _, c := range n.Items {
		f, ok := Lookup(fields, c.Key)
		switch {
		case ok:
			d.value(c, v.FieldByIndex(f.Index), f)
		case !inline && !slices.Contains(known, c.Key):
			d.unknown(c, n, keys)
		}
	}
}

// unknown reports the key of c, which the table n does not have.
func (d decoder) unknown(c, n *Node, keys []string) {
	if d.full() {
		return
	}
	where := "a scene"
	if list, rest, ok := strings.Cut(n.Path, "["); ok && strings.Contains(rest, ".") {
		_, last, _ := strings.Cut(rest, ".")
		where = "[" + list + "." + last + "]"
	} else if ok {
		where = "[[" + list + "]]"
	} else if n.Path != "" {
		where = "[" + n.Path + "]"
	}
	advice := fmt.Sprintf("%s has %s", where, strings.Join(keys, ", "))
	if len(keys) == 0 {
		advice = where + " has no settings"
	}
	if near := nearest(c.Key, keys); near != "" {
		advice = fmt.Sprintf("did you mean %q? %s", near, advice)
	} else if home := d.homeOf(c.Key); home != "" && home != n.Path {
		advice = fmt.Sprintf("did you mean it for [%s]? %s", home, advice)
	}
	d.key(c, "unknown key; %s", advice)
}

// homeOf returns the table of a file that has the key, and "" if none or more than one
// has it.
func (s *Schema) homeOf(key string) string {
	if s.Root == nil {
		return ""
	}
	home := ""
	for _, f := range Fields(s.Root) {
		t := s.Root.FieldByIndex(f.Index).Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || t == VariantType {
			continue
		}
		if _, ok := Lookup(Fields(t), key); ok {
			if home != "" {
				return ""
			}
			home = f.Key
		}
	}
	return home
}

// The types that the decoder treats in their own way.
var (
	VariantType = reflect.TypeFor[Variant]()
	VecType     = reflect.TypeFor[vec.Vec3]()
)

// value lays the node n over v.
func (d decoder) value(n *Node, v reflect.Value, f Field) {
	if n.Bad {
		return
	}
	switch v.Type() {
	case VariantType:
		switch {
		case n.Tables:
			d.single(n)
		case n.Kind != Table:
			d.wrong(n, "a table with a kind")
		default:
			d.variant(n, v.Addr().Interface().(*Variant), nil)
		}
		return
	case VecType:
		if f.Color != "" && n.Kind == String {
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
		case n.Tables:
			d.single(n)
		case n.Kind != Table:
			d.wrong(n, "a table")
		default:
			d.table(n, v)
		}
	case reflect.Array, reflect.Slice:
		d.list(n, v, f)
	case reflect.Bool:
		if n.Kind != Bool {
			d.wrong(n, "true or false")
			return
		}
		v.SetBool(n.Text == "true")
	case reflect.String:
		d.word(n, v, f)
	case reflect.Int:
		d.whole(n, v, f)
	case reflect.Float64:
		d.real(n, v, f)
	default:
		panic(fmt.Sprintf("toml: a setting cannot be a %v", v.Type()))
	}
}

// hex reads a colour such as "#cc1a1a", which is in sRGB.
func (d decoder) hex(n *Node, v reflect.Value, f Field) {
	rgb, err := strconv.ParseUint(strings.TrimPrefix(n.Text, "#"), 16, 32)
	if err != nil || len(n.Text) != 7 || n.Text[0] != '#' {
		d.bad(n, "%q is not a colour; expected %s", n.Text, Describe(v.Type(), f))
		return
	}
	var c [3]float64
	for i := range c {
		c[i] = float64(rgb>>(16-8*i)&0xff) / 255
		if f.Color == "linear" {
			c[i] = d.Linear(c[i])
		}
		if !d.inside(n, c[i], f, v.Type()) {
			return
		}
	}
	v.Set(reflect.ValueOf(vec.New(c[0], c[1], c[2])))
}

// single reports a [[table]] that should be a [table].
func (d decoder) single(n *Node) {
	first := n.Items[0]
	n.Bad = true
	d.At(first.Src, first.At, n.Path, "found a list of tables; a scene can have only one, so write [%s] with single brackets", n.Path)
}

// list lays the list n over an array, whose length must fit, or a slice,
// which it replaces.
func (d decoder) list(n *Node, v reflect.Value, f Field) {
	size := -1
	if v.Kind() == reflect.Array {
		size = v.Len()
	}
	if n.Kind == Table && v.Type().Elem().Kind() == reflect.Struct {
		d.bad(n, "found a single table; there can be several, so write [[%s]] with double brackets", n.Path)
		return
	}
	if n.Kind != Array {
		d.wrong(n, Describe(v.Type(), f))
		return
	}
	if size >= 0 && len(n.Items) != size {
		d.bad(n, "has %s; expected %s", Count(len(n.Items), "value"), Describe(v.Type(), f))
		return
	}
	if size < 0 {
		v.Set(reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items)))
	}
	for i, c := range n.Items {
		d.value(c, v.Index(i), f)
	}
}

// word reads a string.
func (d decoder) word(n *Node, v reflect.Value, f Field) {
	if n.Kind != String {
		d.wrong(n, Describe(v.Type(), f))
		return
	}
	if len(f.OneOf) > 0 && !slices.Contains(f.OneOf, n.Text) {
		d.bad(n, "%q is not known; %s", n.Text, Expected(n.Text, f.OneOf))
		return
	}
	v.SetString(n.Text)
}

// whole reads an integer.
func (d decoder) whole(n *Node, v reflect.Value, f Field) {
	if n.Kind != Int {
		d.wrong(n, Describe(v.Type(), f))
		return
	}
	x, err := strconv.ParseInt(strings.ReplaceAll(n.Text, "_", ""), 0, 64)
	if err != nil {
		d.bad(n, "%s is too large for an integer", n.Text)
		return
	}
	if d.inside(n, float64(x), f, v.Type()) {
		v.SetInt(x)
	}
}

// real reads a number, or a string that has a number and a unit.
func (d decoder) real(n *Node, v reflect.Value, f Field) {
	var x float64
	var err error
	switch n.Kind {
	case String:
		if x, err = quantity(n.Text, f.Unit); err != nil {
			want := Describe(v.Type(), f)
			if units := UnitsLike(f.Unit); len(units) > 0 {
				want += ", or a string with a number and a unit, one of " + strings.Join(units, ", ")
			}
			d.bad(n, "%v; expected %s", err, want)
			return
		}
	case Int:
		var i int64
		if i, err = strconv.ParseInt(strings.ReplaceAll(n.Text, "_", ""), 0, 64); err == nil {
			x = float64(i)
			break
		}
		fallthrough
	case Float:
		if x, err = strconv.ParseFloat(strings.ReplaceAll(n.Text, "_", ""), 64); err != nil {
			x = math.Inf(1)
		}
	default:
		d.wrong(n, Describe(v.Type(), f))
		return
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		d.bad(n, "%s is not finite; expected %s", n.Text, Describe(v.Type(), f))
		return
	}
	if d.inside(n, x, f, v.Type()) {
		v.SetFloat(x)
	}
}

// inside reports whether x is in the range of f and the limits of its unit.
func (d decoder) inside(n *Node, x float64, f Field, t reflect.Type) bool {
	switch {
	case f.In != nil && !f.In.Contains(x):
		d.bad(n, "%s is out of range; expected %s", n.Text, Describe(t, f))
	case f.Limit != nil && !f.Limit.Contains(x):
		f.In = f.Limit
		d.bad(n, "%s is out of range; expected %s: %s", n.Text, Describe(t, f), f.reason)
	default:
		return true
	}
	return false
}

// bad reports that the value n cannot be used.
func (d decoder) bad(n *Node, format string, args ...any) {
	n.Bad = true
	d.Report.Value(n, format, args...)
}

// wrong reports a value of the wrong type.
func (d decoder) wrong(n *Node, want string) { d.bad(n, "found %s; expected %s", found(n), want) }
