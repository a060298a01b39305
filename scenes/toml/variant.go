package toml

import (
	"reflect"
	"slices"
	"strings"
)

// Variant is a table that names a variant by its kind and holds the variant's
// own settings.
type Variant struct {
	Kind string
	Node *Node    // the table in the file; nil for defaults alone
	also []string // keys of the table that are not the variant's
}

// variant reads the kind of the table n; the rest is for the variant, which is
// built later. The keys in also are not the variant's.
func (d decoder) variant(n *Node, p *Variant, also []string) {
	p.Node, p.also = n, also
	fam := d.family(n.Path)
	k := n.Get("kind")
	switch {
	case k == nil && p.Kind == "":
		d.bad(n, "has no kind; add a line such as kind = %q; expected one of %s", fam.Names[0], strings.Join(fam.Names, ", "))
	case k == nil:
	case k.Kind != String:
		d.wrong(k, "a string, one of "+strings.Join(fam.Names, ", "))
		p.Kind = ""
	case !slices.Contains(fam.Names, k.Text):
		d.bad(k, "unknown %s %q; %s", fam.What, k.Text, Expected(k.Text, fam.Names))
		p.Kind = ""
	default:
		p.Kind = k.Text
	}
}

// Settings lays the table of p over dst, a pointer to the settings of the variant that
// p names.
func (s *Schema) Settings(p Variant, dst any, f *Report) {
	if p.Node != nil {
		decoder{s, f}.table(p.Node, reflect.ValueOf(dst).Elem(), append([]string{"kind"}, p.also...)...)
	}
}

// Decode lays the table n over dst, a pointer to a struct. Keys in known belong to
// another reader of the same table.
func (s *Schema) Decode(n *Node, dst any, f *Report, known ...string) {
	decoder{s, f}.table(n, reflect.ValueOf(dst).Elem(), known...)
}
