package stage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Recipe lists the settings that a product is made from, one "key value" line per
// setting. Its form does not depend on the order of the struct's fields, or on comments
// or the layout of the scene file. It is the same for a default value whether or not the
// file has it.
type Recipe struct{ lines strings.Builder }

// Add lists v, a setting or a struct of settings. Of a struct, only the fields
// with a toml key count: the others are a variant's own memory.
func (r *Recipe) Add(key string, v any) { r.value(key, reflect.ValueOf(v)) }

func (r *Recipe) value(key string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			r.Line(key, "none")
			return
		}
		r.value(key, v.Elem())
	case reflect.Bool:
		r.Line(key, strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		r.Line(key, strconv.FormatInt(v.Int(), 10))
	case reflect.Float64:
		r.Line(key, registry.Number(v.Float()))
	case reflect.String:
		r.Line(key, strconv.Quote(v.String()))
	case reflect.Slice, reflect.Array:
		r.Line(key, fmt.Sprintf("%d items", v.Len()))
		for i := range v.Len() {
			r.value(fmt.Sprintf("%s[%d]", key, i), v.Index(i))
		}
	case reflect.Struct:
		if x, ok := v.Interface().(vec.Vec3); ok {
			r.Line(key, registry.Number(x.X)+" "+registry.Number(x.Y)+" "+registry.Number(x.Z))
			return
		}
		r.fields(key, v)
	default:
		panic(fmt.Sprintf("stage: setting %s is of type %s, which scene files do not support", key, v.Type()))
	}
}

// fields lists the settings of a struct by the order of their keys, except the settings
// of an embedded struct with the tag recipe:"-", which change other products. Settings with
// the tag recipe:"set" are listed unless they are zero, which changes nothing.
func (r *Recipe) fields(key string, v reflect.Value) {
	byKey := map[string]reflect.Value{}
	var keys []string
	for _, sf := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(sf.Tag.Get("toml"), ",")
		if name == "" || name == "-" || len(sf.Index) > 1 && v.Type().Field(sf.Index[0]).Tag.Get("recipe") == "-" {
			continue
		}
		if sf.Tag.Get("recipe") == "set" && v.FieldByIndex(sf.Index).IsZero() {
			continue
		}
		byKey[name] = v.FieldByIndex(sf.Index)
		keys = append(keys, name)
	}
	slices.Sort(keys)
	for _, k := range keys {
		r.value(key+"."+k, byKey[k])
	}
}

// Line adds one line: the key and its value.
func (r *Recipe) Line(key, value string) {
	r.lines.WriteString(key)
	r.lines.WriteByte(' ')
	r.lines.WriteString(value)
	r.lines.WriteByte('\n')
}

// Include adds the lines of part, each after key.
func (r *Recipe) Include(key string, part *Recipe) {
	for line := range strings.Lines(part.lines.String()) {
		r.lines.WriteString(key + line)
	}
}

// Sum returns the fingerprint: the SHA-256 of the lines, in hexadecimal.
func (r *Recipe) Sum() string {
	h := sha256.Sum256([]byte(r.lines.String()))
	return hex.EncodeToString(h[:])
}

// After returns the fingerprint of a product made from the product with the fingerprint
// before, by a setting.
func After(before, key, value string) string {
	var r Recipe
	r.Line("from", before)
	r.Line(key, value)
	return r.Sum()
}
