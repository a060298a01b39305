package toml

import (
	"reflect"
	"slices"
	"strings"
)

// Schema describes the tables of a file.
type Schema struct {
	Root      reflect.Type                    // a struct with a field for each table
	Families  []Family                        // what tables name by their kinds
	Displaced map[string][]string             // keys of a table that a value at a path replaces besides itself
	Linear    func(component float64) float64 // the linear value of an sRGB component of a colour
}

// Family is a table, or a list of tables, each of which names one of several
// variants by its kind.
type Family struct {
	Table    string   // its path without indices, as in fluid.velocity_field
	What     string   // the kind of thing, as messages name it
	Fallback string   // the variant of a table that names none; "" if it must
	Names    []string // of the variants
}

// family returns the family of the table at a path, whose indices do not matter.
func (s *Schema) family(path string) Family {
	table := ""
	for part := range strings.SplitSeq(path, ".") {
		key, _, _ := strings.Cut(part, "[")
		table = Join(table, key)
	}
	i := slices.IndexFunc(s.Families, func(f Family) bool { return f.Table == table })
	if i < 0 {
		return Family{}
	}
	return s.Families[i]
}

// Overlay lays the table over on top of the table under, key by key, and
// returns the result; neither is changed. Lists are replaced as a whole, and
// so is a table that names another kind, since its keys are that kind's. A
// table that both have keeps its place in over, unless over is a flag.
func (s *Schema) Overlay(under, over *Node) *Node {
	n := *over
	if over.Src.Flag {
		n = *under
	}
	n.Items, n.keyed = append([]*Node(nil), under.Items...), nil
	for _, c := range over.Items {
		if gone := s.Displaced[c.Path]; len(gone) > 0 {
			n.Items = slices.DeleteFunc(n.Items, func(old *Node) bool { return slices.Contains(gone, old.Key) })
		}
	}
	place := make(map[string]int, len(n.Items))
	for i, old := range n.Items {
		place[old.Key] = i
	}
	for _, c := range over.Items {
		i, there := place[c.Key]
		if !there {
			place[c.Key] = len(n.Items)
			n.Items = append(n.Items, c)
			continue
		}
		if old := n.Items[i]; old.Kind == Table && c.Kind == Table && s.sameKind(old, c) {
			c = s.Overlay(old, c)
		}
		n.Items[i] = c
	}
	return &n
}

// sameKind reports whether the table over keeps the kind that under has.
func (s *Schema) sameKind(under, over *Node) bool {
	k := over.Get("kind")
	if k == nil {
		return true
	}
	had := s.family(under.Path).Fallback
	if u := under.Get("kind"); u != nil {
		had = u.Text
	}
	return k.Text == had
}
