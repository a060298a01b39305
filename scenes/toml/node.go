package toml

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Source is a text that values were read from: a scene file, or one flag of
// the command line.
type Source struct {
	Name string // the file, or the flag with its dashes
	Flag bool
	Data string
}

// Place returns the line and the column, both from 1 and in characters, of
// the byte at off, and the text of that line.
func (s *Source) Place(off int) (line, col int, text string) {
	off = min(off, len(s.Data))
	start := strings.LastIndexByte(s.Data[:off], '\n') + 1
	text, _, _ = strings.Cut(s.Data[start:], "\n")
	return strings.Count(s.Data[:start], "\n") + 1,
		utf8.RuneCountInString(s.Data[start:off]) + 1,
		strings.TrimSuffix(text, "\r")
}

// Span is a piece of a source, from byte off up to end.
type Span struct{ Off, End int }

// Kind is the type of a node.
type Kind uint8

// The kinds of nodes.
const (
	Table Kind = iota
	Array
	String
	Bool
	Int
	Float
	Date
)

// String returns k with its article, as messages have it.
func (k Kind) String() string {
	return [...]string{"a table", "a list", "a string", "a truth value", "a whole number", "a number", "a date"}[k]
}

// Node is a value in a scene file, with its place.
type Node struct {
	Kind Kind
	Src  *Source
	Key  string // the last part of path
	Path string // as messages name it: fluid[1].max
	At   Span   // where messages point: the value, or the header of a table
	name Span   // the key; empty in lists

	Text  string           // of a scalar; a string without its quotes
	Items []*Node          // of a list, or the values of a table in the order of the file
	keyed map[string]*Node // items of a large table by their keys; see get
	Bad   bool             // whether it was reported as something that cannot be used

	// The origin of the node, which decides what may still be added to it.
	header bool // by [table]
	dotted bool // by a dotted key
	Tables bool // by [[table]]
	inline bool // by { }
}

// Get returns the value of key in the table n, or nil if it is absent.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	if len(n.Items) > largeTable {
		return n.large(key)
	}
	for _, c := range n.Items {
		if c.Key == key {
			return c
		}
	}
	return nil
}

// largeTable is the number of items above which get looks in a map.
const largeTable = 64

// large is get for a table of many items. Items are only ever appended to a
// table that is being read, so the map lacks the last ones at most.
func (n *Node) large(key string) *Node {
	if n.keyed == nil {
		n.keyed = make(map[string]*Node, 2*len(n.Items))
	}
	for _, c := range n.Items[len(n.keyed):] {
		n.keyed[c.Key] = c
	}
	return n.keyed[key]
}

// Find returns the value at a path of keys below n, or nil if it is absent.
func (n *Node) Find(keys ...string) *Node {
	for _, k := range keys {
		n = n.Get(k)
	}
	return n
}

// Join returns the path of key in the table at path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Index returns the path of item i of the list at path.
func Index(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }

// Empty reports whether n is absent or a list of nothing.
func (n *Node) Empty() bool { return n == nil || n.Kind == Array && len(n.Items) == 0 }

// Broken reports whether n or a part of it was reported.
func (n *Node) Broken() bool { return n.Bad || slices.ContainsFunc(n.Items, (*Node).Broken) }

// Or returns n, or other if n is nil.
func (n *Node) Or(other *Node) *Node {
	if n == nil {
		return other
	}
	return n
}

// Flag returns the value of a flag of the command line: true, false, a number, or a
// string, which may be a number with a unit.
func Flag(name, text string) *Node {
	n := &Node{Kind: String, Src: &Source{Name: name, Flag: true, Data: text}, Text: text}
	switch {
	case text == "true" || text == "false":
		n.Kind = Bool
	case numbers[Int].MatchString(text):
		n.Kind = Int
	case numbers[Float].MatchString(text):
		n.Kind = Float
	}
	return n
}
