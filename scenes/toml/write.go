package toml

import (
	"fmt"
	"regexp"
	"strings"
)

// bareKey matches keys that need no quotes.
var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Write returns a table as the text of a file: values first, then a section for each table
// in it, and for each item of a list of tables. Deeper tables are in braces.
func Write(root *Node) string {
	var values, sections strings.Builder
	for _, n := range root.Items {
		switch {
		case n.Kind == Table:
			fmt.Fprintf(&sections, "\n[%s]\n", quotedKey(n.Key))
			writeValues(&sections, n)
		case n.Kind == Array && len(n.Items) > 0 && n.Items[0].Kind == Table:
			for _, item := range n.Items {
				fmt.Fprintf(&sections, "\n[[%s]]\n", quotedKey(n.Key))
				writeValues(&sections, item)
			}
		default:
			writeValue(&values, n)
		}
	}
	return values.String() + sections.String()
}

func writeValues(b *strings.Builder, table *Node) {
	for _, n := range table.Items {
		writeValue(b, n)
	}
}

func writeValue(b *strings.Builder, n *Node) {
	fmt.Fprintf(b, "%s = %s\n", quotedKey(n.Key), Inline(n))
}

// Inline returns a value as it stands behind a key.
func Inline(n *Node) string {
	var parts []string
	switch n.Kind {
	case Table:
		for _, c := range n.Items {
			parts = append(parts, quotedKey(c.Key)+" = "+Inline(c))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case Array:
		for _, c := range n.Items {
			parts = append(parts, Inline(c))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case String:
		return quotedText(n.Text)
	}
	return n.Text
}

func quotedKey(key string) string {
	if bareKey.MatchString(key) {
		return key
	}
	return quotedText(key)
}

// quotedText returns a basic string of TOML.
func quotedText(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
