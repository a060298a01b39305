package scenes

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

// recipe lists what a product is made from, one "key value" line a setting,
// in a form that depends on nothing else: not on the order of the struct's
// fields, not on comments or layout of the scene file, not on whether a value
// was written there or is the default.
type recipe struct{ lines strings.Builder }

// add lists v, a setting or a struct of settings. Of a struct, only the fields
// with a toml key count: the others are a variant's own memory.
func (r *recipe) add(key string, v any) { r.value(key, reflect.ValueOf(v)) }

func (r *recipe) value(key string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			r.line(key, "none")
			return
		}
		r.value(key, v.Elem())
	case reflect.Bool:
		r.line(key, strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		r.line(key, strconv.FormatInt(v.Int(), 10))
	case reflect.Float64:
		r.line(key, registry.Number(v.Float()))
	case reflect.String:
		r.line(key, strconv.Quote(v.String()))
	case reflect.Slice, reflect.Array:
		r.line(key, fmt.Sprintf("%d items", v.Len()))
		for i := range v.Len() {
			r.value(fmt.Sprintf("%s[%d]", key, i), v.Index(i))
		}
	case reflect.Struct:
		if x, ok := v.Interface().(vec.Vec3); ok {
			r.line(key, registry.Number(x.X)+" "+registry.Number(x.Y)+" "+registry.Number(x.Z))
			return
		}
		r.fields(key, v)
	default:
		panic(fmt.Sprintf("scenes: setting %s is of type %s, which scene files do not support", key, v.Type()))
	}
}

var finishType = reflect.TypeFor[Finish]()

// fields lists the settings of a struct by the order of their keys, but for a
// Finish, which changes pictures alone.
func (r *recipe) fields(key string, v reflect.Value) {
	byKey := map[string]reflect.Value{}
	var keys []string
	for _, sf := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(sf.Tag.Get("toml"), ",")
		if name == "" || name == "-" || len(sf.Index) > 1 && v.Type().Field(sf.Index[0]).Type == finishType {
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

func (r *recipe) line(key, value string) {
	r.lines.WriteString(key)
	r.lines.WriteByte(' ')
	r.lines.WriteString(value)
	r.lines.WriteByte('\n')
}

// sum returns the fingerprint: the SHA-256 of the lines, in hexadecimal.
func (r *recipe) sum() string {
	h := sha256.Sum256([]byte(r.lines.String()))
	return hex.EncodeToString(h[:])
}
