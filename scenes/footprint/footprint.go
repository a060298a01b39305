// Package footprint counts the memory that values refer to.
package footprint

import "reflect"

// Count counts the memory that values refer to. Shared memory counts once, with the
// first reference. Unlike the size of the heap it does not depend on when the garbage
// collector last ran.
type Count struct {
	Each int // slices of this length hold something for each of as many things
	seen map[uintptr]bool
}

// New returns a count of nothing. Slices of the given length count apart from the rest.
func New(each int) *Count {
	return &Count{each, map[uintptr]bool{}}
}

// Add returns the bytes that v refers to and that were not counted before:
// those in slices of the length Each, and the others.
func (f *Count) Add(v any) (each, rest float64) { return f.walk(reflect.ValueOf(v)) }

func (f *Count) walk(v reflect.Value) (each, rest float64) {
	all := func(n int, part func(i int) reflect.Value) {
		for i := range n {
			e, r := f.walk(part(i))
			each, rest = each+e, rest+r
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || f.counted(v.Pointer()) {
			return 0, 0
		}
		each, rest = f.walk(v.Elem())
		return each, rest + float64(v.Type().Elem().Size())
	case reflect.Interface:
		if !v.IsNil() {
			return f.walk(v.Elem())
		}
	case reflect.Slice:
		if v.Cap() == 0 || f.counted(v.Pointer()) {
			return 0, 0
		}
		bytes := float64(v.Cap()) * float64(v.Type().Elem().Size())
		if v.Len() == f.Each {
			each = bytes
		} else {
			rest = bytes
		}
		if refers(v.Type().Elem()) {
			whole := v.Slice(0, v.Cap())
			all(whole.Len(), whole.Index)
		}
	case reflect.Array:
		if refers(v.Type().Elem()) {
			all(v.Len(), v.Index)
		}
	case reflect.Struct:
		if refers(v.Type()) {
			all(v.NumField(), v.Field)
		}
	case reflect.Map:
		if v.IsNil() || f.counted(v.Pointer()) {
			return 0, 0
		}
		const spare = 1.5 // places for each entry
		rest = spare * float64(v.Len()) * float64(v.Type().Key().Size()+v.Type().Elem().Size())
	case reflect.String:
		rest = float64(v.Len())
	}
	return each, rest
}

// counted reports whether the memory at p was counted, and counts it.
func (f *Count) counted(p uintptr) bool {
	before := f.seen[p]
	f.seen[p] = true
	return before
}

// refers reports whether values of type t may refer to memory.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.String:
		return true
	case reflect.Array:
		return refers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if refers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
