// Package toml is the language of scene files: TOML with units, decoded into structs.
// The tags of a struct say what a setting may be. All faults are reported at once, each
// at its place. It does not know what a scene is: a Schema describes that.
//
//	syntax.go    the TOML parser of another module, at a pinned version
//	parse.go     text into a tree of nodes
//	node.go      nodes with their places, and flags of the command line
//	fault.go     faults, and names that were probably meant
//	schema.go    what a file may hold; one file over another
//	variant.go   tables that name a variant by its kind
//	decode.go    nodes over Go values
//	field.go     settings with the limits of their units
//	unit.go      units of measure
//	describe.go  values and settings in words
package toml

import (
	"regexp"
	"strings"
)

// MaxFile is the most bytes a scene file may have. Shipped scenes have about
// 2000; the bound keeps the parser, which recurses on brackets, off the end
// of its stack.
const MaxFile = 256 << 10

// maxDepth is how many tables and lists a value may lie in, and how many parts
// a key may have. No setting lies deeper than five. Paths of values grow with
// their depth, so that memory would grow with its square.
const maxDepth = 32

// Parse reads src into a tree. Text that is not TOML is reported, and reading goes on
// at the next line that looks like a key or a header. One missing quote therefore does
// not hide the other faults. ok is false if anything was skipped.
func Parse(src *Source, f *Report) (root *Node, ok bool) {
	// The spare byte keeps the parser's slices of the remaining text apart from each
	// other at the very end of the text, where errors are placed too.
	buf := append(make([]byte, 0, len(src.Data)+1), src.Data...)
	root = &Node{Kind: Table, Src: src, header: true}
	b := builder{src: src, faults: f, buf: buf, root: root, table: root}
	ok = true
	for from := 0; from < len(buf); {
		b.base = from
		b.toml.Reset(buf[from:])
		for b.toml.NextExpression() {
			b.expression(b.toml.Expression())
		}
		at, message := b.toml.fault(buf)
		if message == "" {
			break
		}
		f.At(src, at, "", "this is not TOML: %s", message)
		ok = false
		from = resume(src.Data, b.skip(max(from, b.done), " \t\r\n"), at.Off)
	}
	return root, ok
}

// lineStart matches a line that begins a table or sets a key.
var lineStart = regexp.MustCompile(`(?m)^[ \t]*(\[\[?[ \t]*[A-Za-z0-9_."'-]+[ \t]*\]|[A-Za-z0-9_.-]+[ \t]*=)`)

// resume returns where reading goes on after a fault at off in an expression that began
// at start. That is the next line, or the faulty one if it is not the first. A list
// that is never closed runs on into lines that mean something else.
func resume(text string, start, off int) int {
	next := strings.LastIndexByte(text[:off], '\n') + 1
	if next <= start {
		nl := strings.IndexByte(text[start:], '\n')
		if nl < 0 {
			return len(text)
		}
		next = start + nl + 1
	}
	line := lineStart.FindStringIndex(text[next:])
	if line == nil {
		return len(text)
	}
	return next + line[0]
}

// builder turns the parser's expressions into nodes. The parser gives the
// places of keys but not of every value, so the builder follows the text.
type builder struct {
	src    *Source
	faults *Report
	toml   parser
	buf    []byte
	base   int   // where the parser's text begins in buf
	root   *Node // the whole file
	table  *Node // that the last header began
	done   int   // where the last whole expression ended
}

func (b *builder) expression(e *expression) {
	if at, deep := b.tooDeep(e, maxDepth); deep {
		b.faults.At(b.src, at, "", "is nested in more than %d tables or lists, which no setting needs: remove it", maxDepth)
		if e.Kind != keyValueExpr {
			b.table = &Node{Kind: Table, Src: b.src, header: true} // what follows is read, but has no place
		}
		return
	}
	switch e.Kind {
	case keyValueExpr:
		b.done = b.keyValue(b.table, e)
	case tableHeader, arrayHeader:
		b.header(e)
	}
}

// tooDeep reports whether e has a key of more than left parts, or a value in
// more than left tables and lists, and returns the place of the key.
func (b *builder) tooDeep(e *expression, left int) (at Span, deep bool) {
	keyed := e.Kind == keyValueExpr || e.Kind == tableHeader || e.Kind == arrayHeader
	if keyed {
		parts := 0
		for it := e.Key(); it.Next(); parts++ {
			k := it.Node().Raw
			off := b.base + int(k.Offset)
			if at.End == 0 {
				at = Span{off, off + int(k.Length)}
			}
		}
		if parts > left {
			return at, true
		}
	}
	switch e.Kind {
	case keyValueExpr:
		_, deep = b.tooDeep(e.Value(), left-1)
	case arrayValue, inlineTable:
		if left == 0 {
			return at, true
		}
		for it := e.Children(); !deep && it.Next(); {
			_, deep = b.tooDeep(it.Node(), left-1)
		}
	}
	return at, deep
}

// part is one part of a dotted key.
type part struct {
	text string
	at   Span
}

func (b *builder) key(it iterator) []part {
	var parts []part
	for it.Next() {
		k := it.Node()
		off := b.base + int(k.Raw.Offset)
		parts = append(parts, part{string(k.Data), Span{off, off + int(k.Raw.Length)}})
	}
	return parts
}

// header begins a [table] or an element of [[tables]].
func (b *builder) header(e *expression) {
	parts := b.key(e.Key())
	whole := Span{parts[0].at.Off, parts[len(parts)-1].at.End}
	b.done = b.skip(whole.End, " \t]")
	t := b.root
	for _, p := range parts[:len(parts)-1] {
		c := t.Get(p.text)
		if c == nil {
			c = b.newTable(t, p)
			t.Items = append(t.Items, c)
		}
		if c.Tables {
			c = c.Items[len(c.Items)-1]
		}
		if c.Kind != Table || c.inline {
			b.taken(c, p, Join(t.Path, p.text))
			b.table = b.newTable(t, p) // what follows is read, but has no place
			return
		}
		t = c
	}
	last := parts[len(parts)-1]
	c := t.Get(last.text)
	if e.Kind == arrayHeader {
		if c != nil && !c.Tables {
			b.taken(c, last, c.Path)
			b.table = b.newTable(t, last)
			return
		}
		if c == nil {
			c = b.newTable(t, last)
			c.Kind, c.Tables = Array, true
			t.Items = append(t.Items, c)
		}
		b.table = &Node{Kind: Table, Src: b.src, Path: Index(c.Path, len(c.Items)), At: whole, name: whole, header: true}
		c.Items = append(c.Items, b.table)
		return
	}
	switch {
	case c == nil:
		c = b.newTable(t, last)
		t.Items = append(t.Items, c)
	case c.Kind != Table || c.header || c.dotted || c.inline:
		b.taken(c, last, c.Path)
		if c.Kind != Table || c.inline {
			c = b.newTable(t, last)
		}
	}
	if !c.header {
		c.header, c.At, c.name = true, whole, whole
	}
	b.table = c
}

// taken reports that the key p at path is in use for c.
func (b *builder) taken(c *Node, p part, path string) {
	line, _, _ := c.Src.Place(c.name.Off)
	b.faults.At(b.src, p.at, path, "is already set to %v in line %d; a key can be set only once: remove one", c.Kind, line)
}

func (b *builder) newTable(parent *Node, p part) *Node {
	return &Node{Kind: Table, Src: b.src, Key: p.text, Path: Join(parent.Path, p.text), At: p.at, name: p.at}
}

// keyValue adds what a line sets to the table t and returns where the value
// ends.
func (b *builder) keyValue(t *Node, e *expression) (end int) {
	parts := b.key(e.Key())
	last := parts[len(parts)-1]
	at := b.skip(last.at.End, " \t") + 1 // the equals sign
	v := &Node{Src: b.src, Key: last.text, name: last.at}

	ok := true
	for _, p := range parts[:len(parts)-1] {
		c := t.Get(p.text)
		if c == nil {
			c = b.newTable(t, p)
			c.dotted = true
			t.Items = append(t.Items, c)
		} else if !c.dotted {
			b.taken(c, p, c.Path)
			ok = false
			c = b.newTable(t, p)
			c.dotted = true
		}
		t = c
	}
	v.Path = Join(t.Path, last.text)
	end = b.value(v, e.Value(), b.skip(at, " \t"))
	if c := t.Get(last.text); ok && c != nil {
		b.taken(c, last, c.Path)
		ok = false
	}
	if ok {
		t.Items = append(t.Items, v)
	}
	return end
}

// value fills v from e, whose text begins at byte at, and returns where it
// ends.
func (b *builder) value(v *Node, e *expression, at int) (end int) {
	v.At.Off = at
	switch e.Kind {
	case arrayValue:
		v.Kind = Array
		end = at + 1
		for it := e.Children(); it.Next(); {
			item := &Node{Src: b.src, Path: Index(v.Path, len(v.Items))}
			end = b.value(item, it.Node(), b.skip(end, " \t\r\n,"))
			v.Items = append(v.Items, item)
		}
		end = b.skip(end, " \t\r\n,") + 1
	case inlineTable:
		v.Kind, v.inline = Table, true
		end = at + 1
		for it := e.Children(); it.Next(); {
			end = b.keyValue(v, it.Node())
		}
		end = b.skip(end, " \t") + 1
	default:
		v.Kind, v.Text = scalars[e.Kind], string(e.Data)
		end = at + int(e.Raw.Length)
		if e.Raw.Length == 0 { // truth values and dates come without
			end = at + len(e.Data)
		}
	}
	v.At.End = end
	if p := numbers[v.Kind]; p != nil && !p.MatchString(v.Text) {
		b.faults.Value(v, "%s is not a TOML number; write it like 12, -3, 0.5 or 1e-3", v.Text)
		v.Bad = true
	}
	return end
}

// numbers are TOML's grammars of numbers; the parser leaves them to its caller.
var numbers = map[Kind]*regexp.Regexp{
	Int:   regexp.MustCompile(`^([+-]?(0|[1-9](_?[0-9])*)|0x[0-9A-Fa-f](_?[0-9A-Fa-f])*|0o[0-7](_?[0-7])*|0b[01](_?[01])*)$`),
	Float: regexp.MustCompile(`^[+-]?((0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?|inf|nan)$`),
}

// skip returns the first byte from at on that is not in set; where set has a line feed it
// skips comments too.
func (b *builder) skip(at int, set string) int {
	comments := strings.Contains(set, "\n")
	for at < len(b.buf) {
		switch c := b.buf[at]; {
		case strings.IndexByte(set, c) >= 0:
			at++
		case comments && c == '#':
			for at < len(b.buf) && b.buf[at] != '\n' {
				at++
			}
		default:
			return at
		}
	}
	return at
}
