package scenes

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// source is a text that values were read from: a scene file, or one flag of
// the command line.
type source struct {
	name string // the file, or the flag with its dashes
	flag bool
	data string
}

// place returns the line and the column, both from 1 and in characters, of
// the byte at off, and the text of that line.
func (s *source) place(off int) (line, col int, text string) {
	off = min(off, len(s.data))
	start := strings.LastIndexByte(s.data[:off], '\n') + 1
	text, _, _ = strings.Cut(s.data[start:], "\n")
	return strings.Count(s.data[:start], "\n") + 1,
		utf8.RuneCountInString(s.data[start:off]) + 1,
		strings.TrimSuffix(text, "\r")
}

// span is a piece of a source, from byte off up to end.
type span struct{ off, end int }

// kind is the type of a node.
type kind uint8

const (
	tableNode kind = iota
	arrayNode
	stringNode
	boolNode
	intNode
	floatNode
	dateNode
)

// String returns k with its article, as messages have it.
func (k kind) String() string {
	return [...]string{"a table", "a list", "a string", "a truth value", "a whole number", "a number", "a date"}[k]
}

// node is a value in a scene file, with its place.
type node struct {
	kind kind
	src  *source
	key  string // the last part of path
	path string // as messages name it: fluid[1].max
	at   span   // where messages point: the value, or the header of a table
	name span   // the key; empty in lists

	text  string           // of a scalar; a string without its quotes
	items []*node          // of a list, or the values of a table in the order of the file
	keyed map[string]*node // items of a large table by their keys; see get
	bad   bool             // whether it was reported as something that cannot be used

	// How the node came about, which says what may still be added to it.
	header bool // by [table]
	dotted bool // by a dotted key
	tables bool // by [[table]]
	inline bool // by { }
}

// get returns the value of key in the table n, and nil if there is none.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	if len(n.items) > largeTable {
		return n.large(key)
	}
	for _, c := range n.items {
		if c.key == key {
			return c
		}
	}
	return nil
}

// largeTable is the number of items above which get looks in a map.
const largeTable = 64

// large is get for a table of many items. Items are only ever appended to a
// table that is being read, so the map lacks the last ones at most.
func (n *node) large(key string) *node {
	if n.keyed == nil {
		n.keyed = make(map[string]*node, 2*len(n.items))
	}
	for _, c := range n.items[len(n.keyed):] {
		n.keyed[c.key] = c
	}
	return n.keyed[key]
}

// find returns the value at a path of keys below n, and nil if there is none.
func (n *node) find(keys ...string) *node {
	for _, k := range keys {
		n = n.get(k)
	}
	return n
}

// join returns the path of key in the table at path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// index returns the path of item i of the list at path.
func index(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }

// overlay lays the table over on top of the table under, key by key, and
// returns the result; neither is changed. Lists are replaced as a whole, and
// so is a table that names another kind, since its keys are that kind's. A
// table that both have keeps its place in over, unless over is a flag.
func overlay(under, over *node) *node {
	n := *over
	if over.src.flag {
		n = *under
	}
	n.items, n.keyed = append([]*node(nil), under.items...), nil
	for _, c := range over.items {
		if gone := displaced[c.path]; len(gone) > 0 {
			n.items = slices.DeleteFunc(n.items, func(old *node) bool { return slices.Contains(gone, old.key) })
		}
	}
	place := make(map[string]int, len(n.items))
	for i, old := range n.items {
		place[old.key] = i
	}
	for _, c := range over.items {
		i, there := place[c.key]
		if !there {
			place[c.key] = len(n.items)
			n.items = append(n.items, c)
			continue
		}
		if old := n.items[i]; old.kind == tableNode && c.kind == tableNode && sameKind(old, c) {
			c = overlay(old, c)
		}
		n.items[i] = c
	}
	return &n
}

// sameKind reports whether the table over keeps the kind that under has.
func sameKind(under, over *node) bool {
	k := over.get("kind")
	if k == nil {
		return true
	}
	had := defaultKinds[under.path]
	if u := under.get("kind"); u != nil {
		had = u.text
	}
	return k.text == had
}
