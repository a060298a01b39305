package scenes

import (
	"errors"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxFile is the most bytes a scene file may have. Shipped scenes have about
// 2000; the bound keeps the parser, which recurses on brackets, off the end
// of its stack.
const maxFile = 256 << 10

// maxDepth is how many tables and lists a value may lie in, and how many parts
// a key may have. No setting lies deeper than five. Paths of values grow with
// their depth, so that memory would grow with its square.
const maxDepth = 32

// parse reads src into a tree. What is not TOML is reported, and reading goes
// on at the next line that looks like a key or a header, so that one missing
// quote does not hide the other faults. ok is false if anything was skipped.
func parse(src *source, f *faults) (root *node, ok bool) {
	// The spare byte keeps the parser's slices of what is left apart from
	// each other at the very end of the text, where errors are placed too.
	buf := append(make([]byte, 0, len(src.data)+1), src.data...)
	root = &node{kind: tableNode, src: src, header: true}
	b := builder{src: src, faults: f, buf: buf, root: root, table: root}
	ok = true
	for at := 0; at < len(buf); {
		b.base = at
		b.toml.Reset(buf[at:])
		for b.toml.NextExpression() {
			b.expression(b.toml.Expression())
		}
		var e *unstable.ParserError
		if !errors.As(b.toml.Error(), &e) {
			break
		}
		// A slice of buf ends where buf ends, so its capacity tells its place.
		off := min(cap(buf)-cap(e.Highlight), len(buf))
		f.at(src, span{off, off + len(e.Highlight)}, "", "this is not TOML: %s", strings.TrimPrefix(e.Message, "toml: "))
		ok = false
		at = resume(src.data, b.skip(max(at, b.done), " \t\r\n"), off)
	}
	return root, ok
}

// lineStart matches a line that begins a table or sets a key.
var lineStart = regexp.MustCompile(`(?m)^[ \t]*(\[\[?[ \t]*[A-Za-z0-9_."'-]+[ \t]*\]|[A-Za-z0-9_.-]+[ \t]*=)`)

// resume returns where reading goes on after a fault at off in what began at
// start: in the next line, or in the faulty one if that is not the first. A
// list that is never closed runs on into lines that mean something else.
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
	src    *source
	faults *faults
	toml   unstable.Parser
	buf    []byte
	base   int   // where the parser's text begins in buf
	root   *node // the whole file
	table  *node // that the last header began
	done   int   // where the last whole expression ended
}

func (b *builder) expression(e *unstable.Node) {
	if at, deep := b.tooDeep(e, maxDepth); deep {
		b.faults.at(b.src, at, "", "lies in more than %d tables or lists, one within the other; no setting of a scene does: remove it", maxDepth)
		if e.Kind != unstable.KeyValue {
			b.table = &node{kind: tableNode, src: b.src, header: true} // what follows is read, but has no place
		}
		return
	}
	switch e.Kind {
	case unstable.KeyValue:
		b.done = b.keyValue(b.table, e)
	case unstable.Table, unstable.ArrayTable:
		b.header(e)
	}
}

// tooDeep reports whether e has a key of more than left parts, or a value in
// more than left tables and lists, and returns the place of the key.
func (b *builder) tooDeep(e *unstable.Node, left int) (at span, deep bool) {
	keyed := e.Kind == unstable.KeyValue || e.Kind == unstable.Table || e.Kind == unstable.ArrayTable
	if keyed {
		parts := 0
		for it := e.Key(); it.Next(); parts++ {
			k := it.Node().Raw
			off := b.base + int(k.Offset)
			if at.end == 0 {
				at = span{off, off + int(k.Length)}
			}
		}
		if parts > left {
			return at, true
		}
	}
	switch e.Kind {
	case unstable.KeyValue:
		_, deep = b.tooDeep(e.Value(), left-1)
	case unstable.Array, unstable.InlineTable:
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
	at   span
}

func (b *builder) key(it unstable.Iterator) []part {
	var parts []part
	for it.Next() {
		k := it.Node()
		off := b.base + int(k.Raw.Offset)
		parts = append(parts, part{string(k.Data), span{off, off + int(k.Raw.Length)}})
	}
	return parts
}

// header begins a [table] or an element of [[tables]].
func (b *builder) header(e *unstable.Node) {
	parts := b.key(e.Key())
	whole := span{parts[0].at.off, parts[len(parts)-1].at.end}
	b.done = b.skip(whole.end, " \t]")
	t := b.root
	for _, p := range parts[:len(parts)-1] {
		c := t.get(p.text)
		if c == nil {
			c = b.newTable(t, p)
			t.items = append(t.items, c)
		}
		if c.tables {
			c = c.items[len(c.items)-1]
		}
		if c.kind != tableNode || c.inline {
			b.taken(c, p, join(t.path, p.text))
			b.table = b.newTable(t, p) // what follows is read, but has no place
			return
		}
		t = c
	}
	last := parts[len(parts)-1]
	c := t.get(last.text)
	if e.Kind == unstable.ArrayTable {
		if c != nil && !c.tables {
			b.taken(c, last, c.path)
			b.table = b.newTable(t, last)
			return
		}
		if c == nil {
			c = b.newTable(t, last)
			c.kind, c.tables = arrayNode, true
			t.items = append(t.items, c)
		}
		b.table = &node{kind: tableNode, src: b.src, path: index(c.path, len(c.items)), at: whole, name: whole, header: true}
		c.items = append(c.items, b.table)
		return
	}
	switch {
	case c == nil:
		c = b.newTable(t, last)
		t.items = append(t.items, c)
	case c.kind != tableNode || c.header || c.dotted || c.inline:
		b.taken(c, last, c.path)
		if c.kind != tableNode || c.inline {
			c = b.newTable(t, last)
		}
	}
	if !c.header {
		c.header, c.at, c.name = true, whole, whole
	}
	b.table = c
}

// taken reports that the key p at path is in use for c.
func (b *builder) taken(c *node, p part, path string) {
	line, _, _ := c.src.place(c.name.off)
	b.faults.at(b.src, p.at, path, "is already there as %v, since line %d; a key can be set only once: remove one", c.kind, line)
}

func (b *builder) newTable(parent *node, p part) *node {
	return &node{kind: tableNode, src: b.src, key: p.text, path: join(parent.path, p.text), at: p.at, name: p.at}
}

// keyValue adds what a line sets to the table t and returns where the value
// ends.
func (b *builder) keyValue(t *node, e *unstable.Node) (end int) {
	parts := b.key(e.Key())
	last := parts[len(parts)-1]
	at := b.skip(last.at.end, " \t") + 1 // the equals sign
	v := &node{src: b.src, key: last.text, name: last.at}

	ok := true
	for _, p := range parts[:len(parts)-1] {
		c := t.get(p.text)
		if c == nil {
			c = b.newTable(t, p)
			c.dotted = true
			t.items = append(t.items, c)
		} else if !c.dotted {
			b.taken(c, p, c.path)
			ok = false
			c = b.newTable(t, p)
			c.dotted = true
		}
		t = c
	}
	v.path = join(t.path, last.text)
	end = b.value(v, e.Value(), b.skip(at, " \t"))
	if c := t.get(last.text); ok && c != nil {
		b.taken(c, last, c.path)
		ok = false
	}
	if ok {
		t.items = append(t.items, v)
	}
	return end
}

// value fills v from e, whose text begins at byte at, and returns where it
// ends.
func (b *builder) value(v *node, e *unstable.Node, at int) (end int) {
	v.at.off = at
	switch e.Kind {
	case unstable.Array:
		v.kind = arrayNode
		end = at + 1
		for it := e.Children(); it.Next(); {
			item := &node{src: b.src, path: index(v.path, len(v.items))}
			end = b.value(item, it.Node(), b.skip(end, " \t\r\n,"))
			v.items = append(v.items, item)
		}
		end = b.skip(end, " \t\r\n,") + 1
	case unstable.InlineTable:
		v.kind, v.inline = tableNode, true
		end = at + 1
		for it := e.Children(); it.Next(); {
			end = b.keyValue(v, it.Node())
		}
		end = b.skip(end, " \t") + 1
	default:
		v.kind, v.text = scalars[e.Kind], string(e.Data)
		end = at + int(e.Raw.Length)
		if e.Raw.Length == 0 { // truth values and dates come without
			end = at + len(e.Data)
		}
	}
	v.at.end = end
	if p := numbers[v.kind]; p != nil && !p.MatchString(v.text) {
		b.faults.value(v, "%s is not a number as TOML has them; write it like 12, -3, 0.5 or 1e-3", v.text)
		v.bad = true
	}
	return end
}

// scalars are the kinds of the parser's scalars.
var scalars = map[unstable.Kind]kind{
	unstable.String: stringNode, unstable.Bool: boolNode, unstable.Integer: intNode, unstable.Float: floatNode,
	unstable.LocalDate: dateNode, unstable.LocalTime: dateNode, unstable.LocalDateTime: dateNode, unstable.DateTime: dateNode,
}

// numbers are TOML's grammars of numbers; the parser leaves them to its caller.
var numbers = map[kind]*regexp.Regexp{
	intNode:   regexp.MustCompile(`^([+-]?(0|[1-9](_?[0-9])*)|0x[0-9A-Fa-f](_?[0-9A-Fa-f])*|0o[0-7](_?[0-7])*|0b[01](_?[01])*)$`),
	floatNode: regexp.MustCompile(`^[+-]?((0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?|inf|nan)$`),
}

// skip returns the first byte from at on that is none of set; where set has a
// line feed it skips comments too.
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
