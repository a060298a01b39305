// Package registry keeps the named variants of one family (solvers, boundaries, forces,
// neighbour searches, surface methods, looks, output formats, figures). A variant is one
// file that registers itself.
package registry

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
)

// Decode lays the scene's block for one variant over *dst, a struct that
// holds the defaults. It fails on a key that dst does not have and on a value
// out of range.
//
// The fields of dst that a scene may set carry tags, from which the messages,
// docs/SCENES.md and the JSON Schema are made:
//
//	toml:"max_error"   the key
//	unit:"m/s"         SI unit, "1" for a ratio, absent if the value has none
//	doc:"..."          one sentence
//	range:"(0, 1]"     interval that a number, or each part of a vector, must be in; inf is allowed
//	oneof:"a b c"      what a string may be
//
// Field types: bool, int, float64, string, vec.Vec3, [2]int, and slices and
// structs of these.
type Decode func(dst any) error

// None is a Decode that leaves the defaults as they are.
func None(any) error { return nil }

// Entry describes one variant.
type Entry[T any] struct {
	Name string // as written in scene files, lower case
	Doc  string // one line, shown by "breakwater list"
	Cite string // author and year, or ""
	New  func(Decode) (T, error)
}

// Set is one family.
type Set[T any] struct {
	Kind    string // "solver", "boundary", ...: used in messages
	entries []Entry[T]
}

// Register adds e. It is called from init functions only and panics on a
// name that is empty or taken.
func (s *Set[T]) Register(e Entry[T]) {
	i, taken := slices.BinarySearchFunc(s.entries, e.Name, func(x Entry[T], n string) int { return strings.Compare(x.Name, n) })
	if taken || e.Name == "" || e.Doc == "" || e.New == nil {
		panic(fmt.Sprintf("registry: bad or duplicate %s %q", s.Kind, e.Name))
	}
	s.entries = slices.Insert(s.entries, i, e)
}

// Add registers a variant whose settings are the tagged fields of the struct that
// defaults returns a pointer to. A variant of another type has no settings.
func (s *Set[T]) Add(name, doc, cite string, defaults func() T) {
	s.Register(Entry[T]{Name: name, Doc: doc, Cite: cite, New: func(d Decode) (T, error) {
		v := defaults()
		if reflect.TypeOf(v).Kind() != reflect.Pointer {
			return v, d(&struct{}{})
		}
		return v, d(v)
	}})
}

// Entries returns the variants sorted by name.
func (s *Set[T]) Entries() []Entry[T] { return slices.Clone(s.entries) }

// Defaults returns the variants with their default settings, sorted by name. It panics if
// a variant refuses its defaults.
func (s *Set[T]) Defaults() iter.Seq2[Entry[T], T] {
	return func(yield func(Entry[T], T) bool) {
		for _, e := range s.Entries() {
			v, err := e.New(None)
			if err != nil {
				panic(fmt.Sprintf("registry: the defaults of %s %s are refused: %v", s.Kind, e.Name, err))
			}
			if !yield(e, v) {
				return
			}
		}
	}
}

// Names returns the names of the variants, sorted.
func (s *Set[T]) Names() []string {
	names := make([]string, len(s.entries))
	for i, e := range s.entries {
		names[i] = e.Name
	}
	return names
}

// New builds the named variant.
func (s *Set[T]) New(name string, d Decode) (v T, err error) {
	for _, e := range s.entries {
		if e.Name == name {
			return e.New(d)
		}
	}
	return v, fmt.Errorf("unknown %s %q (have %s)", s.Kind, name, strings.Join(s.Names(), ", "))
}
